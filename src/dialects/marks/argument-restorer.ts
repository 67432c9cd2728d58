import { appendTail } from '../../grammar/index.ts'
import { escapeText, unescapeJson } from '../../json/index.ts'
import { joiner } from './mark-pattern.ts'
import { MarkRestorer, type Marks } from './marks.ts'

const backslash = '\\'.charCodeAt(0)
/**
 * The length of text that is kept before the first joiner: more than any mark has before its break, with all of it
 * escaped.
 */
const kept = 64
/** A backslash and the characters after it that are not yet a complete escape. */
const begunEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/

/**
 * Restores neutralised marks in a call's arguments, which arrive as pieces of JSON text. Each string is examined
 * separately, as it was when its marks were broken: the text after it, such as the brackets that close the arguments,
 * is not part of a mark in it. Its value is examined, not its escaped form: a model that copies a result with `{"name"`
 * in it into a string writes `{\"name\"`.
 */
export class ArgumentRestorer {
  readonly #string: MarkRestorer
  /** The tail of the text before the first joiner: most arguments have no joiner, and need nothing else. */
  #before: string | undefined = ''
  #isInString = false
  /** The beginning of an escape whose rest has not come. */
  #escape = ''

  constructor(marks: Marks) {
    this.#string = new MarkRestorer(marks)
  }

  push(json: string): string {
    if (this.#before === undefined) return this.#read(json)
    const first = json.indexOf(joiner)
    if (first < 0) {
      this.#before = appendTail(this.#before, json, kept)
      return json
    }
    const given = json.slice(0, first)
    this.#enterString((this.#before + given).slice(-kept))
    this.#before = undefined
    return given + this.#read(json.slice(first))
  }

  /** Returns the part of an unclosed string that was held back. */
  end(): string {
    const cutOff = this.#escape
    this.#escape = ''
    return escapeText(this.#string.end()) + cutOff
  }

  /** Enters the string that contains a joiner: the last unescaped quote before it has opened that string. */
  #enterString(before: string): void {
    let quote = before.lastIndexOf('"')
    while (quote > 0 && isEscaped(before, quote)) quote = before.lastIndexOf('"', quote - 1)
    this.#string.push(said(before.slice(quote + 1)))
    this.#isInString = true
  }

  #read(piece: string): string {
    const json = this.#escape + piece
    this.#escape = ''
    let given = ''
    let from = 0
    for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', quote + 1)) {
      if (this.#isInString && isEscaped(json, quote, from)) continue
      const part = json.slice(from, quote)
      given += `${this.#isInString ? escapeText(this.#string.push(said(part)) + this.#string.end()) : part}"`
      this.#isInString = !this.#isInString
      from = quote + 1
    }
    const rest = json.slice(from)
    if (!this.#isInString) return given + rest
    const last = rest.lastIndexOf('\\')
    const isOpen = last >= 0 && !isEscaped(rest, last) && begunEscape.test(rest.slice(last))
    if (isOpen) this.#escape = rest.slice(last)
    return given + escapeText(this.#string.push(said(isOpen ? rest.slice(0, last) : rest)))
  }
}

/** True if the character at `at` is escaped, in a text that does not begin within an escape at `from`. */
function isEscaped(text: string, at: number, from: number = 0): boolean {
  let start = at
  while (start > from && text.charCodeAt(start - 1) === backslash) start--
  return (at - start) % 2 === 1
}

const escapes = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g

/** The value of a part of a string. The part may begin within an escape, which then stays unchanged. */
function said(json: string): string {
  return json.includes('\\') ? json.replace(escapes, (one) => unescapeJson(one)) : json
}
