import { escapePattern, LazyRegExp } from '../../../grammar/index.ts'
import { isOfWords, type ReasoningForm } from '../../format/reasoning-forms.ts'

/** The markers of a format's forms of reasoning. They are looked for at each marker in text, so lists are made once. */
export class ReasoningMarks {
  readonly #forms: readonly (readonly [opener: string, form: ReasoningForm])[]
  /** Most markers open no reasoning: one expression tells. */
  readonly #openers: LazyRegExp
  /** The closing markers that count although no reasoning is open, in lower case: only those of special tokens, or tags as well. */
  readonly #special: readonly string[]
  readonly #strays: readonly string[]
  readonly #headers: readonly string[]
  readonly #closers: readonly string[]

  /** `closers`: those of reasoning without an opening marker. */
  constructor(forms: readonly ReasoningForm[], closers: readonly string[] = []) {
    const closersOf = (counts: (form: ReasoningForm) => boolean) => [
      ...new Set(forms.flatMap((form) => (counts(form) ? form.close : []))),
    ]
    const lowerCase = (text: string) => text.toLowerCase()
    this.#forms = forms.map((form) => [form.open.toLowerCase(), form])
    this.#openers = new LazyRegExp(() => forms.map(({ open }) => escapePattern(open)).join('|') || '(?!)', 'iy')
    this.#special = closersOf(({ kind }) => kind === 'special').map(lowerCase)
    this.#strays = closersOf(({ kind }) => kind === 'special' || kind === 'tag').map(lowerCase)
    this.#headers = closersOf(({ kind }) => kind === 'header')
    // Words that any reasoning may contain close only reasoning that such words opened.
    this.#closers = [...closersOf((form) => !isOfWords(form)), ...closers]
  }

  /** The markers that count in text. */
  get inText(): string[] {
    return this.#forms.flatMap(([, { open, close, kind }]) => (kind === 'words' ? [] : [open, ...close]))
  }

  /** The words that open reasoning at the beginning of a reply. */
  get words(): string[] {
    return this.#forms.flatMap(([, { open, kind }]) => (kind === 'words' ? [open] : []))
  }

  /** The closing markers of one form, or of any form without one. */
  closers(form: ReasoningForm | undefined): readonly string[] {
    return form?.close ?? this.#closers
  }

  /** The form of reasoning whose opening marker is at `at`. */
  formAt(text: string, at: number): ReasoningForm | undefined {
    if (!this.#openers.testAt(text, at)) return undefined
    const rest = text.slice(at, at + 64).toLowerCase()
    return this.#forms.find(([opener]) => rest.startsWith(opener))?.[1]
  }

  /**
   * The length of a marker that closes reasoning although none is open, at the beginning of `rest`, which is in lower
   * case. `tags`: tags count as well.
   */
  strayCloserLength(rest: string, tags: boolean): number | undefined {
    return (tags ? this.#strays : this.#special).find((closer) => rest.startsWith(closer))?.length
  }

  /** Returns the length of a header at the beginning of a message, in exactly these letters. */
  headerLength(text: string, at: number): number | undefined {
    return this.#headers.find((one) => text.startsWith(one, at))?.length
  }
}
