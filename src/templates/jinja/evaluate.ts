import { applyFilter } from './library/filters.ts'
import { applyTest } from './library/tests.ts'
import type { CallArguments, ComparisonOperator, Expression } from './parse/ast.ts'
import { failed } from './parse/error.ts'
import { asPositive, negate, operate } from './python/arithmetic.ts'
import { attribute, item, slice } from './python/lookup.ts'
import type { Arguments } from './python/values/arguments.ts'
import { compare, contains, equals } from './python/values/compare.ts'
import { str } from './python/values/text.ts'
import { isTrue, iterateOrFail, textOf, typeName, undefinedFault } from './python/values/types.ts'
import { Dict, Float, orElse, Thing, Tuple, Undefined, type Value } from './python/values/values.ts'
import type { Scope } from './scope.ts'

/** An expression made ready to run: a template is compiled once and rendered often. */
export type Evaluate = (scope: Scope) => Value

export function compileExpression(node: Expression): Evaluate {
  const evaluate = compileNode(node)
  return (scope) => {
    scope.runtime.budget.spend(1)
    return evaluate(scope)
  }
}

function compileNode(node: Expression): Evaluate {
  switch (node.type) {
    case 'constant': {
      const { value } = node
      return () => value
    }
    case 'float': {
      const value = new Float(node.value)
      return () => value
    }
    case 'name': {
      const { name } = node
      return (scope) => orElse(scope.get(name), () => new Undefined(`'${name}' is undefined`))
    }
    case 'list':
      return compileAll(node.items)
    case 'tuple': {
      const items = compileAll(node.items)
      return (scope) => new Tuple(items(scope))
    }
    case 'dict':
      return compileDict(node.entries)
    case 'attribute': {
      const [of, { name }] = [compileExpression(node.of), node]
      return (scope) => attribute(of(scope), name, scope.runtime)
    }
    case 'item':
      return compileItem(node)
    case 'slice':
      return () => {
        throw failed('a slice has no value of its own')
      }
    case 'call':
      return compileCall(node)
    case 'filter': {
      const [of, args, { name, line }] = [compileExpression(node.of), compileArguments(node.args), node]
      return (scope) => {
        const value = of(scope)
        const given = args(scope)
        scope.runtime.line = line
        return applyFilter(name, value, given, scope.runtime)
      }
    }
    case 'test': {
      const [of, args, { name }] = [compileExpression(node.of), compileArguments(node.args), node]
      return (scope) => applyTest(name, of(scope), args(scope), scope.runtime)
    }
    case 'not': {
      const of = compileExpression(node.of)
      return (scope) => !isTrue(of(scope))
    }
    case 'negative':
    case 'positive': {
      const [of, sign] = [compileExpression(node.of), node.type === 'negative' ? negate : asPositive]
      return (scope) => sign(of(scope))
    }
    case 'and':
    case 'or': {
      const [left, right, isAnd] = [compileExpression(node.left), compileExpression(node.right), node.type === 'and']
      return (scope) => {
        const value = left(scope)
        return isTrue(value) === isAnd ? right(scope) : value
      }
    }
    case 'operation': {
      const [left, right, { operator }] = [compileExpression(node.left), compileExpression(node.right), node]
      return (scope) => operate(operator, left(scope), right(scope), scope.runtime)
    }
    case 'concatenation': {
      const parts = compileAll(node.parts)
      return (scope) => {
        const texts = parts(scope).map((part) => str(part, scope.runtime))
        scope.runtime.budget.text(texts.reduce((sum, text) => sum + text.length, 0))
        return texts.join('')
      }
    }
    case 'comparison':
      return compileComparison(node)
    case 'condition':
      return compileCondition(node)
  }
}

function compileAll(nodes: readonly Expression[]): (scope: Scope) => readonly Value[] {
  const items = nodes.map(compileExpression)
  return (scope) => items.map((item) => item(scope))
}

function compileDict(nodes: readonly (readonly [Expression, Expression])[]): Evaluate {
  const entries = nodes.map(([key, value]) => [compileExpression(key), compileExpression(value)] as const)
  return (scope) => {
    const dict = new Dict()
    for (const [evaluateKey, value] of entries) {
      const key = evaluateKey(scope)
      if (!dict.set(key, value(scope))) throw failed(`unhashable type: '${typeName(key)}'`)
    }
    return dict
  }
}

