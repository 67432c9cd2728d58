import type { BinaryOperator } from '../parse/ast.ts'
import { failed, TemplateFault } from '../parse/error.ts'
import { formatPercent } from './format/percent.ts'
import type { Runtime } from './values/runtime.ts'
import { escapeMarkup } from './values/text.ts'
import {
  failOnUndefined,
  fromBigInt,
  isInteger,
  isList,
  isNumeric,
  textOf,
  toFloat,
  toIndex,
  typeName,
} from './values/types.ts'
import { Float, Markup, Tuple, type Value } from './values/values.ts'

/** `left operator right`, as Python works it out. */
export function operate(operator: BinaryOperator, left: Value, right: Value, runtime: Runtime): Value {
  // The commonest by far.
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    runtime.budget.text(left.length + right.length)
    return left + right
  }
  if (operator === '%' && textOf(left) !== undefined) return formatPercent(left, right, runtime)
  failOnUndefined(left, right)
  const result =
    isNumeric(left) && isNumeric(right)
      ? operateNumbers(operator, left, right, runtime)
      : operator === '+'
        ? join(left, right, runtime)
        : operator === '*'
          ? (repeat(left, right, runtime) ?? repeat(right, left, runtime))
          : undefined
  if (result !== undefined) return result
  throw unsupported(operator, left, right)
}

function unsupported(operator: BinaryOperator, left: Value, right: Value): TemplateFault {
  if (operator === '+') {
    if (typeof left === 'string') return failed(`can only concatenate str (not "${typeName(right)}") to str`)
    if (isList(left)) return failed(`can only concatenate list (not "${typeName(right)}") to list`)
    if (left instanceof Tuple) return failed(`can only concatenate tuple (not "${typeName(right)}") to tuple`)
  }
  if (operator === '*') {
    for (const [sequence, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (textOf(sequence) !== undefined || isList(sequence) || sequence instanceof Tuple) {
        return failed(`can't multiply sequence by non-int of type '${typeName(other)}'`)
      }
    }
  }
  const name = operator === '**' ? '** or pow()' : operator
  return failed(`unsupported operand type(s) for ${name}: '${typeName(left)}' and '${typeName(right)}'`)
}

type Numeric = boolean | number | bigint | Float

function operateNumbers(operator: BinaryOperator, left: Numeric, right: Numeric, runtime: Runtime): Value {
  if (operator !== '/' && isInteger(left) && isInteger(right)) {
    const isNegativePower = operator === '**' && Number(right) < 0
    if (!isNegativePower) return operateIntegers(operator, left, right, runtime)
  }
  const [a, b] = [toFloat(left), toFloat(right)]
  switch (operator) {
    case '+':
      return new Float(a + b)
    case '-':
      return new Float(a - b)
    case '*':
      return new Float(a * b)
    case '**':
      if (a === 0 && b < 0) throw failed('0.0 cannot be raised to a negative power')
      if (a < 0 && !Number.isInteger(b) && Number.isFinite(a) && Number.isFinite(b))
        throw failed('a root of a negative number is a complex number, which templates cannot use')
      if (Number.isFinite(a) && Number.isFinite(b) && !Number.isFinite(a ** b))
        throw failed("(34, 'Numerical result out of range')")
      return new Float(a ** b)
  }
  if (b === 0) {
    const floats = left instanceof Float || right instanceof Float
    throw failed(
      operator === '/'
        ? floats
          ? 'float division by zero'
          : 'division by zero'
        : operator === '%'
          ? 'float modulo'
          : 'float floor division by zero',
    )
  }
  if (operator === '/') return new Float(a / b)
  const rest = restOf(a, b)
  return new Float(operator === '%' ? rest : wholesIn(a, b, rest))
}

/** The remainder, with the sign of the divisor. */
function restOf(a: number, b: number): number {
  const rest = a % b
  if (rest === 0) return b < 0 ? -0 : 0
  return rest < 0 !== b < 0 ? rest + b : rest
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0)
}

/** The floored quotient: computed from the remainder, as the quotient itself may be rounded up to a whole. */
function wholesIn(a: number, b: number, rest: number): number {
  const quotient = (a - rest) / b
  if (quotient === 0) return isNegative(a) === isNegative(b) ? 0 : -0
  const whole = Math.floor(quotient)
  return quotient - whole > 0.5 ? whole + 1 : whole
}

