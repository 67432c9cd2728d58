import { charactersOf, type ReplyEvent, type Usage } from '../../conversation/index.ts'

/** The average number of characters per token in English prose and code. */
const charactersPerToken = 4

/** Counts the tokens of one request: as its upstream reports them, or else by an estimate. */
export class TokenMeter {
  /** Estimates the tokens of the prompt; set once it is known. */
  estimateInput: (() => number) | undefined
  readonly #ended: (tokens: number) => void
  #usage: Usage | undefined
  #characters = 0
  #isOver = false

  /** `ended` is called once, with the tokens of prompt and reply. */
  constructor(ended: (tokens: number) => void) {
    this.#ended = ended
  }

  /** Counts events of the reply. */
  saw(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.type === 'finish') this.#usage = event.usage
      else this.#characters += charactersOf(event)
    }
  }

  /** The request has ended; only the first call counts. A request that no upstream answered used no tokens. */
  end(hasBegun: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ended(hasBegun ? this.#tokens() : 0)
  }

  #tokens(): number {
    const { inputTokens, outputTokens } = this.#usage ?? {}
    const input = inputTokens ?? this.estimateInput?.() ?? 0
    return Math.ceil(input + (outputTokens ?? this.#characters / charactersPerToken))
  }
}
