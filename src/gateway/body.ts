import { AnycallError, isJsonObject, OncePerList } from '../conversation/index.ts'
import { jsonExcess, nestsDeeper } from '../json/index.ts'
import { compressionOf, decompress } from './decompress.ts'
import type { GatewayRequest } from './http.ts'

/** `fatal`, lest broken text be sent on as text. One for all: to make one takes Node 0.05 ms. */
const utf8: TextDecoder = new TextDecoder('utf-8', { fatal: true })

/** How much a body may be. */
export interface BodyBounds {
  /** As it comes and, if it is packed, as it is unpacked. */
  bytes: number
  /** Members and elements in all. */
  values: number
  /** Lists and objects in each other. */
  depth: number
  /** Told of all bytes that are kept; throws if they are too many. */
  take?(bytes: number): void
}

/**
 * Reads a request's body as JSON, by `parse`; one that is compressed is unpacked. Throws `too-large` where it is past the limit,
 * packed or unpacked, or has too many values, `unsupported-encoding`, and `invalid-request` where it is no JSON or nests too deeply.
 */
export async function readJsonBody(
  request: GatewayRequest,
  bounds: BodyBounds,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const announced = Number(request.header('content-length') ?? 0)
  if (announced > bounds.bytes) throw tooLarge(bounds.bytes)
  const format = compressionOf(request.header('content-encoding'))
  const sent = await readBytes(request.body ?? [], bounds)
  const bytes = format && sent.length > 0 ? await readBytes(decompress(sent, format), bounds) : sent
  if (bytes.length === 0) throw new AnycallError('invalid-request', 'The request has no body; send a JSON object.')
  // Decoded in one go: a character may stand across two chunks.
  const value = parsed(bytes, (text) => {
    // A value takes two characters: most bodies are too short to have too many. How deep those nest shows when they are parsed, and then known tools are not looked at again.
    const excess = text.length > 2 * bounds.values ? jsonExcess(text, bounds) : undefined
    if (excess === 'values') throw tooManyValues(bounds.values)
    if (excess === 'depth') throw tooDeep(bounds.depth)
    return parse(text)
  })
  if (isTooDeep(value, bounds.depth)) throw tooDeep(bounds.depth)
  return value
}

function parsed(bytes: Uint8Array, parse: (text: string) => unknown): unknown {
  try {
    return parse(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof AnycallError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new AnycallError('invalid-request', `The request's body is not valid JSON in UTF-8: ${why}`, { cause: error })
  }
}

/** How deep lists nest that came before, by the list. */
const knownDepths = new OncePerList<boolean>()

function isTooDeep(body: unknown, depth: number): boolean {
  if (!isJsonObject(body)) return nestsDeeper(body, depth)
  const isMemberTooDeep = (member: unknown) => nestsDeeper(member, depth - 1)
  return Object.values(body).some((member) =>
    Array.isArray(member) ? knownDepths.of(member, () => isMemberTooDeep(member)) : isMemberTooDeep(member),
  )
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function readBytes(pieces: Pieces, { bytes: maxBytes, take }: BodyBounds): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of pieces) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      take?.(chunk.byteLength)
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

function tooManyValues(most: number): AnycallError {
  return new AnycallError(
    'too-large',
    `The request's body has more than ${most} values; send less, or raise limits.bodyValues in the configuration.`,
  )
}

function tooDeep(depth: number): AnycallError {
  return new AnycallError(
    'invalid-request',
    `The request's body nests deeper than ${depth} levels; send a flatter one.`,
  )
}