function operateIntegers(
  operator: Exclude<BinaryOperator, '/'>,
  left: boolean | number | bigint,
  right: boolean | number | bigint,
  runtime: Runtime,
): Value {
  if ((operator === '//' || operator === '%') && Number(right) === 0) {
    throw failed(operator === '%' ? 'integer modulo by zero' : 'integer division or modulo by zero')
  }
  if (typeof left !== 'bigint' && typeof right !== 'bigint') {
    const small = operateSmall(operator, Number(left), Number(right))
    if (Number.isSafeInteger(small)) return small
  }
  return operateLarge(operator, BigInt(left), BigInt(right), runtime)
}

function operateSmall(operator: Exclude<BinaryOperator, '/'>, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right || 0
    case '//':
      return Math.floor(left / right) || 0
    case '%':
      return left - right * Math.floor(left / right) || 0
    case '**':
      return left ** right
  }
}

function operateLarge(operator: Exclude<BinaryOperator, '/'>, left: bigint, right: bigint, runtime: Runtime): Value {
  const sizes = [digits(left), digits(right)] as const
  // Long division and multiplication take the product of the lengths.
  runtime.budget.spend(10 + ((sizes[0] * sizes[1]) >>> 10))
  switch (operator) {
    case '+':
      return fromBigInt(left + right)
    case '-':
      return fromBigInt(left - right)
    case '*':
      checkSize(sizes[0] + sizes[1])
      return fromBigInt(left * right)
    case '**':
      checkSize(sizes[0] * Number(right))
      runtime.budget.spend((sizes[0] * Number(right)) >>> 2)
      return fromBigInt(left ** right)
    case '//':
    case '%': {
      const rest = left % right
      const isBelow = rest !== 0n && rest < 0n !== right < 0n
      if (operator === '%') return fromBigInt(isBelow ? rest + right : rest)
      return fromBigInt(left / right - (isBelow ? 1n : 0n))
    }
  }
}

function digits(value: bigint): number {
  return value > -10n && value < 10n ? 1 : value.toString(16).length
}

/** Throws if a number has more digits than Python writes. */
function checkSize(size: number): void {
  if (size > 4300) throw new TemplateFault('budget', 'the template makes a number of more than 4300 digits')
}

function join(left: Value, right: Value, runtime: Runtime): Value | undefined {
  const [leftText, rightText] = [textOf(left), textOf(right)]
  if (leftText !== undefined && rightText !== undefined) {
    if (!(left instanceof Markup) && !(right instanceof Markup)) {
      runtime.budget.text(leftText.length + rightText.length)
      return leftText + rightText
    }
    const [before, after] = [escapeMarkup(left, runtime).text, escapeMarkup(right, runtime).text]
    runtime.budget.text(before.length + after.length)
    return new Markup(before + after)
  }
  const isTuples = left instanceof Tuple && right instanceof Tuple
  const [a, b] = isTuples ? [left.items, right.items] : [left, right]
  if (!isList(a) || !isList(b)) return undefined
  runtime.budget.elements(a.length + b.length)
  return isTuples ? new Tuple([...a, ...b]) : [...a, ...b]
}

function repeat(sequence: Value, times: Value, runtime: Runtime): Value | undefined {
  const count = Math.max(0, toIndex(times) ?? Number.NaN)
  if (Number.isNaN(count)) return undefined
  const text = textOf(sequence)
  if (text !== undefined) {
    runtime.budget.text(text.length * count)
    return sequence instanceof Markup
      ? new Markup(text.repeat(text === '' ? 0 : count))
      : text.repeat(text === '' ? 0 : count)
  }
  const items = sequence instanceof Tuple ? sequence.items : sequence
  if (!isList(items)) return undefined
  runtime.budget.elements(items.length * count)
  const repeated = Array.from({ length: items.length * count }, (_, at) => items[at % items.length] ?? null)
  return sequence instanceof Tuple ? new Tuple(repeated) : repeated
}

export function negate(value: Value): Value {
  failOnUndefined(value)
  if (value instanceof Float) return new Float(-value.value)
  if (isInteger(value)) return fromBigInt(-BigInt(value))
  throw failed(`bad operand type for unary -: '${typeName(value)}'`)
}

export function asPositive(value: Value): Value {
  failOnUndefined(value)
  if (value instanceof Float) return value
  if (isInteger(value)) return fromBigInt(BigInt(value))
  throw failed(`bad operand type for unary +: '${typeName(value)}'`)
}
