import { unreadable } from '../text/text-grammar.ts'
import type { LarkDefinition, LarkExpression, LarkFile } from './expression.ts'
import { ExpressionParser } from './parse-expression.ts'
import { type LarkBounds, type LarkToken, larkTokens } from './tokens.ts'

/**
 * Parses a grammar in Lark, as llguidance and OpenAI take it. Throws an `UnreadableGrammar` with the line of what is
 * not read.
 *
 * @example
 * parseLark('start: WORD ("," WORD)*\nWORD: /[a-z]+/').definitions // two
 */
export function parseLark(source: string, bounds?: LarkBounds): LarkFile {
  return new LarkParser(larkTokens(source, bounds)).file()
}

class LarkParser extends ExpressionParser {
  readonly #definitions: LarkDefinition[] = []
  readonly #names = new Set<string>()
  readonly #ignored: LarkExpression[] = []
  readonly #imports = new Map<string, string>()

  file(): LarkFile {
    this.skipNewlines()
    while (this.peek()) {
      if (this.peek()?.type === 'directive') this.#directive()
      else this.#definition()
      if (this.peek() && !this.takeType('newline')) this.fail('is unexpected')
      this.skipNewlines()
    }
    return { definitions: this.#definitions, ignored: this.#ignored, imports: this.#imports }
  }

  #directive(): void {
    const directive = this.next()
    switch (directive.text) {
      case '%ignore':
        this.#ignored.push(this.expansions())
        return
      case '%import':
        this.#import()
        return
      case '%llguidance':
        this.#options()
        return
      default:
        unreadable(`it has ${directive.text} in line ${directive.line}, which is not read`)
    }
  }

  /** The options of llguidance: only none at all. */
  #options(): void {
    if (!this.take('{') || !this.take('}')) this.fail('is an option of %llguidance, which is not read')
  }

  /** `common.WORD`, `common.WORD -> NAME` or `common (WORD, INT)`. */
  #import(): void {
    this.take('.')
    const library = this.expect('name')
    if (library.text !== 'common')
      unreadable(`it imports from "${library.text}", which is not read: only from "common"`)
    if (this.take('.')) {
      const { text } = this.expect('name')
      this.#imports.set(this.take('->') ? this.expect('name').text : text, text)
      return
    }
    if (!this.take('(')) this.fail('is unexpected after %import')
    do {
      const { text } = this.expect('name')
      this.#imports.set(text, text)
    } while (this.take(','))
    if (!this.take(')')) this.fail('is unexpected: the names of an import are not closed')
  }

  #definition(): void {
    while (this.take('?') || this.take('!'));
    const name = this.expect('name')
    if (this.#names.has(name.text)) unreadable(`it defines "${name.text}" twice`)
    this.#names.add(name.text)
    if (this.take('{')) unreadable(`it has a template, "${name.text}", which is not read`)
    if (this.take('.')) this.#priority(name)
    const attributes = this.take('[') ? this.#attributes() : { isLazy: false, suffix: undefined }
    if (!this.take(':')) this.fail(`is unexpected after "${name.text}"`)
    this.#definitions.push({ name: name.text, body: this.expansions(), ...attributes })
  }

  /** The preference of a rule or a terminal does not change the texts. */
  #priority(name: LarkToken): void {
    this.take('-')
    if (!this.takeType('number')) this.fail(`is unexpected: "${name.text}" has a priority that is no number`)
  }

  #attributes(): Pick<LarkDefinition, 'isLazy' | 'suffix'> {
    let isLazy = false
    let suffix: LarkExpression | undefined
    do {
      const { text } = this.expect('name')
      const value = this.take('=') ? this.#attributeValue() : undefined
      if (text === 'lazy') isLazy = true
      else if (text === 'suffix' && value) suffix = value
      // What is captured, and how it is sampled, does not change the texts.
      else if (text !== 'capture' && text !== 'temperature') {
        unreadable(`it has the attribute "${text}", which is not read`)
      }
    } while (this.take(','))
    if (!this.take(']')) this.fail('is unexpected: attributes are not closed')
    return { isLazy: isLazy || suffix !== undefined, suffix }
  }

  #attributeValue(): LarkExpression | undefined {
    if (!this.takeType('number')) return this.value()
    if (this.take('.')) this.takeType('number')
    return undefined
  }
}
