import { failed } from '../../parse/error.ts'
import type { Runtime } from './runtime.ts'
import { indexOf } from './search.ts'
import { failOnUndefined, isInteger, isList, isNumeric, iterate, textOf, toFloat, typeName } from './types.ts'
import { Dict, isHashable, Thing, Tuple, Undefined, type Value } from './values.ts'

/** Python's `==`. */
export function equals(left: Value, right: Value, runtime: Runtime): boolean {
  runtime.budget.spend(1)
  if (left === right && typeof left !== 'string') return true
  if (isNumeric(left)) return isNumeric(right) && equalNumbers(left, right)
  const text = textOf(left)
  if (text !== undefined) {
    const other = textOf(right)
    if (text.length !== other?.length) return false
    runtime.budget.scan(text.length)
    return text === other
  }
  if (isList(left)) return isList(right) && equalSequences(left, right, runtime)
  if (left instanceof Tuple) return right instanceof Tuple && equalSequences(left.items, right.items, runtime)
  if (left instanceof Dict) return right instanceof Dict && equalDicts(left, right, runtime)
  return left instanceof Undefined && right instanceof Undefined
}

function equalNumbers(left: boolean | number | bigint | Parameters<typeof toFloat>[0], right: Value): boolean {
  if (isInteger(left) && isInteger(right)) return BigInt(left) === BigInt(right)
  return isNumeric(right) && toFloat(left) === toFloat(right)
}

function equalSequences(left: readonly Value[], right: readonly Value[], runtime: Runtime): boolean {
  return left.length === right.length && left.every((item, at) => equals(item, right[at] ?? null, runtime))
}

function equalDicts(left: Dict, right: Dict, runtime: Runtime): boolean {
  if (left.size !== right.size) return false
  for (const [key, value] of left.entries()) {
    const other = right.get(key)
    if (other === undefined || !equals(value, other, runtime)) return false
  }
  return true
}

/**
 * Python's order: below zero if the left comes first. `operator` is named in the error for values that have no order.
 */
export function compare(left: Value, right: Value, runtime: Runtime, operator = '<'): number {
  runtime.budget.spend(1)
  failOnUndefined(left, right)
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right)
  const [leftText, rightText] = [textOf(left), textOf(right)]
  if (leftText !== undefined && rightText !== undefined) {
    runtime.budget.scan(Math.min(leftText.length, rightText.length))
    return compareText(leftText, rightText)
  }
  if (isList(left) && isList(right)) return compareSequences(left, right, runtime, operator)
  if (left instanceof Tuple && right instanceof Tuple)
    return compareSequences(left.items, right.items, runtime, operator)
  throw failed(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`)
}

type Numeric = Parameters<typeof toFloat>[0]

function compareNumbers(left: Numeric, right: Numeric): number {
  const [a, b] = isInteger(left) && isInteger(right) ? [BigInt(left), BigInt(right)] : [toFloat(left), toFloat(right)]
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN
}

/** By code points: the halves of a surrogate pair come before U+E000 as UTF-16, and after it as a code point. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a !== b) return orderOf(a) - orderOf(b)
  }
  return left.length - right.length
}

function orderOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compareSequences(left: readonly Value[], right: readonly Value[], runtime: Runtime, operator: string): number {
  for (const [at, item] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    if (!equals(item, other, runtime)) return compare(item, other, runtime, operator)
  }
  return left.length - right.length
}

/** Python's `in`. */
export function contains(container: Value, item: Value, runtime: Runtime): boolean {
  const text = textOf(container)
  if (text !== undefined) {
    failOnUndefinedOperand(item)
    const part = textOf(item)
    if (part === undefined) throw failed(`'in <string>' requires string as left operand, not ${typeName(item)}`)
    runtime.budget.scan(text.length + part.length)
    return indexOf(text, part) >= 0
  }
  if (container instanceof Dict) {
    if (!isHashable(item) && !(item instanceof Undefined) && !(item instanceof Thing)) {
      throw failed(`unhashable type: '${typeName(item)}'`)
    }
    return container.has(item)
  }
  const elements = iterate(container)
  if (elements === undefined) throw failed(`argument of type '${typeName(container)}' is not iterable`)
  for (const element of elements) if (equals(element, item, runtime)) return true
  return false
}

function failOnUndefinedOperand(item: Value): void {
  if (item instanceof Undefined) throw failed("'in <string>' requires string as left operand, not Undefined")
}

/** A sorted copy; equal elements keep their order. */
export function sorted(values: readonly Value[], keys: readonly Value[], reverse: boolean, runtime: Runtime): Value[] {
  const order = values.map((_, at) => at)
  const direction = reverse ? -1 : 1
  order.sort((a, b) => direction * compare(keys[a] ?? null, keys[b] ?? null, runtime) || a - b)
  return order.map((at) => values[at] ?? null)
}
