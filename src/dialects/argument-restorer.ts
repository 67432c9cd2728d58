import { joiner } from './mark-pattern.ts'
import { MarkRestorer, type Marks } from './marks.ts'

const backslash = '\\'.charCodeAt(0)
/** What is kept of the text before the first joiner: more than any mark has before its break. */
const kept = 64

/**
 * Puts neutralised marks back in a call's arguments, which come as pieces of JSON text. Each string is looked at by
 * itself, as it was when its marks were broken: what stands behind it, such as the brackets that close the arguments, is
 * no part of a mark in it.
 */
export class ArgumentRestorer {
  readonly #string: MarkRestorer
  /** The end of what came before the first joiner: most arguments have none, and need no more than that. */
  #before: string | undefined = ''
  #isInString = false
  /** True when what came ends with a backslash that escapes what follows. */
  #isEscaped = false

  constructor(marks: Marks) {
    this.#string = new MarkRestorer(marks)
  }

  push(json: string): string {
    if (this.#before === undefined) return this.#read(json)
    const first = json.indexOf(joiner)
    if (first < 0) {
      this.#before = (json.length > kept ? json : this.#before + json).slice(-kept)
      return json
    }
    const given = json.slice(0, first)
    this.#enterString((this.#before + given).slice(-kept))
    this.#before = undefined
    return given + this.#read(json.slice(first))
  }

  /** What is held back of a string that was not closed. */
  end(): string {
    return this.#string.end()
  }

  /** A joiner stands in a string: the last quote before it that is not escaped has opened that. */
  #enterString(before: string): void {
    let quote = before.lastIndexOf('"')
    while (quote > 0 && isEscaped(before, quote, false)) quote = before.lastIndexOf('"', quote - 1)
    this.#string.push(before.slice(quote + 1))
    this.#isInString = true
    this.#isEscaped = isEscaped(before, before.length, false)
  }

  #read(json: string): string {
    let given = ''
    let from = 0
    for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', quote + 1)) {
      if (isEscaped(json, quote, this.#isEscaped)) continue
      const part = json.slice(from, quote)
      given += `${this.#isInString ? this.#string.push(part) + this.#string.end() : part}"`
      this.#isInString = !this.#isInString
      from = quote + 1
    }
    this.#isEscaped = isEscaped(json, json.length, this.#isEscaped)
    const rest = json.slice(from)
    return given + (this.#isInString ? this.#string.push(rest) : rest)
  }
}

/** Whether what stands at `at` is escaped; `before` says it of where the text begins. */
function isEscaped(text: string, at: number, before: boolean): boolean {
  let start = at
  while (start > 0 && text.charCodeAt(start - 1) === backslash) start--
  return ((at - start) % 2 === 1) !== (start === 0 && before)
}
