import { MarkRestorer, type Marks } from './marks.ts'

const backslash = '\\'.charCodeAt(0)

/**
 * Puts neutralised marks back in a call's arguments, which come as pieces of JSON text. Each string is looked at by
 * itself, as it was when its marks were broken: what stands behind it, such as the brackets that close the arguments, is
 * no part of a mark in it.
 */
export class ArgumentRestorer {
  readonly #string: MarkRestorer
  #isInString = false
  /** True when the piece before ended with a backslash that escapes what follows. */
  #isEscaped = false

  constructor(marks: Marks) {
    this.#string = new MarkRestorer(marks)
  }

  push(json: string): string {
    let given = ''
    let from = 0
    for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', quote + 1)) {
      if (this.#isEscapedAt(json, quote, from)) continue
      const part = json.slice(from, quote)
      given += this.#isInString ? this.#string.push(part) + this.#string.end() : part
      given += '"'
      this.#isInString = !this.#isInString
      this.#isEscaped = false
      from = quote + 1
    }
    const rest = json.slice(from)
    this.#isEscaped = this.#isEscapedAt(json, json.length, from)
    return given + (this.#isInString ? this.#string.push(rest) : rest)
  }

  /** What is held back of a string that was not closed. */
  end(): string {
    return this.#string.end()
  }

  /** Whether what stands at `at` is escaped; `from` is where the string, or the piece, begins. */
  #isEscapedAt(json: string, at: number, from: number): boolean {
    let start = at
    while (start > from && json.charCodeAt(start - 1) === backslash) start--
    return ((at - start) % 2 === 1) !== (start === 0 && this.#isEscaped)
  }
}
