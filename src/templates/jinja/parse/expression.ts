import type { BinaryOperator, CallArguments, ComparisonOperator, Expression } from './ast.ts'
import type { TokenStream } from './token-stream.ts'

/** The longest chain of operators, filters or lookups: each link is a level of evaluation. */
const longestChain = 1000

const comparisons: readonly ComparisonOperator[] = ['==', '!=', '<', '<=', '>', '>=']
/** From the loosest to the tightest; `~` is between the two. */
const additive: readonly BinaryOperator[] = ['+', '-']
const multiplicative: readonly BinaryOperator[] = ['*', '/', '//', '%']

export function parseExpression(tokens: TokenStream): Expression {
  return tokens.nested(() => parseCondition(tokens))
}

/** An expression that no `if` can follow, as in `for x in y if z`. */
export function parseWithoutCondition(tokens: TokenStream): Expression {
  return tokens.nested(() => parseOr(tokens))
}

/** An expression, or several with commas, which are a tuple. */
export function parseTuple(tokens: TokenStream, parse: typeof parseExpression = parseExpression): Expression {
  const line = tokens.line
  const items: Expression[] = []
  let isTuple = false
  while (!isTupleEnd(tokens)) {
    items.push(parse(tokens))
    if (!tokens.skipOperator(',')) break
    isTuple = true
  }
  const [first] = items
  if (first && !isTuple) return first
  if (items.length === 0) throw tokens.unexpected('an expression')
  return { type: 'tuple', items, line }
}

function isTupleEnd(tokens: TokenStream): boolean {
  return tokens.isEnd('block') || tokens.isEnd('variable') || tokens.isOperator(')') || tokens.isName('recursive')
}

function parseCondition(tokens: TokenStream): Expression {
  let result = parseOr(tokens)
  while (tokens.isName('if')) {
    const { line } = tokens.next()
    const test = parseOr(tokens)
    const otherwise = tokens.skipName('else') ? parseExpression(tokens) : undefined
    result = { type: 'condition', test, value: result, ...(otherwise && { otherwise }), line }
  }
  return result
}

function parseOr(tokens: TokenStream): Expression {
  let left = parseAnd(tokens)
  for (let links = 0; tokens.isName('or'); ) {
    const { line } = link(tokens, ++links)
    left = { type: 'or', left, right: parseAnd(tokens), line }
  }
  return left
}

function parseAnd(tokens: TokenStream): Expression {
  let left = parseNot(tokens)
  for (let links = 0; tokens.isName('and'); ) {
    const { line } = link(tokens, ++links)
    left = { type: 'and', left, right: parseNot(tokens), line }
  }
  return left
}

function parseNot(tokens: TokenStream): Expression {
  if (!tokens.isName('not')) return parseComparison(tokens)
  const { line } = tokens.next()
  return { type: 'not', of: tokens.nested(() => parseNot(tokens)), line }
}

function parseComparison(tokens: TokenStream): Expression {
  const line = tokens.line
  const first = parseAdditive(tokens)
  const rest: [ComparisonOperator, Expression][] = []
  for (;;) {
    const operator = comparisonAt(tokens)
    if (!operator) return rest.length > 0 ? { type: 'comparison', first, rest, line } : first
    rest.push([operator, parseAdditive(tokens)])
  }
}

function comparisonAt(tokens: TokenStream): ComparisonOperator | undefined {
  if (tokens.skipName('in')) return 'in'
  if (tokens.isName('not')) {
    tokens.next()
    tokens.expectName('in')
    return 'not in'
  }
  return comparisons.find((operator) => tokens.skipOperator(operator))
}

function parseAdditive(tokens: TokenStream): Expression {
  return parseOperations(tokens, additive, parseConcatenation)
}

function parseConcatenation(tokens: TokenStream): Expression {
  const line = tokens.line
  const parts = [parseMultiplicative(tokens)]
  while (tokens.skipOperator('~')) parts.push(parseMultiplicative(tokens))
  const [only] = parts
  return only && parts.length === 1 ? only : { type: 'concatenation', parts, line }
}

function parseMultiplicative(tokens: TokenStream): Expression {
  return parseOperations(tokens, multiplicative, parsePower)
}

function parsePower(tokens: TokenStream): Expression {
  return parseOperations(tokens, ['**'], parseUnary)
}

