import type { IncomingMessage } from 'node:http'
import { AnycallError } from '../../conversation/index.ts'

type Chunk = IteratorResult<Uint8Array, undefined>

const changes = ['readable', 'end', 'close'] as const
const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The chunks of a request's body. Unlike the message's own iterator, it can be left early without closing the connection. No generator,
 * as most bodies come in one chunk: that takes four promises in place of ten.
 */
export class IncomingBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #incoming: IncomingMessage
  #isBegun = false
  #isOver = false
  #waiting: { resolve: (chunk: Chunk) => void; reject: (error: Error) => void } | undefined

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Chunk> {
    return new Promise((resolve, reject) => {
      this.#begin()
      this.#waiting = { resolve, reject }
      this.#read()
    })
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#leave()
    this.#read()
    return Promise.resolve(over)
  }

  /** Throws if the message was read by somebody else. */
  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    for (const change of changes) this.#incoming.on(change, this.#read)
    if (!this.#incoming.readableDidRead) return
    this.#leave()
    throw new AnycallError(
      'internal',
      'The body of the request was read before it came to the gateway. Mount the gateway before body parsers such as express.json().',
    )
  }

  /** Gives who waits the next chunk or the end, if one of them is there. */
  readonly #read = (): void => {
    const waiting = this.#waiting
    if (!waiting) return
    if (this.#isOver) {
      this.#waiting = undefined
      waiting.resolve(over)
      return
    }
    const incoming = this.#incoming
    const value: Uint8Array | null = incoming.read()
    if (value === null && !incoming.readableEnded && !incoming.destroyed) return
    this.#waiting = undefined
    if (value !== null) {
      waiting.resolve({ done: false, value })
      return
    }
    this.#leave()
    if (incoming.readableEnded) waiting.resolve(over)
    else waiting.reject(incoming.errored ?? new Error('the connection was closed'))
  }

  #leave(): void {
    this.#isOver = true
    // A body that was left is not read to its end while there is a listener for `readable`.
    for (const change of changes) this.#incoming.off(change, this.#read)
  }
}
