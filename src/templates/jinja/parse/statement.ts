import type { AppliedFilter, Expression, Signature, Statement, Target } from './ast.ts'
import { TemplateFault } from './error.ts'
import {
  parseDottedName,
  parseExpression,
  parseOptionalArguments,
  parseTuple,
  parseWithoutCondition,
} from './expression.ts'
import { Lexer } from './lexer.ts'
import { TokenStream } from './token-stream.ts'

/** A template's source as a tree; throws a TemplateFault if it is invalid. */
export function parseTemplate(source: string): readonly Statement[] {
  return new StatementParser(new TokenStream(new Lexer(source).tokens())).template()
}

type Parser = (line: number) => Statement

const loaded: ReadonlySet<string> = new Set(['include', 'import', 'from', 'extends'])

class StatementParser {
  readonly #tokens: TokenStream
  #loops = 0

  constructor(tokens: TokenStream) {
    this.#tokens = tokens
  }

  template(): readonly Statement[] {
    const body = this.#body([])
    if (this.#tokens.current.type !== 'eof') throw this.#unknownTag(this.#tokens.expectName())
    return body
  }

  /** By the tag's name. `do` and `trans` are not there: Transformers does not have them either. */
  readonly #parsers: ReadonlyMap<string, Parser> = new Map<string, Parser>([
    ['if', (line) => this.#if(line)],
    ['for', (line) => this.#for(line)],
    ['set', (line) => this.#set(line)],
    ['macro', (line) => this.#macro(line)],
    ['call', (line) => this.#call(line)],
    ['filter', (line) => this.#filter(line)],
    ['with', (line) => this.#with(line)],
    ['break', (line) => this.#leaveLoop('break', line)],
    ['continue', (line) => this.#leaveLoop('continue', line)],
    ['print', (line) => this.#print(line)],
    ['generation', (line) => ({ type: 'group', body: this.#until('endgeneration'), line })],
    ['block', (line) => this.#block(line)],
  ])

  /** Statements up to a tag with one of the names, which is left to be read; at the top, up to the end. */
  #body(ends: readonly string[]): Statement[] {
    return this.#tokens.nested(() => {
      const tokens = this.#tokens
      const body: Statement[] = []
      for (;;) {
        const token = tokens.current
        if (token.type === 'eof') {
          if (ends.length > 0) throw tokens.fault(`unexpected end of template, expected '${ends.join("' or '")}'`)
          return body
        }
        tokens.next()
        if (token.type === 'data') {
          body.push({ type: 'text', text: token.text, line: token.line })
        } else if (token.type === 'begin' && token.tag === 'variable') {
          body.push({ type: 'print', value: parseTuple(tokens), line: token.line })
          tokens.expectEnd('variable')
        } else {
          const name = tokens.current
          if (name.type === 'name' && ends.includes(name.text)) return body
          body.push(this.#statement(token.line))
          tokens.expectEnd('block')
        }
      }
    })
  }

  #statement(line: number): Statement {
    const name = this.#tokens.expectName()
    const parse = this.#parsers.get(name)
    if (!parse) throw this.#unknownTag(name)
    return parse(line)
  }

  #unknownTag(name: string): TemplateFault {
    const message = loaded.has(name)
      ? `no loader for this environment specified: '${name}' needs another template, and a chat template is alone`
      : `Encountered unknown tag '${name}'.`
    return new TemplateFault('syntax', message, this.#tokens.line)
  }

  /** The body after a tag, and its closing tag without the end of that. */
  #until(...ends: readonly string[]): Statement[] {
    this.#tokens.skipOperator(':')
    this.#tokens.expectEnd('block')
    const body = this.#body(ends)
    if (ends.length === 1) this.#tokens.expectName(ends[0])
    return body
  }

  #print(line: number): Statement {
    const body: Statement[] = [{ type: 'print', value: parseExpression(this.#tokens), line }]
    while (this.#tokens.skipOperator(',')) body.push({ type: 'print', value: parseExpression(this.#tokens), line })
    return { type: 'group', body, line }
  }

  #if(line: number): Statement {
    const branches: { test: Expression; body: readonly Statement[]; line: number }[] = []
    for (let at = line; ; at = this.#tokens.line) {
      const test = parseTuple(this.#tokens, parseWithoutCondition)
      branches.push({ test, body: this.#until('elif', 'else', 'endif'), line: at })
      const end = this.#tokens.expectName()
      if (end === 'elif') continue
      return { type: 'if', branches, otherwise: end === 'else' ? this.#until('endif') : [], line }
    }
  }

  #for(line: number): Statement {
    const tokens = this.#tokens
    const target = this.#target()
    tokens.expectName('in')
    const of = parseTuple(tokens, parseWithoutCondition)
    const filter = tokens.skipName('if') ? parseExpression(tokens) : undefined
    const recursive = tokens.skipName('recursive')
    this.#loops++
    const body = this.#until('endfor', 'else')
    this.#loops--
    const otherwise = tokens.expectName() === 'else' ? this.#until('endfor') : []
    return { type: 'for', target, of, ...(filter && { filter }), recursive, body, otherwise, line }
  }

  #leaveLoop(type: 'break' | 'continue', line: number): Statement {
    if (this.#loops === 0) throw this.#tokens.fault(`'${type}' outside loop`, line)
    return { type, line }
  }

  #set(line: number): Statement {
    const tokens = this.#tokens
    const target = this.#target()
    if (tokens.skipOperator('=')) return { type: 'set', target, value: parseTuple(tokens), line }
    const filters: AppliedFilter[] = []
    while (tokens.skipOperator('|')) filters.push(this.#appliedFilter())
    return { type: 'set-block', target, filters, body: this.#until('endset'), line }
  }

  #filter(line: number): Statement {
    const filters = [this.#appliedFilter()]
    while (this.#tokens.skipOperator('|')) filters.push(this.#appliedFilter())
    return { type: 'filter-block', filters, body: this.#until('endfilter'), line }
  }

  #appliedFilter(): AppliedFilter {
    const { line } = this.#tokens
    return { name: parseDottedName(this.#tokens), args: parseOptionalArguments(this.#tokens), line }
  }

  #with(line: number): Statement {
    const bindings: [Target, Expression][] = []
    while (!this.#tokens.isEnd('block')) {
      if (bindings.length > 0) this.#tokens.expectOperator(',')
      const target = this.#target()
      this.#tokens.expectOperator('=')
      bindings.push([target, parseExpression(this.#tokens)])
    }
    return { type: 'with', bindings, body: this.#until('endwith'), line }
  }

  #macro(line: number): Statement {
    const name = this.#tokens.expectName()
    const signature = this.#signature()
    return { type: 'macro', name, signature, body: this.#outsideLoops('endmacro'), line }
  }

  #call(line: number): Statement {
    const signature = this.#tokens.isOperator('(') ? this.#signature() : { parameters: [], defaults: [] }
    const call = parseExpression(this.#tokens)
    if (call.type !== 'call') throw this.#tokens.fault('expected call', line)
    return { type: 'call-block', signature, call, body: this.#outsideLoops('endcall'), line }
  }

  /** Without inheritance a block is its content. */
  #block(line: number): Statement {
    const name = this.#tokens.expectName()
    while (this.#tokens.skipName('scoped') || this.#tokens.skipName('required'));
    const body = this.#outsideLoops('endblock')
    this.#tokens.skipName(name)
    return { type: 'group', body, line }
  }

  /** The body of a macro or a call, which may run elsewhere: a loop around it is not its loop. */
  #outsideLoops(end: string): Statement[] {
    const loops = this.#loops
    this.#loops = 0
    const body = this.#until(end)
    this.#loops = loops
    return body
  }

  #signature(): Signature {
    const tokens = this.#tokens
    const parameters: string[] = []
    const defaults: Expression[] = []
    tokens.expectOperator('(')
    while (!tokens.skipOperator(')')) {
      if (parameters.length > 0) tokens.expectOperator(',')
      parameters.push(tokens.expectName())
      if (tokens.skipOperator('=')) defaults.push(parseExpression(tokens))
      else if (defaults.length > 0) throw tokens.fault('non-default argument follows default argument')
    }
    return { parameters, defaults }
  }

  /** Parses the target of an assignment: a name, an attribute of a namespace, or several with commas. */
  #target(): Target {
    const { line } = this.#tokens
    const items: Target[] = []
    let isTuple = false
    while (!this.#isTargetEnd()) {
      items.push(this.#singleTarget())
      if (!this.#tokens.skipOperator(',')) break
      isTuple = true
    }
    const [first] = items
    if (first && !isTuple) return first
    if (!first) throw this.#tokens.unexpected('a name')
    return { type: 'tuple', items, line }
  }

  #isTargetEnd(): boolean {
    const tokens = this.#tokens
    return tokens.isEnd('block') || tokens.isOperator(')') || tokens.isOperator('=') || tokens.isName('in')
  }

  #singleTarget(): Target {
    const tokens = this.#tokens
    const { line } = tokens
    if (tokens.skipOperator('(')) {
      const target = tokens.nested(() => this.#target())
      tokens.expectOperator(')')
      return target
    }
    const name = tokens.expectName()
    if (['true', 'false', 'none', 'True', 'False', 'None'].includes(name)) {
      throw tokens.fault(`can't assign to '${name}'`, line)
    }
    if (!tokens.skipOperator('.')) return { type: 'name', name, line }
    return { type: 'namespace', name, attribute: tokens.expectName(), line }
  }
}
