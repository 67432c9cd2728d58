import { AnycallError, isJsonObject } from '../../../conversation/index.ts'
import { type JsonExcess, jsonExcess, nestsDeeper } from '../../../json/index.ts'
import type { GatewayRequest } from '../http.ts'
import { compressionOf, decompress } from './decompress.ts'
import { joined, LargeBody } from './large-body.ts'

/** `fatal`, lest broken text be sent on as text. One for all: to make one takes Node 0.05 ms. */
const utf8: TextDecoder = new TextDecoder('utf-8', { fatal: true })

/** A body of no more bytes is decoded and parsed at once, which takes ten milliseconds at most; larger ones come in pieces (large-body.ts). */
const mostAtOnce = 1024 ** 2

/** The limits of a body. */
export interface BodyBounds {
  /** The number of bytes, as received and, if it is compressed, as decompressed. */
  bytes: number
  /** Members and elements in all. */
  values: number
  /** Lists and objects in each other. */
  depth: number
  /** Called with the number of bytes to keep. Throws if they are too many. */
  take?(bytes: number): void
  /** Parses the text of a body that is not large, as `JSON.parse` does, which is used without it. */
  parse?(text: string): unknown
  /** Called with the text of the body, in one or more parts. */
  seen?(text: string): void
}

/**
 * Reads a request's body as JSON, decompressing it if necessary. Throws `too-large` if it exceeds the limit, compressed
 * or not, or has too many values, `unsupported-encoding`, and `invalid-request` if it is not JSON or nests too deeply.
 */
export async function readJsonBody(request: GatewayRequest, bounds: BodyBounds): Promise<unknown> {
  const announced = Number(request.header('content-length') ?? 0)
  if (announced > bounds.bytes) throw tooLarge(bounds.bytes)
  const format = compressionOf(request.header('content-encoding'))
  if (!request.body) throw noBody()
  const sent = new BoundedBytes(request.body, bounds)
  const pieces = format ? unpacked(sent, format, bounds) : sent
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of pieces) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Awaited here: leaving the loop closes `pieces`.
    if (size > mostAtOnce) return await readLarge(chunks, pieces, bounds).catch(throwUnreadable)
  }
  if (size === 0) throw noBody()
  const value = readWhole(chunks, size, bounds)
  if (isTooDeep(value, bounds.depth)) throw tooDeep(bounds.depth)
  return value
}

function readWhole(chunks: readonly Uint8Array[], size: number, bounds: BodyBounds): unknown {
  try {
    // Decoded as a whole: a character may be split between two chunks.
    const text = utf8.decode(joined(chunks, size))
    bounds.seen?.(text)
    // A value takes two characters: most bodies are too short to have too many. Their depth is checked when they are parsed.
    check(text.length > 2 * bounds.values ? jsonExcess(text, bounds) : undefined, bounds)
    return bounds.parse ? bounds.parse(text) : (JSON.parse(text) as unknown)
  } catch (error) {
    return throwUnreadable(error)
  }
}

/** Remembered tools, which are frozen, were checked when they came first. */
function isTooDeep(body: unknown, depth: number): boolean {
  if (!isJsonObject(body)) return nestsDeeper(body, depth)
  return Object.values(body).some((member) => !Object.isFrozen(member) && nestsDeeper(member, depth - 1))
}

/** Reads a body in pieces, some of which were read before. */
async function readLarge(
  first: readonly Uint8Array[],
  others: AsyncIterable<Uint8Array>,
  bounds: BodyBounds,
): Promise<unknown> {
  const body = new LargeBody(bounds)
  const decoder = bounds.seen && new TextDecoder()
  const push = async (chunk: Uint8Array): Promise<void> => {
    if (decoder) bounds.seen?.(decoder.decode(chunk, { stream: true }))
    check(await body.push(chunk), bounds)
  }
  for (const chunk of first) await push(chunk)
  for await (const chunk of others) await push(chunk)
  const end = body.end()
  if ('value' in end) return end.value
  check(end.excess, bounds)
}

function check(excess: JsonExcess | undefined, bounds: BodyBounds): void {
  if (excess === 'values') throw tooManyValues(bounds.values)
  if (excess === 'depth') throw tooDeep(bounds.depth)
}

/** Throws an error of reading a body: any other than an AnycallError means that the body is not JSON. */
function throwUnreadable(error: unknown): never {
  if (AnycallError.isInstance(error)) throw error
  const why = error instanceof Error ? error.message : String(error)
  throw new AnycallError('invalid-request', `The request's body is not valid JSON in UTF-8: ${why}`, { cause: error })
}

/** The chunks of a body as they come, as long as they are within the limit. No generator: it would take three further promises for each chunk. */
class BoundedBytes implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #chunks: AsyncIterator<Uint8Array, unknown>
  readonly #bounds: BodyBounds
  #size = 0

  constructor(chunks: AsyncIterable<Uint8Array>, bounds: BodyBounds) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#bounds = bounds
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return this.#chunks.next().then(this.#counted, brokenOff)
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.#chunks.return?.()
    return over
  }

  readonly #counted = (next: IteratorResult<Uint8Array, unknown>): IteratorResult<Uint8Array, undefined> => {
    if (next.done) return over
    const { bytes, take } = this.#bounds
    const { byteLength } = next.value
    this.#size += byteLength
    try {
      if (this.#size > bytes) throw tooLarge(bytes)
      take?.(byteLength)
    } catch (error) {
      // Who reads an iterator that throws takes it for ended.
      this.#chunks.return?.().catch(() => {})
      throw error
    }
    return next
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

function brokenOff(error: unknown): never {
  if (AnycallError.isInstance(error)) throw error
  throw new AnycallError('cancelled', 'The request broke off before its body was complete.', { cause: error })
}

/** Yields the content of compressed pieces. */
async function* unpacked(
  packed: AsyncIterable<Uint8Array>,
  format: CompressionFormat,
  bounds: BodyBounds,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of packed) if (chunk.byteLength > 0) chunks.push(chunk)
  if (chunks.length > 0) yield* new BoundedBytes(decompress(chunks, format), bounds)
}

function noBody(): AnycallError {
  return new AnycallError('invalid-request', 'The request has no body; send a JSON object.')
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
