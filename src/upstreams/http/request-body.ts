import type { JsonValue } from '../../conversation/index.ts'
import { isLarge, jsonPieces, pause, Repeats } from '../../json/index.ts'
import type { HttpBody } from '../transport/transport.ts'

/** The number of characters up to which a body is written at once. */
const mostAtOnce = 512 * 1024

const repeats = new Repeats()

/** Writes a body as JSON; a large one in pieces, between which others are served. */
export async function encodeBody(body: JsonValue): Promise<HttpBody> {
  if (!isLarge(body, mostAtOnce)) return repeats.json(body)
  // Building the parts of the body took time.
  await pause()
  const encoder = new TextEncoder()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (const piece of jsonPieces(body)) {
    pieces.push(encoder.encode(piece))
    await pause()
  }
  return pieces
}

/** The bytes of a body in pieces. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** A body as one text, for a protocol that signs it. */
export function textOf(body: HttpBody | undefined): string | undefined {
  if (typeof body !== 'object') return body
  const decoder = new TextDecoder()
  return body.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
}
