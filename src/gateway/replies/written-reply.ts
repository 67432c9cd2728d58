import type { SearchedReply, WrittenText } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../../upstreams/index.ts'
import { mostCharacters } from './known-replies.ts'

/** Collects the text that a model writes, up to the length that is remembered, so that the prompt of a later turn can have the same text. */
export class WrittenReply {
  #dialect = ''
  #pieces: string[] = []
  #length = 0
  #isWhole = false
  #hasReasoningApart = false
  #searched: SearchedReply | undefined

  /** The text of the last generation, and the dialect that it is written in; undefined if it is not all that the model wrote, or too long. */
  get text(): WrittenText | undefined {
    if (!this.#isWhole) return undefined
    return {
      dialect: this.#dialect,
      text: this.#pieces.join(''),
      ...(this.#hasReasoningApart && { hasReasoningApart: true }),
    }
  }

  /** The searches for tools before the last generation; undefined if there were none. */
  get searchedReply(): SearchedReply | undefined {
    return this.#searched
  }

  /** Notes the searches before a reply that is complete; undefined before a reply begins. */
  searched(reply: SearchedReply | undefined): void {
    this.#searched = reply
  }

  /** A generation begins. The text of an earlier one is forgotten. */
  begin(dialect: string): void {
    this.#dialect = dialect
    this.#pieces = []
    this.#length = 0
    this.#isWhole = true
    this.#hasReasoningApart = false
  }

  /** Takes a batch of the generation. */
  pieces(events: readonly UpstreamEvent[]): void {
    for (const event of events) {
      if (event.type === 'text') this.#add(event.text)
      if (event.type === 'reasoning') this.#hasReasoningApart = true
      // The server has read it, and only the server knows how it was written.
      if (event.type === 'call') this.#isWhole = false
    }
  }

  #add(text: string): void {
    this.#length += text.length
    if (this.#length <= mostCharacters) {
      this.#pieces.push(text)
      return
    }
    this.#isWhole = false
    this.#pieces = []
  }
}