function compileItem(node: Extract<Expression, { type: 'item' }>): Evaluate {
  const of = compileExpression(node.of)
  if (node.key.type !== 'slice') {
    const key = compileExpression(node.key)
    return (scope) => item(of(scope), key(scope), scope.runtime)
  }
  const none: Evaluate = () => null
  const [start = none, stop = none, step = none] = [node.key.start, node.key.stop, node.key.step].map(
    (part) => part && compileExpression(part),
  )
  return (scope) => slice(of(scope), { start: start(scope), stop: stop(scope), step: step(scope) }, scope.runtime)
}

export function compileArguments(nodes: CallArguments): (scope: Scope) => Arguments {
  const given = compileAll(nodes.positional)
  const named = nodes.named.map(([name, value]) => [name, compileExpression(value)] as const)
  const spread = nodes.spread && compileExpression(nodes.spread)
  const spreadNamed = nodes.spreadNamed && compileExpression(nodes.spreadNamed)
  return (scope) => {
    const positional = given(scope)
    const names = new Map(named.map(([name, value]) => [name, value(scope)] as const))
    const more = spread && spreadOut(spread(scope), scope)
    const moreNamed = spreadNamed?.(scope)
    if (moreNamed instanceof Dict) {
      scope.runtime.budget.elements(moreNamed.size)
      for (const [key, value] of moreNamed.entries()) names.set(textOf(key) ?? '', value)
    } else if (moreNamed !== undefined) {
      throw failed(`argument after ** must be a mapping, not ${typeName(moreNamed)}`)
    }
    return { positional: more ? [...positional, ...more] : positional, named: names }
  }
}

function spreadOut(value: Value, { runtime }: Scope): readonly Value[] {
  const items: Value[] = []
  for (const item of iterateOrFail(value)) {
    runtime.budget.spend(1)
    items.push(item)
  }
  return items
}

function compileCall(node: Extract<Expression, { type: 'call' }>): Evaluate {
  const [of, args, { line }] = [compileExpression(node.of), compileArguments(node.args), node]
  return (scope) => call(of(scope), args(scope), scope, line)
}

export function call(callee: Value, args: Arguments, { runtime }: Scope, line: number): Value {
  runtime.line = line
  if (callee instanceof Undefined) throw undefinedFault(callee)
  const run = callee instanceof Thing ? callee.callable : undefined
  if (!run) throw failed(`'${typeName(callee)}' object is not callable`)
  const result = run(args, runtime)
  runtime.line = line
  return result
}

type Comparison = (left: Value, right: Value, scope: Scope) => boolean

const comparisons: Readonly<Record<ComparisonOperator, Comparison>> = {
  '==': (left, right, { runtime }) => equals(left, right, runtime),
  '!=': (left, right, { runtime }) => !equals(left, right, runtime),
  '<': (left, right, { runtime }) => compare(left, right, runtime, '<') < 0,
  '<=': (left, right, { runtime }) => compare(left, right, runtime, '<=') <= 0,
  '>': (left, right, { runtime }) => compare(left, right, runtime, '>') > 0,
  '>=': (left, right, { runtime }) => compare(left, right, runtime, '>=') >= 0,
  in: (left, right, { runtime }) => contains(right, left, runtime),
  'not in': (left, right, { runtime }) => !contains(right, left, runtime),
}

function compileComparison(node: Extract<Expression, { type: 'comparison' }>): Evaluate {
  const first = compileExpression(node.first)
  const rest = node.rest.map(([operator, operand]) => [comparisons[operator], compileExpression(operand)] as const)
  return (scope) => {
    let left = first(scope)
    for (const [holds, operand] of rest) {
      const right = operand(scope)
      if (!holds(left, right, scope)) return false
      left = right
    }
    return true
  }
}

function compileCondition(node: Extract<Expression, { type: 'condition' }>): Evaluate {
  const [test, value] = [compileExpression(node.test), compileExpression(node.value)]
  const otherwise = node.otherwise && compileExpression(node.otherwise)
  const message = `the inline if-expression on line ${node.line} evaluated to false and no else section was defined.`
  return (scope) => {
    if (isTrue(test(scope))) return value(scope)
    return otherwise ? otherwise(scope) : new Undefined(message)
  }
}
