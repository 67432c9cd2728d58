import type { ModelText } from '../grammar/index.ts'
import type { AnswerTags } from './format.ts'
import { nameChar } from './reasoning-closers.ts'
import type { ReasoningForm } from './reasoning-forms.ts'
import type { ReplyFormat } from './reply-format.ts'
import type { Meeting, ReplyText } from './reply-text.ts'

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
  /** The tags that the text behind the reasoning stands in. */
  #answer: AnswerTags | undefined

  constructor(source: ModelText, format: ReplyFormat, text: ReplyText) {
    this.#source = source
    this.#format = format
    this.#text = text
  }

  /** The marker that was met, unless it begins a call; `calls` says that calls count. */
  find({ at, atLine }: Meeting, calls: boolean): MarkerAround | 'more' | undefined {
    const { text } = this.#source
    const form = this.#format.formAt(text, at)
    if (form?.kind === 'tag' && !atLine && !gluing.test(this.#text.last)) return undefined
    const length = form?.open.length ?? this.lengthAt(at)
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

  /** The length of the marker around text at a place. */
  lengthAt(at: number): number | undefined {
    const rest = this.#source.text.slice(at, at + 64).toLowerCase()
    const answer = this.#answerLength(rest)
    if (answer !== undefined) return answer
    const isHead = this.#text.gap === 'start' || this.#text.gap === 'reasoning'
    return this.#format.strayCloserLength(rest, isHead) ?? this.#format.markerLength(this.#source, at)
  }

  /** The length of a tag around the answer: of one that opens it right behind the reasoning, or of the one that closes it. */
  #answerLength(rest: string): number | undefined {
    if (this.#answer && rest.startsWith(this.#answer.close)) return this.#answer.close.length
    if (this.#text.gap !== 'reasoning') return undefined
    const opened = this.#format.answers.find(({ open }) => rest.startsWith(open))
    if (opened) this.#answer = opened
    return opened?.open.length
  }

  /** True unless a name goes on behind what looks like a marker that ends at a place: `>>>allocate` is not `>>>all`. */
  #isWhole(end: number): boolean | 'more' {
    const { text, isFinal } = this.#source
    if (!nameChar.test(text[end - 1] ?? '')) return true
    if (end === text.length && !isFinal) return 'more'
    return !nameChar.test(text[end] ?? '')
  }
}
