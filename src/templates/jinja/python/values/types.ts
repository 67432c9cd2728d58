import { failed, type TemplateFault } from '../../parse/error.ts'
import type { Budget } from './budget.ts'
import { Dict, Float, Markup, Thing, Tuple, Undefined, type Value } from './values.ts'

/** Python's name of the value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return 'int'
  if (typeof value === 'string') return 'str'
  if (value instanceof Float) return 'float'
  if (value instanceof Markup) return 'Markup'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Dict) return 'dict'
  if (value instanceof Undefined) return 'Undefined'
  if (value instanceof Thing) return value.typeName
  return 'list'
}

/** A value's type as Jinja's own messages have it. */
export function describeType(value: Value): string {
  if (value === null) return 'None'
  if (value instanceof Markup) return 'markupsafe.Markup object'
  const name = typeName(value)
  return jinjaTypes.has(name) ? `jinja2.${name} object` : `${name} object`
}

const jinjaTypes: ReadonlySet<string> = new Set(['utils.Namespace', 'runtime.Macro', 'runtime.LoopContext'])

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** The text of a string, marked as safe or not. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Markup ? value.text : undefined
}

/** True for a number or a boolean, which counts as one. */
export function isNumeric(value: Value): value is boolean | number | bigint | Float {
  return isInteger(value) || value instanceof Float
}

/** Python's whole numbers; a boolean is one too. */
export function isInteger(value: Value): value is boolean | number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

export function toFloat(value: boolean | number | bigint | Float): number {
  return value instanceof Float ? value.value : Number(value)
}

/** A whole number of any size in the form that values have. */
export function fromBigInt(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/**
 * A whole number that is used as a count or a place; far too large ones are reduced to one that is equally out of
 * range.
 */
export function toIndex(value: Value): number | undefined {
  if (!isInteger(value)) return undefined
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)))
}

export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value !== ''
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
  }
  if (value === null || value instanceof Undefined) return false
  if (isList(value)) return value.length > 0
  if (value instanceof Dict) return value.size > 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Markup) return value.text !== ''
  return value.length !== 0
}

/** The elements that a loop over the value sees; undefined if Python cannot iterate over it. */
export function iterate(value: Value): Iterable<Value> | undefined {
  if (isList(value)) return value
  if (typeof value === 'string') return value
  if (value instanceof Dict) return value.keys()
  if (value instanceof Tuple) return value.items
  if (value instanceof Undefined) return []
  // The characters of safe text are plain.
  if (value instanceof Markup) return value.text
  return value instanceof Thing ? value.iterate() : undefined
}

export function iterateOrFail(value: Value): Iterable<Value> {
  const elements = iterate(value)
  // Empty text is iterable as well.
  if (elements !== undefined) return elements
  throw failed(`'${typeName(value)}' object is not iterable`)
}

/** The number of elements; undefined if Python's `len` fails. */
export function lengthOf(value: Value): number | undefined {
  const text = textOf(value)
  if (text !== undefined) return codePointLength(text)
  if (isList(value)) return value.length
  if (value instanceof Dict) return value.size
  if (value instanceof Tuple) return value.items.length
  if (value instanceof Undefined) return 0
  return value instanceof Thing ? value.length : undefined
}

const surrogate = /[\ud800-\udbff][\udc00-\udfff]/

/** Python counts code points. */
export function codePointLength(text: string): number {
  if (!surrogate.test(text)) return text.length
  let length = 0
  for (const _ of text) length++
  return length
}

/** The characters as Python counts them; the text itself if JavaScript counts the same. */
export function codePoints(text: string, budget: Budget): string | string[] {
  if (!surrogate.test(text)) return text
  budget.walk(text.length)
  return Array.from(text)
}

/** Throws the error of an undefined value that is used in an operator, call or lookup. */
export function failOnUndefined(...values: readonly Value[]): void {
  for (const value of values) if (value instanceof Undefined) throw undefinedFault(value)
}

export function undefinedFault(value: Undefined): TemplateFault {
  return failed(value.message)
}
