import { unreadable } from '../text/text-grammar.ts'
import type { LarkExpression } from './expression.ts'
import type { LarkToken, LarkTokenType } from './tokens.ts'

/** Brackets in each other: each is a call on the stack. */
const maxDepth = 100

/** Parses the right sides of definitions; `LarkParser` adds what is around them. */
export class ExpressionParser {
  readonly #tokens: readonly LarkToken[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly LarkToken[]) {
    this.#tokens = tokens
  }

  /** Alternatives; each after the first may begin a line. */
  protected expansions(): LarkExpression {
    if (++this.#depth > maxDepth) unreadable(`it has more than ${maxDepth} brackets in each other`)
    const of = [this.#expansion()]
    while (this.#takeBar()) of.push(this.#expansion())
    this.#depth--
    return of.length === 1 && of[0] ? of[0] : { type: 'choice', of }
  }

  #takeBar(): boolean {
    if (this.take('|')) return true
    const [line, bar] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]]
    if (line?.type !== 'newline' || bar?.text !== '|') return false
    this.#at += 2
    return true
  }

  #expansion(): LarkExpression {
    const of: LarkExpression[] = []
    while (this.#isOperand()) of.push(this.#intersection())
    // The name of an alternative in a tree does not change the texts.
    if (this.take('->')) this.expect('name')
    return of.length === 1 && of[0] ? of[0] : { type: 'sequence', of }
  }

  #isOperand(): boolean {
    const token = this.peek()
    if (!token) return false
    return token.type === 'sign' ? '([~'.includes(token.text) : token.type !== 'newline' && token.type !== 'number'
  }

  #intersection(): LarkExpression {
    const of = [this.#repeated()]
    while (this.take('&')) of.push(this.#repeated())
    return of.length === 1 && of[0] ? of[0] : { type: 'and', of }
  }

  #repeated(): LarkExpression {
    let one = this.#atom()
    for (;;) {
      if (this.take('?')) one = { type: 'repeat', of: one, min: 0, max: 1 }
      else if (this.take('*')) one = { type: 'repeat', of: one, min: 0, max: undefined }
      else if (this.take('+')) one = { type: 'repeat', of: one, min: 1, max: undefined }
      else if (this.take('~')) one = this.#times(one, '..')
      else if (this.take('{')) {
        one = this.#times(one, ',')
        if (!this.take('}')) this.fail('is unexpected: the bounds of a repetition are not closed')
      } else return one
    }
  }

  /** `2`, `2..5` after `~`; `2`, `2,5`, `2,` or `,5` in braces. */
  #times(of: LarkExpression, separator: '..' | ','): LarkExpression {
    const first = this.takeType('number')
    if (!first && separator === '..') this.fail('is unexpected: a repetition has no number')
    const min = Number(first?.text ?? 0)
    if (!this.take(separator)) return { type: 'repeat', of, min, max: min }
    const last = this.takeType('number')
    if (!last && separator === '..') this.fail('is unexpected: a repetition has no number')
    const max = last ? Number(last.text) : undefined
    if (max !== undefined && max < min) unreadable(`it repeats something at least ${min} and at most ${max} times`)
    return { type: 'repeat', of, min, max }
  }

  #atom(): LarkExpression {
    if (this.take('~')) return { type: 'not', of: this.#atom() }
    for (const [open, close] of ['()', '[]']) {
      if (open === undefined || close === undefined || !this.take(open)) continue
      this.skipNewlines()
      const of = this.expansions()
      this.skipNewlines()
      if (!this.take(close)) this.fail('is unexpected: a bracket is not closed')
      return open === '[' ? { type: 'repeat', of, min: 0, max: 1 } : of
    }
    return this.value()
  }

  /** A literal, or a name. */
  protected value(): LarkExpression {
    const { type, text, line } = this.next()
    switch (type) {
      case 'string': {
        const first = literalOf(text, line)
        if (!this.take('..')) return { type: 'string', text: first, ignoresCase: text.endsWith('i') }
        const last = literalOf(this.expect('string').text, line)
        return { type: 'range', first, last }
      }
      case 'regex': {
        const end = text.lastIndexOf('/')
        return { type: 'regex', source: text.slice(1, end), flags: text.slice(end + 1) }
      }
      case 'name':
        if (this.peek()?.text === '{' && this.#tokens[this.#at + 1]?.type !== 'number' && !this.#isOpenBound()) {
          unreadable(`it has a template, "${text}", in line ${line}, which is not read`)
        }
        return { type: 'name', name: text }
      case 'special':
        return unreadable(`it has a special token, ${text}, in line ${line}, which is not read`)
      case 'directive':
      case 'grammar':
        return unreadable(`it has ${text} in line ${line}, which is not read`)
      default:
        return unreadable(`it has an unexpected ${shown(text)} in line ${line}`)
    }
  }

  #isOpenBound(): boolean {
    return this.#tokens[this.#at + 1]?.text === ','
  }

  protected peek(): LarkToken | undefined {
    return this.#tokens[this.#at]
  }

  protected next(): LarkToken {
    return this.#tokens[this.#at++] ?? unreadable('it ends too early')
  }

  protected take(sign: string): boolean {
    const token = this.peek()
    if (token?.type !== 'sign' || token.text !== sign) return false
    this.#at++
    return true
  }

  protected takeType(type: LarkTokenType): LarkToken | undefined {
    const token = this.peek()
    if (token?.type !== type) return undefined
    this.#at++
    return token
  }

  protected expect(type: LarkTokenType): LarkToken {
    return this.takeType(type) ?? this.fail(`is unexpected, a ${type} is missing`)
  }

  protected skipNewlines(): void {
    while (this.takeType('newline'));
  }

  /** Throws; `what` continues a sentence about the next token. */
  protected fail(what: string): never {
    const token = this.peek()
    return unreadable(token ? `${shown(token.text)} in line ${token.line} ${what}` : 'it ends too early')
  }
}

function shown(text: string): string {
  return text.startsWith('\n') ? 'end of the line' : JSON.stringify(text.slice(0, 40))
}

/** The text of a literal: its escapes are those of JSON and of Python. */
function literalOf(source: string, line: number): string {
  const content = source.slice(1, source.lastIndexOf('"'))
  return content.replace(
    /\\(?:u\{([\da-fA-F]{1,6})\}|[uU]([\da-fA-F]{8}|[\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g,
    (_, ...found) => {
      const [braced, hex, byte, char] = found.map((one) => (typeof one === 'string' ? one : ''))
      const digits = braced || hex || byte
      if (digits) {
        const code = Number.parseInt(digits, 16)
        return code <= 0x10ffff
          ? String.fromCodePoint(code)
          : unreadable(`it has a character beyond Unicode in line ${line}`)
      }
      return escapes.get(char ?? '') ?? char ?? ''
    },
  )
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['b', '\b'],
  ['v', '\v'],
  ['0', '\0'],
])
