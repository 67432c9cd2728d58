import { AnycallError } from '../conversation/index.ts'
import { compressionOf, decompress } from './decompress.ts'
import type { GatewayRequest } from './http.ts'

/** `fatal`, lest broken text be sent on as text. One for all: to make one takes Node 0.05 ms. */
const utf8: TextDecoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body as JSON, by `parse`; one that is compressed is unpacked. Throws `too-large` where it is past the limit,
 * packed or unpacked, `unsupported-encoding`, and `invalid-request` where it is no JSON.
 */
export async function readJsonBody(
  request: GatewayRequest,
  maxBytes: number,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const announced = Number(request.header('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  const format = compressionOf(request.header('content-encoding'))
  const sent = await readBytes(request.body ?? [], maxBytes)
  const bytes = format && sent.length > 0 ? await readBytes(decompress(sent, format), maxBytes) : sent
  if (bytes.length === 0) throw new AnycallError('invalid-request', 'The request has no body; send a JSON object.')
  try {
    // Decoded in one go: a character may stand across two chunks.
    return parse(utf8.decode(bytes))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AnycallError('invalid-request', `The request's body is not valid JSON in UTF-8: ${why}`, { cause: error })
  }
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function readBytes(pieces: Pieces, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of pieces) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AnycallError) throw error
    throw new AnycallError('cancelled', 'The request broke off before its body was whole.', { cause: error })
  }
  return joined(chunks, size)
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
  const megabytes = Number((maxBytes / 1024 ** 2).toPrecision(3))
  return new AnycallError(
    'too-large',
    `The request's body is larger than ${megabytes} MB; send less, or raise limits.bodyMegabytes in the configuration.`,
  )
}
