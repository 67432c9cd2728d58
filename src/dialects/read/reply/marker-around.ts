import { type ModelText, nameChar } from '../../../grammar/index.ts'
import type { AnswerTags } from '../../format/format.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import type { ReplyFormat } from '../format/reply-format.ts'
import { longestGap } from './gap.ts'
import type { Match, ReplyText } from './text.ts'

/** A tag of reasoning may be glued to the end of a sentence. */
const gluing = /[\p{L}\p{N}.!?:;\u3002\uff01\uff1f]/u

/** A marker around text or, with its form, one that opens reasoning. */
export interface MarkerAround {
  end: number
  form: ReasoningForm | undefined
}

/** Finds the markers in text that are no calls'. */
export class MarkersAround {
  readonly #source: ModelText
  readonly #format: ReplyFormat
  readonly #text: ReplyText
  /** The tags around the text after the reasoning. */
  #answer: AnswerTags | undefined
  /** Reasoning was read. */
  #sawReasoning = false
  /** Matches the closing marker of the open message to the user. */
  #userMessageEnd: RegExp | undefined

  constructor(source: ModelText, format: ReplyFormat, text: ReplyText) {
    this.#source = source
    this.#format = format
    this.#text = text
  }

  /** Reasoning is over. */
  endReasoning(): void {
    this.#sawReasoning = true
  }

  /** Notes a marker that was passed: it may open or close a message to the user. */
  passed(marker: string): void {
    if (this.#userMessageEnd?.test(marker)) this.#userMessageEnd = undefined
    else this.#userMessageEnd ??= this.#format.closerOfUserMessage(marker)
  }

  /** True in a message to the user: no call counts in it. */
  get inUserMessage(): boolean {
    return this.#userMessageEnd !== undefined
  }

  /** Finds the marker at a match, unless it begins a call; `calls`: calls count. */
  find({ at, atLine }: Match, calls: boolean): MarkerAround | 'more' | undefined {
    const { text } = this.#source
    const form = this.#format.reasoning.formAt(text, at)
    if (form?.kind === 'words' && this.#text.gap !== 'start') return undefined
    if (form?.kind === 'header') {
      const isHeader = this.#isHeader(at, form.open)
      if (isHeader !== true) return isHeader || undefined
    }
    const isApart = atLine || gluing.test(this.#text.last)
    if (form?.kind === 'tag' && !isApart) {
      const isHeading = this.#isHeading(at + form.open.length)
      if (isHeading !== true) return isHeading || undefined
    }
    const length = form?.open.length ?? this.lengthAt(at, isApart)
    if (length === undefined) return undefined
    const callLength = calls ? this.#format.callMarkerLength(text, at) : 0
    if (callLength > 0) {
      // A message that is a call begins like any other.
      if (!form && length <= callLength) return undefined
      const isWhole = this.#isWhole(at + length)
      if (isWhole !== true) return isWhole || undefined
    }
    return { end: at + length, form }
  }

  /**
   * The marker with which a reply ends: it closes the text even if a quotation or code is still open, for which an
   * apostrophe or an inch mark is enough (`It is 'so'</reply>`). If more text follows, the text only shows the marker.
   */
  last(at: number): MarkerAround | 'more' | undefined {
    const { text, isFinal } = this.#source
    const length = this.#format.markerLength(this.#source, at)
    if (length === undefined) return undefined
    const after = text.slice(at + length, at + length + longestGap + 1)
    if (after.length > longestGap || after.trim() !== '') return undefined
    return isFinal ? { end: at + length, form: undefined } : 'more'
  }

  /** A header at which a message begins, joined with the first word: not a word by itself. */
  #isHeader(at: number, open: string): boolean | 'more' {
    const { text, isFinal } = this.#source
    const { gap } = this.#text
    if ((gap !== 'start' && gap !== 'call') || !text.startsWith(open, at)) return false
    const after = text[at + open.length]
    return after === undefined ? isFinal || 'more' : !/[\p{Ll}\s\p{Pd}.,;:!?_)\]}='\u2019]/u.test(after)
  }

  /** A tag that ends the first line of a reply opens its reasoning after a few words as well. */
  #isHeading(end: number): boolean | 'more' {
    const { text, isFinal } = this.#source
    if (this.#sawReasoning || !this.#text.isFirstLine) return false
    return end < text.length || isFinal ? text[end] === '\n' : 'more'
  }

  /**
   * The length of the marker around text at a place; `isApart`: it begins a line, or directly follows the end of a
   * sentence.
   */
  lengthAt(at: number, isApart: boolean = false): number | undefined {
    const rest = this.#source.text.slice(at, at + 64).toLowerCase()
    const answer = this.#answerLength(rest)
    if (answer !== undefined) return answer
    // After a turn's end or a call, a model that goes on begins another turn.
    const turnStart = this.#text.gap ? this.#format.turnStartLength(this.#source, at) : undefined
    if (turnStart !== undefined) return turnStart
    const begun = this.#text.isAtHead ? this.#format.begunMarkerLength(this.#source, at) : undefined
    if (begun !== undefined) return begun
    const isHead = this.#text.gap === 'start' || this.#text.gap === 'reasoning'
    const header = isHead ? this.#format.reasoning.headerLength(this.#source.text, at) : undefined
    if (header !== undefined) return header
    // Nothing came before it, so the prompt may have opened the reasoning that it closes; or it repeats a closing
    // marker.
    const isStray = this.#text.gap === 'start' || this.#text.gap === 'reasoning' || (isApart && this.#sawReasoning)
    return this.#format.reasoning.strayCloserLength(rest, isStray) ?? this.#format.markerLength(this.#source, at)
  }

  /**
   * The length of a tag around the answer: of one that opens it directly after the reasoning, or of the one that closes
   * it.
   */
  #answerLength(rest: string): number | undefined {
    if (this.#answer && rest.startsWith(this.#answer.close)) return this.#answer.close.length
    if (this.#text.gap !== 'reasoning') return undefined
    const opened = this.#format.answers.find(({ open }) => rest.startsWith(open))
    if (opened) this.#answer = opened
    return opened?.open.length
  }

  /**
   * True unless a name continues after what looks like a marker that ends at a place: `>>>allocate` is not `>>>all`.
   */
  #isWhole(end: number): boolean | 'more' {
    const { text, isFinal } = this.#source
    if (!nameChar.test(text[end - 1] ?? '')) return true
    if (end === text.length && !isFinal) return 'more'
    return !nameChar.test(text[end] ?? '')
  }
}
