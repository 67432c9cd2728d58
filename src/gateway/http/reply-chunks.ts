/** Calls `abandon` for replies that were garbage-collected, on platforms that report it. */
const forgotten: FinalizationRegistry<() => void> | undefined =
  typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((abandon) => abandon()) : undefined

/**
 * The chunks of a streamed reply. The sender reads to the end or calls `return()`; a dropped reply is abandoned when
 * its memory is collected. `abandon` must not reference the chunks, and may be called again at the end.
 */
export class ReplyChunks implements AsyncIterableIterator<string, void, undefined> {
  readonly #chunks: AsyncGenerator<string, void, undefined>
  readonly #abandon: () => void

  constructor(chunks: AsyncGenerator<string, void, undefined>, abandon: () => void) {
    this.#chunks = chunks
    this.#abandon = abandon
    forgotten?.register(this, abandon, abandon)
  }

  /**
   * Unregisters a reply that is over, by its `abandon`. Otherwise the reply and its request would stay in memory until the
   * next full garbage collection.
   */
  static over(abandon: () => void): void {
    forgotten?.unregister(abandon)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<string, void>> {
    return this.#chunks.next()
  }

  /** Abandons the reply first: returning a generator that was never started runs none of its code. */
  return(): Promise<IteratorResult<string, void>> {
    this.#abandon()
    ReplyChunks.over(this.#abandon)
    return this.#chunks.return()
  }
}
