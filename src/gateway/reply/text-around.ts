import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { Reader, ReadReport } from '../../dialects/index.ts'

/** A stretch of text beside the calls that an upstream makes itself: before, between or after them. */
export class TextAround {
  readonly #reader: Reader
  #isBlank: boolean
  #isOver = false
  /** Characters that came, and that were emitted as text. */
  #pushed = 0
  #given = 0
  #hasCalls = false

  /** `isBlank` is false for a reader that has read more than white space already. */
  constructor(reader: Reader, isBlank = true) {
    this.#reader = reader
    this.#isBlank = isBlank
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls leaked into it. */
  get hasCalls(): boolean {
    return this.#hasCalls
  }

  get report(): ReadReport {
    return this.#reader.report
  }

  /** Some of the text was not emitted yet, and is no part of a call that is being read. */
  get isHolding(): boolean {
    return this.#pushed > this.#given && this.#reader.openCallAt === undefined
  }

  push(text: string): ReplyEvent[] {
    if (text.trim() !== '') this.#isBlank = false
    const events = this.#reader.push(text)
    this.#pushed += text.length
    for (const event of events) if (event.type === 'text') this.#given += event.text.length
    return events
  }

  /** Ends the text. White space beside calls is dropped, and so is the line break before a call, as it is if calls are text. */
  end(
    reason: FinishReason,
    { isBeforeCall, isBesideCalls }: { isBeforeCall: boolean; isBesideCalls: boolean },
  ): ReplyEvent[] {
    this.#isOver = true
    const events = this.#reader.end(reason).filter((event) => {
      if (event.type !== 'finish') return true
      this.#hasCalls = event.reason === 'calls'
      return false
    })
    if (this.#isBlank && isBesideCalls) return events.filter(({ type }) => type !== 'text')
    return isBeforeCall ? withoutLastBreak(events) : events
  }
}

/** Removes the line break at the end: the reader holds it back until more text follows. */
function withoutLastBreak(events: ReplyEvent[]): ReplyEvent[] {
  const last = events.at(-1)
  if (last?.type !== 'text' || !last.text.endsWith('\n')) return events
  const kept = last.text.slice(0, -1)
  return kept === '' ? events.slice(0, -1) : [...events.slice(0, -1), { ...last, text: kept }]
}
