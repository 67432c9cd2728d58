import { TemplateFault } from './error.ts'
import { unescapePython } from './escapes.ts'
import { trimEnd } from './whitespace.ts'

/** A piece of a template: text between the tags, or a token within one. */
export type Token =
  | { type: 'data'; text: string; line: number }
  | { type: 'begin' | 'end'; tag: 'block' | 'variable'; line: number }
  | { type: 'name' | 'operator'; text: string; line: number }
  | { type: 'string'; text: string; line: number }
  | { type: 'integer'; value: number | bigint; line: number }
  | { type: 'float'; value: number; line: number }
  | { type: 'eof'; line: number }

const openings = /\{%|\{\{|\{#/g
const rawBegin = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y
const rawEnd = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g
const commentEnd = /\+#\}|-#\}\s*|#\}\n?/g
const blockEnd = /\+%\}|-%\}\s*|%\}\n?/y
const variableEnd = /-\}\}\s*|\}\}/y
const space = /\s+/y
const float = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[-+]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy
const name = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy
const string = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y

const closes: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/**
 * Splits a template as Jinja does with `trim_blocks` and `lstrip_blocks`: the line break after a block or a comment goes, and so does white
 * space between the beginning of a line and one; `-` in a tag takes all white space on that side, `+` keeps it.
 */
export class Lexer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #at = 0
  #line = 1
  /** True if the tag before ended with its line. */
  #atLineStart = true

  constructor(source: string) {
    const text = source.replace(/\r\n|\r/g, '\n')
    this.#source = text.endsWith('\n') ? text.slice(0, -1) : text
  }

  tokens(): Token[] {
    while (this.#at < this.#source.length) {
      openings.lastIndex = this.#at
      const opening = openings.exec(this.#source)
      if (!opening) {
        this.#data(this.#source.slice(this.#at))
        break
      }
      this.#tag(opening[0], opening.index)
    }
    this.#tokens.push({ type: 'eof', line: this.#line })
    return this.#tokens
  }

  #tag(opening: string, start: number): void {
    const raw = opening === '{%' ? this.#match(rawBegin, start) : undefined
    const sign = this.#source[start + 2]
    let text = this.#source.slice(this.#at, start)
    const lines = countLines(text)
    if (sign === '-') text = trimEnd(text)
    else if (sign !== '+' && opening !== '{{') text = this.#withoutIndent(text)
    this.#data(text, lines)
    const hasSign = sign === '-' || sign === '+'
    this.#at = start + (hasSign ? 3 : 2)
    if (raw !== undefined) this.#raw(start + raw.length, raw)
    else if (opening === '{#') this.#comment()
    else this.#inside(opening === '{%' ? 'block' : 'variable')
  }

  #withoutIndent(text: string): string {
    const lineStart = text.lastIndexOf('\n') + 1
    if (lineStart === 0 && !this.#atLineStart) return text
    return /^\s*$/.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text
  }

  #comment(): void {
    commentEnd.lastIndex = this.#at
    const end = commentEnd.exec(this.#source)
    if (!end) throw new TemplateFault('syntax', 'Missing end of comment tag', this.#line)
    this.#leave(this.#source.slice(this.#at, end.index + end[0].length))
  }

  #raw(at: number, opening: string): void {
    this.#line += countLines(opening)
    rawEnd.lastIndex = at
    const end = rawEnd.exec(this.#source)
    if (!end) throw new TemplateFault('syntax', 'Missing end of raw directive', this.#line)
    this.#at = at
    this.#atLineStart = opening.endsWith('\n')
    const text = this.#source.slice(at, end.index)
    const kept = end[1] === '-' ? trimEnd(text) : end[1] === '+' ? text : this.#withoutIndent(text)
    this.#data(kept, countLines(text))
    this.#at = end.index
    this.#leave(end[0])
  }

  #inside(tag: 'block' | 'variable'): void {
    this.#tokens.push({ type: 'begin', tag, line: this.#line })
    const end = tag === 'block' ? blockEnd : variableEnd
    const open: string[] = []
    while (this.#at < this.#source.length) {
      const closed = open.length === 0 ? this.#match(end, this.#at) : undefined
      if (closed !== undefined) {
        this.#tokens.push({ type: 'end', tag, line: this.#line })
        this.#leave(closed)
        return
      }
      this.#token(open)
    }
    throw new TemplateFault('syntax', `unexpected end of template, expected the end of a ${tag} tag`, this.#line)
  }

  #token(open: string[]): void {
    const at = this.#at
    const line = this.#line
    const skipped = this.#match(space, at)
    if (skipped !== undefined) {
      this.#leave(skipped)
      return
    }
    // Only text that begins with a digit can be a number.
    const isNumber = /\d/.test(this.#source[at] ?? '')
    const text =
      (isNumber
        ? (this.#number(float, (digits) => ({ type: 'float', value: Number(digits), line })) ??
          this.#number(integer, (digits) => ({ type: 'integer', value: toInteger(digits, line), line })))
        : undefined) ??
      this.#simple(name, (found) => ({ type: 'name', text: found, line })) ??
      this.#simple(string, (found) => ({ type: 'string', text: unescapePython(found.slice(1, -1)), line })) ??
      this.#simple(operator, (found) => ({ type: 'operator', text: found, line }))
    if (text === undefined) {
      throw new TemplateFault('syntax', `unexpected char ${JSON.stringify(this.#source[at])} at ${at}`, line)
    }
    const close = closes.get(text)
    if (close !== undefined) open.push(close)
    else if (text === ')' || text === ']' || text === '}') {
      const expected = open.pop()
      if (expected === undefined) throw new TemplateFault('syntax', `unexpected '${text}'`, line)
      if (expected !== text) throw new TemplateFault('syntax', `unexpected '${text}', expected '${expected}'`, line)
    }
    this.#leave(text)
  }

  /** After a dot a number is an index: `a.0.1`. */
  #number(pattern: RegExp, token: (digits: string) => Token): string | undefined {
    if (pattern === float && this.#source[this.#at - 1] === '.') return undefined
    return this.#simple(pattern, (digits) => token(digits.replaceAll('_', '')))
  }

  #simple(pattern: RegExp, token: (text: string) => Token): string | undefined {
    const text = this.#match(pattern, this.#at)
    if (text !== undefined) this.#tokens.push(token(text))
    return text
  }

  #match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at
    return pattern.exec(this.#source)?.[0]
  }

  #leave(text: string): void {
    this.#at += text.length
    this.#line += countLines(text)
    this.#atLineStart = text.endsWith('\n')
  }

  #data(text: string, lines: number = countLines(text)): void {
    if (text !== '') this.#tokens.push({ type: 'data', text, line: this.#line })
    this.#line += lines
  }
}

/** The most digits that Python reads. */
const longestNumber = 4300

function toInteger(digits: string, line: number): number | bigint {
  if (digits.length > longestNumber) {
    throw new TemplateFault('syntax', `Exceeds the limit (${longestNumber} digits) for integer string conversion`, line)
  }
  const value = BigInt(digits)
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
