import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { Reader, ReadReport } from '../../dialects/index.ts'

/**
 * Notices an engine that leaves the special tokens out of its text (vLLM and SGLang do by default): a call was read,
 * but its text contains none of the model's markers. Calls without their markers are usually still read, but not
 * always, and reasoning without its markers is text.
 */
export class MarkerWatch implements Reader {
  readonly #reader: Reader
  readonly #markers: readonly string[]
  readonly #longest: number
  #tail: string
  #isOver: boolean

  /** `begun` is the part of the reply that the prompt has begun. */
  constructor(reader: Reader, markers: readonly string[], begun: string) {
    this.#reader = reader
    this.#markers = markers
    this.#longest = Math.max(0, ...markers.map(({ length }) => length))
    this.#tail = begun
    this.#isOver = markers.length === 0
  }

  push(text: string): ReplyEvent[] {
    if (this.#isOver) return this.#reader.push(text)
    const seen = this.#tail + text
    this.#isOver = this.#markers.some((marker) => seen.includes(marker))
    this.#tail = seen.slice(1 - this.#longest)
    return this.#judge(this.#reader.push(text))
  }

  end(reason: FinishReason): ReplyEvent[] {
    return this.#judge(this.#reader.end(reason))
  }

  get openCallAt(): number | undefined {
    return this.#reader.openCallAt
  }

  get report(): ReadReport {
    return this.#reader.report
  }

  #judge(events: ReplyEvent[]): ReplyEvent[] {
    if (this.#isOver || !events.some(({ type }) => type === 'call-start')) return events
    this.#isOver = true
    return [dropped, ...events]
  }
}

const dropped: ReplyEvent = {
  type: 'notice',
  notice: {
    code: 'special-tokens-dropped',
    message:
      'The model called without the markers of its template: the engine seems to leave special tokens out of its text. Have it show them (skip_special_tokens: false).',
  },
}