function parseOperations(
  tokens: TokenStream,
  operators: readonly BinaryOperator[],
  parseOperand: (tokens: TokenStream) => Expression,
): Expression {
  let left = parseOperand(tokens)
  for (let links = 0; ; ) {
    const operator = operators.find((one) => tokens.isOperator(one))
    if (!operator) return left
    const { line } = link(tokens, ++links)
    left = { type: 'operation', operator, left, right: parseOperand(tokens), line }
  }
}

function parseUnary(tokens: TokenStream): Expression {
  return parseFilters(tokens, parseSigned(tokens))
}

function parseSigned(tokens: TokenStream): Expression {
  const sign = (['-', '+'] as const).find((one) => tokens.isOperator(one))
  if (!sign) return parsePostfix(tokens, parsePrimary(tokens))
  const { line } = tokens.next()
  const of = tokens.nested(() => parseSigned(tokens))
  return parsePostfix(tokens, { type: sign === '-' ? 'negative' : 'positive', of, line })
}

function parsePrimary(tokens: TokenStream): Expression {
  const token = tokens.next()
  const { line } = token
  switch (token.type) {
    case 'name':
      return nameOrConstant(token.text, line)
    case 'string': {
      let value = token.text
      while (tokens.current.type === 'string') {
        const more = tokens.next()
        if (more.type === 'string') value += more.text
      }
      return { type: 'constant', value, line }
    }
    case 'integer':
      return { type: 'constant', value: token.value, line }
    case 'float':
      return { type: 'float', value: token.value, line }
    case 'operator':
      if (token.text === '(') return parseParentheses(tokens, line)
      if (token.text === '[') return { type: 'list', items: parseItems(tokens, ']', parseExpression), line }
      if (token.text === '{') return { type: 'dict', entries: parseItems(tokens, '}', parseEntry), line }
      throw tokens.fault(`unexpected '${token.text}'`, line)
    default:
      throw tokens.fault('expected an expression', line)
  }
}

function nameOrConstant(name: string, line: number): Expression {
  if (name === 'true' || name === 'True') return { type: 'constant', value: true, line }
  if (name === 'false' || name === 'False') return { type: 'constant', value: false, line }
  if (name === 'none' || name === 'None') return { type: 'constant', value: null, line }
  return { type: 'name', name, line }
}

function parseParentheses(tokens: TokenStream, line: number): Expression {
  if (tokens.skipOperator(')')) return { type: 'tuple', items: [], line }
  const inside = parseTuple(tokens)
  tokens.expectOperator(')')
  return inside
}

/** Parses a bracketed list with commas between the items, and perhaps one after the last. */
function parseItems<Item>(tokens: TokenStream, close: string, parse: (tokens: TokenStream) => Item): Item[] {
  const items: Item[] = []
  while (!tokens.skipOperator(close)) {
    if (items.length > 0) {
      tokens.expectOperator(',')
      if (tokens.skipOperator(close)) break
    }
    items.push(parse(tokens))
  }
  return items
}

function parseEntry(tokens: TokenStream): readonly [Expression, Expression] {
  const key = parseExpression(tokens)
  tokens.expectOperator(':')
  return [key, parseExpression(tokens)]
}

/** Lookups and calls; they bind tighter than a sign and than filters. */
function parsePostfix(tokens: TokenStream, node: Expression): Expression {
  let of = node
  for (let links = 0; ; ) {
    const { line } = tokens
    if (tokens.isOperator('.')) {
      link(tokens, ++links)
      of = parseAttribute(tokens, of, line)
    } else if (tokens.isOperator('[')) {
      link(tokens, ++links)
      const keys = parseItems(tokens, ']', parseSubscript)
      const [key] = keys
      of = { type: 'item', of, key: key && keys.length === 1 ? key : { type: 'tuple', items: keys, line }, line }
    } else if (tokens.isOperator('(')) {
      link(tokens, ++links)
      of = { type: 'call', of, args: parseArguments(tokens), line }
    } else return of
  }
}

function parseAttribute(tokens: TokenStream, of: Expression, line: number): Expression {
  const token = tokens.next()
  if (token.type === 'name') return { type: 'attribute', of, name: token.text, line }
  if (token.type === 'integer') return { type: 'item', of, key: { type: 'constant', value: token.value, line }, line }
  throw tokens.fault('expected name or number', token.line)
}

