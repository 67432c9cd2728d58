import { escapePattern } from './model-text.ts'

/** U+2060: no width, no break, and so rare that no tokenizer hides it in a longer token. */
const joiner = '\u2060'

/**
 * Keeps a dialect's marks out of text that is not the dialect's: behind the `<` of a mark goes a word joiner, one more
 * than stands there already. So it can be undone exactly, whatever the text held, and nothing is ever deleted.
 */
export class Marks {
  readonly #tails: readonly string[]
  readonly #base: Marks | undefined
  #found: RegExp | undefined
  #neutralised: RegExp | undefined
  #begun: RegExp | undefined

  /** `marks` are literals that contain a `<`, matched in any case: `<invoke`, `</invoke`, `<<CALL_9f3a27c1>>`. */
  constructor(marks: readonly string[], base?: Marks) {
    // A mark is broken behind its last `<`: then no mark's break stands within another mark.
    this.#tails = marks.map((mark) => mark.slice(mark.lastIndexOf('<') + 1))
    this.#base = base
  }

  /**
   * These marks and one more, that of one conversation. Its expressions are made only when a text holds it, which is
   * next to never: making them for each conversation costs more than all else that a reader sets up (0.05 ms).
   */
  with(mark: string): Marks {
    return new Marks([mark], this)
  }

  /** Text in which no mark stands. */
  neutralise(text: string): string {
    const based = this.#base ? this.#base.neutralise(text) : text
    if (this.#base && !this.#holds(based)) return based
    this.#found ??= new RegExp(`<(?=${joiner}*(?:${this.#any}))`, 'gi')
    return based.replace(this.#found, `<${joiner}`)
  }

  /** The text that was neutralised; undoes `neutralise`, and leaves any other text alone. */
  restore(text: string): string {
    if (!text.includes(joiner)) return text
    this.#neutralised ??= new RegExp(`<${joiner}(?=${joiner}*(?:${this.#any}))`, 'gi')
    const restored = text.replace(this.#neutralised, '<')
    return this.#base ? this.#base.restore(restored) : restored
  }

  /** The end of `text` that may be the beginning of a neutralised mark, from its `<` on; empty when there is none. */
  begunMark(text: string): string {
    if (!text.includes(joiner)) return ''
    this.#begun ??= new RegExp(`<${joiner}+(?:${this.#tails.map(beginningPattern).join('|')})$`, 'i')
    return this.#begun.exec(text)?.[0] ?? this.#base?.begunMark(text) ?? ''
  }

  get #any(): string {
    return this.#tails.map(escapePattern).join('|')
  }

  #holds(text: string): boolean {
    const lower = text.toLowerCase()
    return this.#tails.some((tail) => lower.includes(tail.toLowerCase()))
  }
}

/** Restores a text that comes in pieces. */
export class MarkRestorer {
  readonly #marks: Marks
  /** What may be the beginning of a neutralised mark, with one joiner: the rest of its joiners are out already. */
  #held = ''
  /** True when the last character given out is a `<`, so that a joiner may follow it. */
  #isOpen = false

  constructor(marks: Marks) {
    this.#marks = marks
  }

  push(piece: string): string {
    if (piece === '') return ''
    // The `<` that is out stands in for itself while what follows it is looked at.
    const before = this.#isOpen ? '<' : ''
    const text = before + this.#held + piece
    const begun = this.#marks.begunMark(text)
    const joiners = /^<(\u2060*)/.exec(begun)?.[1]?.length ?? 0
    this.#isOpen = begun !== '' || text.endsWith('<')
    this.#held = begun === '' ? '' : joiner + begun.slice(joiners + 1)
    const given = begun === '' ? text : `${text.slice(0, -begun.length)}<${joiner.repeat(joiners - 1)}`
    return this.#marks.restore(given).slice(before.length)
  }

  end(): string {
    const text = this.#held
    this.#held = ''
    this.#isOpen = false
    return text
  }
}

/** A pattern for every beginning of a literal but all of it: `ab` gives `(?:a)?`. */
function beginningPattern(literal: string): string {
  return [...literal.slice(0, -1)].reduceRight((rest, char) => `(?:${escapePattern(char)}${rest})?`, '')
}
