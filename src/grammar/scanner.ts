/** A beginning to look for: sources of expressions for all of it, and for what may become it at the end of a text. */
export interface Sought {
  whole: string
  begun: string
  /** The characters with which it may begin; undefined when it may begin with any. */
  firstChars: readonly string[] | undefined
}

export type Found = { type: 'found' | 'held'; index: number } | undefined

/**
 * Looks for the first place where one of several things begins, or may begin with more text. Native search finds the
 * characters that they begin with; only there is more compared.
 */
export class Scanner {
  readonly #whole: RegExp
  readonly #begun: RegExp
  /** The one character that all begin with, or an expression for those they may. */
  readonly #first: string | RegExp

  constructor(sought: readonly Sought[]) {
    const any = sought.length === 0 ? ['(?!)'] : []
    this.#whole = new RegExp([...sought.map((one) => one.whole), ...any].join('|'), 'iy')
    this.#begun = new RegExp([...sought.map((one) => one.begun), ...any].join('|'), 'iy')
    const chars = new Set(sought.flatMap((one) => one.firstChars ?? []))
    const isAny = sought.some((one) => one.firstChars === undefined)
    const [only = ''] = chars
    const escaped = [...chars].map((char) => char.replace(/[\\\]^-]/g, '\\$&')).join('')
    this.#first = isAny ? /[\s\S]/g : chars.size === 1 ? only : new RegExp(`[${escaped}]`, 'g')
  }

  find(text: string, from: number, isFinal: boolean): Found {
    for (let index = this.#next(text, from); index >= 0; index = this.#next(text, index + 1)) {
      this.#whole.lastIndex = index
      if (this.#whole.test(text)) return { type: 'found', index }
      if (isFinal) continue
      this.#begun.lastIndex = index
      if (this.#begun.test(text)) return { type: 'held', index }
    }
    return undefined
  }

  #next(text: string, from: number): number {
    if (typeof this.#first === 'string') return text.indexOf(this.#first, from)
    this.#first.lastIndex = from
    return this.#first.test(text) ? this.#first.lastIndex - 1 : -1
  }
}