function parseSubscript(tokens: TokenStream): Expression {
  const { line } = tokens
  const start = isSliceEnd(tokens) ? undefined : parseExpression(tokens)
  if (start && !tokens.isOperator(':')) return start
  tokens.expectOperator(':')
  const stop = isSliceEnd(tokens) ? undefined : parseExpression(tokens)
  const step = tokens.skipOperator(':') && !isSliceEnd(tokens) ? parseExpression(tokens) : undefined
  return { type: 'slice', ...(start && { start }), ...(stop && { stop }), ...(step && { step }), line }
}

function isSliceEnd(tokens: TokenStream): boolean {
  return tokens.isOperator(':') || tokens.isOperator(']') || tokens.isOperator(',')
}

function parseFilters(tokens: TokenStream, node: Expression): Expression {
  let of = node
  for (let links = 0; ; ) {
    const { line } = tokens
    if (tokens.isOperator('|')) {
      link(tokens, ++links)
      of = { type: 'filter', of, name: parseDottedName(tokens), args: parseOptionalArguments(tokens), line }
    } else if (tokens.isName('is')) {
      link(tokens, ++links)
      of = parseTest(tokens, of, line)
    } else if (tokens.isOperator('(')) {
      link(tokens, ++links)
      of = { type: 'call', of, args: parseArguments(tokens), line }
    } else return of
  }
}

function parseTest(tokens: TokenStream, of: Expression, line: number): Expression {
  const isNegated = tokens.skipName('not')
  const name = parseDottedName(tokens)
  const test: Expression = { type: 'test', of, name, args: parseTestArguments(tokens), line }
  return isNegated ? { type: 'not', of: test, line } : test
}

/** A test may have one argument without parentheses: `is divisibleby 3`. */
function parseTestArguments(tokens: TokenStream): CallArguments {
  const token = tokens.current
  if (tokens.isOperator('(')) return parseOptionalArguments(tokens)
  const isOperand =
    token.type === 'string' ||
    token.type === 'integer' ||
    token.type === 'float' ||
    tokens.isOperator('[') ||
    tokens.isOperator('{') ||
    (token.type === 'name' && !['else', 'or', 'and'].includes(token.text))
  if (!isOperand) return { positional: [], named: [] }
  if (tokens.isName('is')) throw tokens.fault('You cannot chain multiple tests with is')
  return { positional: [parsePostfix(tokens, parsePrimary(tokens))], named: [] }
}

export function parseDottedName(tokens: TokenStream): string {
  let name = tokens.expectName()
  while (tokens.skipOperator('.')) name += `.${tokens.expectName()}`
  return name
}

export function parseOptionalArguments(tokens: TokenStream): CallArguments {
  return tokens.skipOperator('(') ? parseArguments(tokens) : { positional: [], named: [] }
}

/** The arguments of a call, after its opening parenthesis. */
function parseArguments(tokens: TokenStream): CallArguments {
  const { line } = tokens
  const positional: Expression[] = []
  const named: [string, Expression][] = []
  let spread: Expression | undefined
  let spreadNamed: Expression | undefined
  const check = (isRight: boolean) => {
    if (!isRight) throw tokens.fault('invalid syntax for function call expression', line)
  }
  parseItems(tokens, ')', () => {
    if (tokens.skipOperator('*')) {
      check(!spread && !spreadNamed)
      spread = parseExpression(tokens)
    } else if (tokens.skipOperator('**')) {
      check(!spreadNamed)
      spreadNamed = parseExpression(tokens)
    } else if (tokens.isName() && tokens.isFollowedBy('=')) {
      check(!spreadNamed)
      const name = tokens.expectName()
      tokens.expectOperator('=')
      named.push([name, parseExpression(tokens)])
    } else {
      check(!spread && !spreadNamed && named.length === 0)
      positional.push(parseExpression(tokens))
    }
  })
  return { positional, named, ...(spread && { spread }), ...(spreadNamed && { spreadNamed }) }
}

function link(tokens: TokenStream, links: number): { line: number } {
  if (links > longestChain) throw tokens.fault('the template has too long an expression')
  return tokens.next()
}
