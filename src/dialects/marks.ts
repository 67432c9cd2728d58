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
  readonly #tails: readonly string[]
  readonly #longest: number

  static readonly #made = new Map<string, Marks>()

  /** The marks given, made once: a conversation asks for its own many times. The oldest are forgotten. */
  static of(marks: readonly string[]): Marks {
    const key = marks.join('\n')
    const known = Marks.#made.get(key)
    if (known) return known
    const made = new Marks(marks)
    if (Marks.#made.size >= rememberedMarks)
      for (const oldest of Marks.#made.keys()) {
        Marks.#made.delete(oldest)
        break
      }
    Marks.#made.set(key, made)
    return made
  }

  /** `marks` are literals that begin with `<`, matched in any case: `<invoke`, `</invoke`. */
  constructor(marks: readonly string[]) {
    this.#tails = marks.map((mark) => mark.slice(1).toLowerCase())
    this.#longest = Math.max(0, ...this.#tails.map((tail) => tail.length))
    const tails = this.#tails.map((tail) => tail.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
    this.#found = new RegExp(`<(?=${joiner}*(?:${tails}))`, 'gi')
    this.#neutralised = new RegExp(`<${joiner}(?=${joiner}*(?:${tails}))`, 'gi')
  }

  /** Text in which no mark stands. */
  neutralise(text: string): string {
    return text.replace(this.#found, `<${joiner}`)
  }

  /** The text that was neutralised; undoes `neutralise`, and leaves any other text alone. */
  restore(text: string): string {
    return text.includes(joiner) ? text.replace(this.#neutralised, '<') : text
  }

  /**
   * How much of the end of `text` may be the beginning of a neutralised mark: so much must wait for what follows.
   * At most the longest mark and the joiners before it.
   */
  held(text: string): number {
    const start = text.lastIndexOf('<')
    if (start < 0) return 0
    let place = start + 1
    while (text[place] === joiner) place++
    const rest = text.length - place
    if (rest > this.#longest) return 0
    if (rest === 0) return text.length - start
    if (place === start + 1) return 0
    const begun = text.slice(place).toLowerCase()
    return this.#tails.some((tail) => tail.startsWith(begun)) ? text.length - start : 0
  }
}

/** Restores a text that comes in pieces. */
export class MarkRestorer {
  readonly #marks: Marks
  #held = ''

  constructor(marks: Marks) {
    this.#marks = marks
  }

  push(piece: string): string {
    const text = this.#held + piece
    const held = this.#marks.held(text)
    this.#held = held === 0 ? '' : text.slice(text.length - held)
    return this.#marks.restore(held === 0 ? text : text.slice(0, text.length - held))
  }

  end(): string {
    const text = this.#held
    this.#held = ''
    return this.#marks.restore(text)
  }
}
