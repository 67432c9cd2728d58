import { AnycallError } from '../conversation/index.ts'
import type { GatewayRequest } from './http.ts'

/** Reads a request's body as JSON. Throws `too-large` past the limit, `invalid-request` where it is no JSON. */
export async function readJsonBody(request: GatewayRequest, maxBytes: number): Promise<unknown> {
  const announced = Number(request.header('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  if (size === 0) throw new AnycallError('invalid-request', 'The request has no body; send a JSON object.')
  try {
    // Decoded in one go: a character may stand across two chunks. `fatal`, lest broken text be sent on as text.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(joined(chunks, size)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AnycallError('invalid-request', `The request's body is not valid JSON in UTF-8: ${why}`, { cause: error })
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

function tooLarge(maxBytes: number): AnycallError {
  const megabytes = Math.round(maxBytes / 1024 ** 2)
  return new AnycallError(
    'too-large',
    `The request's body is larger than ${megabytes} MB; send less, or raise limits.bodyMegabytes in the configuration.`,
  )
}
