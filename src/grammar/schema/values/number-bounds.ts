import type { JsonObject } from '../../../conversation/index.ts'

/** A bound that is itself left out or in. */
export interface Bound {
  value: number
  isExclusive: boolean
}

/** The smallest number that a schema admits; undefined if there is none. */
export function lowerBound(schema: JsonObject, isInteger: boolean): Bound | undefined {
  const bound = bounded(schema.minimum, schema.exclusiveMinimum, (one, other) => one > other)
  if (!bound || !isInteger) return bound
  const whole = Math.ceil(bound.value)
  return { value: bound.isExclusive && whole === bound.value ? whole + 1 : whole, isExclusive: false }
}

/** The largest number that a schema admits; undefined if there is none. */
export function upperBound(schema: JsonObject, isInteger: boolean): Bound | undefined {
  const bound = bounded(schema.maximum, schema.exclusiveMaximum, (one, other) => one < other)
  if (!bound || !isInteger) return bound
  const whole = Math.floor(bound.value)
  return { value: bound.isExclusive && whole === bound.value ? whole - 1 : whole, isExclusive: false }
}

/** In early drafts of JSON schema `exclusiveMinimum` is a boolean. */
function bounded(
  plain: unknown,
  exclusive: unknown,
  isTighter: (one: number, other: number) => boolean,
): Bound | undefined {
  const included = typeof plain === 'number' ? { value: plain, isExclusive: exclusive === true } : undefined
  if (typeof exclusive !== 'number') return included
  const excluded = { value: exclusive, isExclusive: true }
  return included && isTighter(included.value, exclusive) ? included : excluded
}

/** False if the bounds of a schema admit no number, or no whole one. */
export function hasNumber(schema: JsonObject, isInteger: boolean): boolean {
  const [low, high] = [lowerBound(schema, isInteger), upperBound(schema, isInteger)]
  if (!low || !high || low.value < high.value) return true
  return low.value === high.value && !low.isExclusive && !high.isExclusive
}
