/** U+2060: no width, no break, and so rare that no tokenizer hides it in a longer token. */
const joiner = '\u2060'

/** How many conversations' marks are kept. */
const rememberedMarks = 1000

/**
 * Keeps a dialect's marks out of text that is not the dialect's: behind the `<` of a mark goes a word joiner, one more
 * than stands there already. So it can be undone exactly, whatever the text held, and nothing is ever deleted.
 */
export class Marks {
  readonly #found: RegExp
  readonly #neutralised: RegExp
  readonly #begun: RegExp

  static readonly #made = new Map<string, Marks>()

  /** The marks given, made once: a conversation asks for its own many times. The oldest are forgotten. */
  static of(marks: readonly string[]): Marks {
    const key = marks.join('\n')
    const known = Marks.#made.get(key)
    if (known) return known
    const made = new Marks(marks)
    const [oldest] = Marks.#made.keys()
    if (oldest !== undefined && Marks.#made.size >= rememberedMarks) Marks.#made.delete(oldest)
    Marks.#made.set(key, made)
    return made
  }

  /** `marks` are literals that contain a `<`, matched in any case: `<invoke`, `</invoke`, `<<CALL_9f3a27c1>>`. */
  constructor(marks: readonly string[]) {
    // A mark is broken behind its last `<`: then no mark's break stands within another mark.
    const tails = marks.map((mark) => mark.slice(mark.lastIndexOf('<') + 1))
    const any = tails.map(escapePattern).join('|')
    this.#found = new RegExp(`<(?=${joiner}*(?:${any}))`, 'gi')
    this.#neutralised = new RegExp(`<${joiner}(?=${joiner}*(?:${any}))`, 'gi')
    this.#begun = new RegExp(`<${joiner}+(?:${tails.map(beginningPattern).join('|')})$`, 'i')
  }

  /** Text in which no mark stands. */
  neutralise(text: string): string {
    return text.replace(this.#found, `<${joiner}`)
  }

  /** The text that was neutralised; undoes `neutralise`, and leaves any other text alone. */
  restore(text: string): string {
    return text.includes(joiner) ? text.replace(this.#neutralised, '<') : text
  }

  /** The end of `text` that may be the beginning of a neutralised mark, from its `<` on; empty when there is none. */
  begunMark(text: string): string {
    return text.includes(joiner) ? (this.#begun.exec(text)?.[0] ?? '') : ''
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

function escapePattern(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A pattern for every beginning of a literal but all of it: `ab` gives `(?:a)?`. */
function beginningPattern(literal: string): string {
  return [...literal.slice(0, -1)].reduceRight((rest, char) => `(?:${escapePattern(char)}${rest})?`, '')
}
