import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { Reader } from '../../dialects/index.ts'

/**
 * Reads a reply that may begin with reasoning although no marker opens it: all text is kept until the closing marker
 * comes. Prompts begin the reasoning of such models, so their replies need no such reader.
 */
export class UndelimitedReader implements Reader {
  readonly #open: (isInReasoning: boolean) => Reader
  readonly #close: string
  readonly #pieces: string[] = []
  /** The end of the kept text, in which the marker may have begun. */
  #tail = ''
  #reader: Reader | undefined

  constructor(close: string, open: (isInReasoning: boolean) => Reader) {
    this.#close = close
    this.#open = open
  }

  push(text: string): ReplyEvent[] {
    if (this.#reader) return this.#reader.push(text)
    this.#pieces.push(text)
    const seen = this.#tail + text
    this.#tail = seen.slice(1 - this.#close.length)
    return seen.includes(this.#close) ? this.#begin(true) : []
  }

  end(reason: FinishReason): ReplyEvent[] {
    const events = this.#reader ? [] : this.#begin(false)
    return [...events, ...(this.#reader?.end(reason) ?? [])]
  }

  get openCallAt(): number | undefined {
    return this.#reader?.openCallAt
  }

  get report(): Reader['report'] {
    return (this.#reader ?? this.#open(false)).report
  }

  #begin(isInReasoning: boolean): ReplyEvent[] {
    this.#reader = this.#open(isInReasoning)
    return this.#reader.push(this.#pieces.join(''))
  }
}
