import { pause } from '../../json/index.ts'
import { TransportError } from '../transport/transport-error.ts'
import type { Log, UpstreamEvent } from '../upstream.ts'
import { ReplyDecoder } from './reply-decoder.ts'
import { slicesOf } from './slices.ts'
import { type ErrorSource, named } from './upstream-error.ts'
import type { WireFormat } from './wire-format.ts'

/**
 * Milliseconds to wait for the end of the response after the end of the reply, so that the connection can be reused.
 */
const releaseMs = 1000

/**
 * Milliseconds to wait for the usage after a finish reason, if the server neither signals the end nor ends the
 * response.
 */
const usageMs = 2000

/** The bytes that are read between two turns of the event loop. A burst of 200 pieces has 40 kB: with a pause in it, it takes a fifth longer. */
const mostBytesAtOnce = 128 * 1024

/**
 * The events of one response: one batch for each chunk of its body that had any, and several for a large one. Others get their turn
 * between batches, however fast the body comes.
 */
export class GenerationStream implements AsyncIterableIterator<UpstreamEvent[], undefined> {
  readonly #body: AsyncIterator<Uint8Array>
  readonly #decoder: ReplyDecoder
  readonly #source: ErrorSource
  readonly #log: Log
  #first: IteratorResult<UpstreamEvent[], undefined> | undefined
  #over = false
  /** The batches that are read and not emitted. */
  #ready: UpstreamEvent[][] = []
  /** The bytes of the body that were read since others had their turn. */
  #readBytes = 0

  constructor(body: AsyncIterable<Uint8Array>, format: WireFormat, source: ErrorSource, log: Log) {
    this.#body = body[Symbol.asyncIterator]()
    this.#decoder = new ReplyDecoder(format, source, log)
    this.#source = source
    this.#log = log
  }

  /** Waits for the first batch, so that callers can distinguish a failure before it from one after it. */
  async begin(): Promise<void> {
    this.#first = await this.#read()
  }

  next(): Promise<IteratorResult<UpstreamEvent[], undefined>> {
    const first = this.#first
    if (first === undefined) return this.#read()
    this.#first = undefined
    return Promise.resolve(first)
  }

  async return(): Promise<IteratorResult<UpstreamEvent[], undefined>> {
    this.#first = undefined
    this.#ready = []
    if (!this.#over) {
      this.#over = true
      await this.#body.return?.()
    }
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #read(): Promise<IteratorResult<UpstreamEvent[], undefined>> {
    if (this.#ready.length > 0) {
      await pause()
      const ready = this.#ready.shift()
      if (ready) return { done: false, value: ready }
    }
    while (!this.#over) {
      const { failure, done, isLeft } = this.#decoder
      if (failure) {
        await this.return()
        throw failure
      }
      if (done) {
        this.#over = true
        void (isLeft ? this.#body.return?.() : this.#release())
        break
      }
      const chunk = await this.#nextChunk()
      if (chunk === 'lost') break
      if (this.#isLong(chunk)) await pause()
      const read = chunk.done ? this.#decoder.end() : this.#decoder.push(chunk.value)
      const events = this.#decoder.waits ? [...read, ...(await this.#decoder.readOn())] : read
      const [first, ...others] = slicesOf(events)
      this.#ready = others
      if (first) return { done: false, value: first }
    }
    return { done: true, value: undefined }
  }

  /** True if others are to have their turn before this chunk is read. */
  #isLong(chunk: IteratorResult<Uint8Array>): boolean {
    this.#readBytes += chunk.done ? 0 : chunk.value.byteLength
    if (this.#readBytes <= mostBytesAtOnce) return false
    this.#readBytes = 0
    return true
  }

  async #nextChunk(): Promise<IteratorResult<Uint8Array> | 'lost'> {
    try {
      const next = this.#body.next()
      const chunk = this.#decoder.finished ? await withinMs(next, usageMs) : await next
      if (chunk !== 'late') return chunk
      this.#over = true
      void this.#body.return?.()
      return 'lost'
    } catch (error) {
      if (this.#over) return 'lost'
      this.#over = true
      if (!this.#decoder.finished || !(error instanceof TransportError)) throw named(this.#source, error)
      // The reply was whole; only its usage may be missing.
      this.#log('debug', 'upstream.cut-after-finish', { upstream: this.#source.upstream })
      return 'lost'
    }
  }

  /** Reads the response to its end, which keeps the connection; a server that does not end it is left. */
  async #release(): Promise<void> {
    const timer = setTimeout(() => void this.#body.return?.(), releaseMs)
    try {
      while (!(await this.#body.next()).done);
    } catch {
      // The reply is complete: how its connection ends does not matter.
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Resolves with the promise's value, or with `late` after `ms` milliseconds. */
async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
