import { TemplateFault } from './error.ts'
import type { Token } from './lexer.ts'

const end: Token = { type: 'eof', line: 0 }

/** The tokens of a template, one at a time. */
export class TokenStream {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get current(): Token {
    return this.#tokens[this.#at] ?? this.#tokens.at(-1) ?? end
  }

  get line(): number {
    return this.current.line
  }

  next(): Token {
    const token = this.current
    this.#at++
    return token
  }

  /** True if the token after this one is that operator. */
  isFollowedBy(operator: string): boolean {
    const token = this.#tokens[this.#at + 1]
    return token?.type === 'operator' && token.text === operator
  }

  isOperator(text: string): boolean {
    const token = this.current
    return token.type === 'operator' && token.text === text
  }

  isName(text?: string): boolean {
    const token = this.current
    return token.type === 'name' && (text === undefined || token.text === text)
  }

  isEnd(tag: 'block' | 'variable'): boolean {
    const token = this.current
    return token.type === 'end' && token.tag === tag
  }

  skipOperator(text: string): boolean {
    const is = this.isOperator(text)
    if (is) this.#at++
    return is
  }

  skipName(text: string): boolean {
    const is = this.isName(text)
    if (is) this.#at++
    return is
  }

  expectOperator(text: string): void {
    if (!this.skipOperator(text)) throw this.unexpected(`'${text}'`)
  }

  expectName(text?: string): string {
    const token = this.current
    if (token.type !== 'name' || (text !== undefined && token.text !== text)) throw this.unexpected(text ?? 'a name')
    this.#at++
    return token.text
  }

  expectEnd(tag: 'block' | 'variable'): void {
    if (!this.isEnd(tag)) throw this.unexpected(`the end of the ${tag} tag`)
    this.#at++
  }

  unexpected(expected?: string): TemplateFault {
    const found = describe(this.current)
    return this.fault(expected === undefined ? `unexpected ${found}` : `expected ${expected}, got ${found}`)
  }

  fault(message: string, line: number = this.line): TemplateFault {
    return new TemplateFault('syntax', message, line)
  }

  /**
   * Parses a part that may contain itself. The bound is deeper than any template nests, and far from the end of the
   * stack.
   */
  nested<Result>(parse: () => Result): Result {
    if (++this.#depth > 200) throw this.fault('the template nests too deep')
    const result = parse()
    this.#depth--
    return result
  }
}

function describe(token: Token): string {
  switch (token.type) {
    case 'name':
    case 'operator':
      return `'${token.text}'`
    case 'string':
      return 'a string'
    case 'integer':
    case 'float':
      return `'${token.value}'`
    case 'data':
      return 'text'
    case 'begin':
    case 'end':
      return `the ${token.type} of a ${token.tag} tag`
    case 'eof':
      return 'the end of the template'
  }
}
