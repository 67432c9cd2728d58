import type { ModelText, Scanner } from '../../../grammar/index.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import type { ReasoningClosers } from '../examples/reasoning-closers.ts'
import { ThoughtGuard } from '../examples/thought-guard.ts'
import type { ReplyFormat } from '../format/reply-format.ts'
import { gapPattern, longestGap, trimmedEnd } from './gap.ts'
import type { ReplyOutput } from './output.ts'

/** The inputs for reading reasoning. */
export interface ReasoningContext {
  source: ModelText
  out: ReplyOutput
  format: ReplyFormat
  /** All calls in it are of interest, not only those that end it. */
  calls: boolean
}

/** The result of reading reasoning: `call` is the place where a call begins, or may begin. */
export type ReasoningOutcome = 'more' | 'closed' | { call: number }

/** Reasoning while it is read. */
export class ReasoningInProgress {
  /** Undefined if the prompt has opened it, so that any form may close it. */
  readonly form: ReasoningForm | undefined
  readonly #context: ReasoningContext
  readonly #ends: Scanner
  readonly #closers: ReasoningClosers
  /** The reply ends in it: a call in it counts, and ends it. */
  isLeftOpen = false
  /** The call at its head does not count there: it is read like one further on. */
  isHeadRead = false
  /** True while nothing but white space came since its beginning, or since a call in it. */
  #isGap = true
  /** True after a call in it: the white space after the call separates the reasoning from the text. */
  #hasCall = false
  /** True while the line so far is blank: the text that was taken of it is no longer in hand. */
  #isBlank = true
  readonly #guard: ThoughtGuard = new ThoughtGuard()
  /** Up to here, in all of the text, examples were followed. */
  #followed = 0
  /** Up to here, in all of the text, no call is looked for. */
  #noCallsUntil = 0

  constructor(context: ReasoningContext, form: ReasoningForm | undefined) {
    const { format, calls } = context
    this.#context = context
    this.form = form
    this.#ends = format.reasoningEnds(form, calls)
    this.#closers = format.closersOf(form)
  }

  /** True while nothing of it came. */
  get isEmpty(): boolean {
    return this.#isGap
  }

  get closers(): ReasoningClosers {
    return this.#closers
  }

  read(): ReasoningOutcome {
    const { source, out, format } = this.#context
    for (;;) {
      const found = this.#ends.find(source.text, source.place, source.isFinal, this.#isBlank)
      const limit = found?.index ?? source.text.length
      const isEnd = found?.type === 'found'
      if (this.#isGap && !this.#readGap(limit, isEnd)) return 'more'
      this.#give(source.isFinal && !found ? limit : trimmedEnd(source, limit))
      if (!isEnd) return 'more'
      const closer = this.#closers.at(source.text, found.index)
      if (closer?.isOpen && !source.isFinal) return 'more'
      if (closer) {
        source.take(found.index + closer.length, 'marker')
        out.flush()
        return 'closed'
      }
      // A marker that ends the turn is no part of the reasoning, if the reply ends with it.
      const marker = format.markerLength(source, found.index)
      if (marker !== undefined && source.text.slice(found.index + marker).trim() === '') {
        if (!source.isFinal) return 'more'
        source.take(source.text.length, 'marker')
        return 'more'
      }
      if (source.offsetOf(found.index) >= this.#noCallsUntil) return { call: found.index }
      this.#give(found.index + 1)
    }
  }

  /** The text at `at` is no call: the model only mentions it. */
  passOver(at: number): void {
    this.#give(at + 1)
  }

  /** True if the text at a place is shown, not meant, as in text. */
  isExampleAt(at: number): boolean {
    const { source } = this.#context
    this.#follow(at)
    return this.#guard.inExample(source.text.slice(source.place, at).includes('\n'))
  }

  /** The run that opened the fence which is open; empty outside. */
  get openFence(): string {
    return this.#guard.openFence
  }

  /** The open fence turned out not to be one: the reply ended in it. */
  leaveFence(): void {
    this.#guard.leaveFence()
  }

  /** No call is to be looked for up to that place in all of the text. */
  ignoreCallsUntil(offset: number): void {
    this.#noCallsUntil = offset
  }

  /** Notes that a call was read at this place. */
  interrupt(): void {
    this.#isGap = true
    this.#hasCall = true
    this.#isBlank = false
    this.#guard.interrupt()
  }

  /** True if the text at a place begins a line. */
  beginsLine(at: number): boolean {
    const { source } = this.#context
    return isBlankLine(source.text.slice(source.place, at), this.#isBlank)
  }

  /** Emits the text up to `end`. */
  #give(end: number): void {
    this.#follow(end)
    const text = this.#context.source.take(end, 'reasoning')
    if (text !== '') this.#isGap = false
    this.#context.out.reasoning(text)
    this.#isBlank = isBlankLine(text, this.#isBlank)
  }

  /** Follows the text up to `end`, to know whether it shows an example. */
  #follow(end: number): void {
    const { source } = this.#context
    const from = source.place + Math.max(0, this.#followed - source.offset)
    if (from >= end) return
    this.#guard.feed(source.text.slice(from, end))
    this.#followed = source.offsetOf(end)
  }

  /**
   * Takes the white space after the marker that opens reasoning, which belongs to the marker. False if more text is
   * needed to find its end.
   */
  #readGap(limit: number, isClosed: boolean): boolean {
    const { source } = this.#context
    const blank = source.length(gapPattern)
    if (blank <= longestGap) {
      const isAlone = source.place + blank >= limit
      if (isAlone && !isClosed && !source.isFinal) return false
      if (isAlone || !this.#hasCall) {
        const taken = source.take(Math.min(source.place + blank, limit), 'marker')
        this.#isBlank = isBlankLine(taken, this.#isBlank)
      }
    }
    this.#isGap = false
    return true
  }
}

/** True if the line that a text ends in is blank; `before` is the same for the text before it. */
export function isBlankLine(text: string, before: boolean): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return line.trim() === '' && (before || line.length < text.length)
}
