import type { Frame } from './frame.ts'
import { applyFilter } from './library/filters.ts'
import { applyTest } from './library/tests.ts'
import type { CallArguments, ComparisonOperator, Expression } from './parse/ast.ts'
import { failed } from './parse/error.ts'
import type { Arguments } from './python/arguments.ts'
import { asPositive, negate, operate } from './python/arithmetic.ts'
import { compare, contains, equals } from './python/compare.ts'
import { attribute, item, slice } from './python/lookup.ts'
import { str } from './python/text.ts'
import { isTrue, iterateOrFail, textOf, typeName, undefinedFault } from './python/types.ts'
import { Dict, Float, orElse, Thing, Tuple, Undefined, type Value } from './python/values.ts'

/** An expression made ready to run: a template is compiled once and rendered often. */
export type Evaluate = (frame: Frame) => Value

export function compileExpression(node: Expression): Evaluate {
  const evaluate = compileNode(node)
  return (frame) => {
    frame.runtime.budget.spend(1)
    return evaluate(frame)
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
      return (frame) => orElse(frame.get(name), () => new Undefined(`'${name}' is undefined`))
    }
    case 'list':
      return compileAll(node.items)
    case 'tuple': {
      const items = compileAll(node.items)
      return (frame) => new Tuple(items(frame))
    }
    case 'dict':
      return compileDict(node.entries)
    case 'attribute': {
      const [of, { name }] = [compileExpression(node.of), node]
      return (frame) => attribute(of(frame), name, frame.runtime)
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
      return (frame) => {
        const value = of(frame)
        const given = args(frame)
        frame.runtime.line = line
        return applyFilter(name, value, given, frame.runtime)
      }
    }
    case 'test': {
      const [of, args, { name }] = [compileExpression(node.of), compileArguments(node.args), node]
      return (frame) => applyTest(name, of(frame), args(frame), frame.runtime)
    }
    case 'not': {
      const of = compileExpression(node.of)
      return (frame) => !isTrue(of(frame))
    }
    case 'negative':
    case 'positive': {
      const [of, sign] = [compileExpression(node.of), node.type === 'negative' ? negate : asPositive]
      return (frame) => sign(of(frame))
    }
    case 'and':
    case 'or': {
      const [left, right, isAnd] = [compileExpression(node.left), compileExpression(node.right), node.type === 'and']
      return (frame) => {
        const value = left(frame)
        return isTrue(value) === isAnd ? right(frame) : value
      }
    }
    case 'operation': {
      const [left, right, { operator }] = [compileExpression(node.left), compileExpression(node.right), node]
      return (frame) => operate(operator, left(frame), right(frame), frame.runtime)
    }
    case 'concatenation': {
      const parts = compileAll(node.parts)
      return (frame) => {
        const texts = parts(frame).map((part) => str(part, frame.runtime))
        frame.runtime.budget.text(texts.reduce((sum, text) => sum + text.length, 0))
        return texts.join('')
      }
    }
    case 'comparison':
      return compileComparison(node)
    case 'condition':
      return compileCondition(node)
  }
}

function compileAll(nodes: readonly Expression[]): (frame: Frame) => readonly Value[] {
  const items = nodes.map(compileExpression)
  return (frame) => items.map((item) => item(frame))
}

function compileDict(nodes: readonly (readonly [Expression, Expression])[]): Evaluate {
  const entries = nodes.map(([key, value]) => [compileExpression(key), compileExpression(value)] as const)
  return (frame) => {
    const dict = new Dict()
    for (const [evaluateKey, value] of entries) {
      const key = evaluateKey(frame)
      if (!dict.set(key, value(frame))) throw failed(`unhashable type: '${typeName(key)}'`)
    }
    return dict
  }
}

function compileItem(node: Extract<Expression, { type: 'item' }>): Evaluate {
  const of = compileExpression(node.of)
  if (node.key.type !== 'slice') {
    const key = compileExpression(node.key)
    return (frame) => item(of(frame), key(frame), frame.runtime)
  }
  const none: Evaluate = () => null
  const [start = none, stop = none, step = none] = [node.key.start, node.key.stop, node.key.step].map(
    (part) => part && compileExpression(part),
  )
  return (frame) => slice(of(frame), { start: start(frame), stop: stop(frame), step: step(frame) }, frame.runtime)
}

export function compileArguments(nodes: CallArguments): (frame: Frame) => Arguments {
  const given = compileAll(nodes.positional)
  const named = nodes.named.map(([name, value]) => [name, compileExpression(value)] as const)
  const spread = nodes.spread && compileExpression(nodes.spread)
  const spreadNamed = nodes.spreadNamed && compileExpression(nodes.spreadNamed)
  return (frame) => {
    const positional = given(frame)
    const names = new Map(named.map(([name, value]) => [name, value(frame)] as const))
    const more = spread && spreadOut(spread(frame), frame)
    const moreNamed = spreadNamed?.(frame)
    if (moreNamed instanceof Dict) {
      frame.runtime.budget.elements(moreNamed.size)
      for (const [key, value] of moreNamed.entries()) names.set(textOf(key) ?? '', value)
    } else if (moreNamed !== undefined) {
      throw failed(`argument after ** must be a mapping, not ${typeName(moreNamed)}`)
    }
    return { positional: more ? [...positional, ...more] : positional, named: names }
  }
}

function spreadOut(value: Value, { runtime }: Frame): readonly Value[] {
  const items: Value[] = []
  for (const item of iterateOrFail(value)) {
    runtime.budget.spend(1)
    items.push(item)
  }
  return items
}

function compileCall(node: Extract<Expression, { type: 'call' }>): Evaluate {
  const [of, args, { line }] = [compileExpression(node.of), compileArguments(node.args), node]
  return (frame) => call(of(frame), args(frame), frame, line)
}

export function call(callee: Value, args: Arguments, { runtime }: Frame, line: number): Value {
  runtime.line = line
  if (callee instanceof Undefined) throw undefinedFault(callee)
  const run = callee instanceof Thing ? callee.callable : undefined
  if (!run) throw failed(`'${typeName(callee)}' object is not callable`)
  const result = run(args, runtime)
  runtime.line = line
  return result
}

type Comparison = (left: Value, right: Value, frame: Frame) => boolean

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
  return (frame) => {
    let left = first(frame)
    for (const [holds, operand] of rest) {
      const right = operand(frame)
      if (!holds(left, right, frame)) return false
      left = right
    }
    return true
  }
}

function compileCondition(node: Extract<Expression, { type: 'condition' }>): Evaluate {
  const [test, value] = [compileExpression(node.test), compileExpression(node.value)]
  const otherwise = node.otherwise && compileExpression(node.otherwise)
  const message = `the inline if-expression on line ${node.line} evaluated to false and no else section was defined.`
  return (frame) => {
    if (isTrue(test(frame))) return value(frame)
    return otherwise ? otherwise(frame) : new Undefined(message)
  }
}
