import type { UpstreamEvent } from '../../upstreams/index.ts'

/** Listens to what a model writes, so that the prompt of a later turn can have the same text. */
export class WrittenReply {
  #dialect = ''
  #pieces: string[] = []
  #isWhole = false

  /** The text of the last generation, and the dialect that it is written in; undefined if it is not all that the model wrote. */
  get text(): { dialect: string; text: string } | undefined {
    return this.#isWhole ? { dialect: this.#dialect, text: this.#pieces.join('') } : undefined
  }

  /** Yields a generation as it comes. What was heard of an earlier one is forgotten. */
  async *listen(
    dialect: string,
    generation: AsyncIterable<UpstreamEvent[]>,
  ): AsyncGenerator<UpstreamEvent[], void, undefined> {
    this.#dialect = dialect
    this.#pieces = []
    this.#isWhole = true
    for await (const batch of generation) {
      for (const event of batch) {
        if (event.type === 'text') this.#pieces.push(event.text)
        // The server has read it, and only the server knows how it was written.
        if (event.type === 'call') this.#isWhole = false
      }
      yield batch
    }
  }
}
