/** The source of a regular expression while it is parsed. */
export class RegexSource {
  readonly #text: string
  readonly #isUnicode: boolean
  #at = 0

  /** `isUnicode`: it is read by code points, not by code units. */
  constructor(text: string, isUnicode: boolean) {
    this.#text = text
    this.#isUnicode = isUnicode
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  peek(): string {
    return this.#text[this.#at] ?? ''
  }

  take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  takeMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at
    const match = sticky.exec(this.#text)
    if (match) this.#at += match[0].length
    return match ?? undefined
  }

  looksAt(sticky: RegExp): boolean {
    sticky.lastIndex = this.#at
    return sticky.test(this.#text)
  }

  /** A code unit, or a code point. */
  next(): string {
    const code = this.#isUnicode ? this.#text.codePointAt(this.#at) : this.#text.charCodeAt(this.#at)
    if (code === undefined || Number.isNaN(code)) this.fail('it ends too early')
    const char = String.fromCodePoint(code)
    this.#at += char.length
    return char
  }

  fail(why: string): never {
    throw new SyntaxError(`The expression /${this.#text}/ cannot be parsed: ${why}, at ${this.#at}.`)
  }
}
