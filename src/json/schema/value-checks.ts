import type { JsonObject } from '../../conversation/index.ts'
import { formatFault } from './formats.ts'
import { OutOfBounds, type ValidationState } from './validation-state.ts'

/** Checks of a value for the keywords that contain no schemas. */

/** Checks the type, and the values that are allowed. */
export function checkValue(state: ValidationState, schema: JsonObject, value: unknown, place: string): void {
  if (value === null && schema.nullable === true) return
  const named = listOf(schema.type)
  state.spend(named.length)
  const types = named.filter((type) => typeof type === 'string' && type in nouns)
  if (types.length < named.length && schema.type !== undefined) state.doubt()
  else if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    const wanted = types.map((type) => nouns[String(type)] ?? '').join(' or ')
    state.fault(place, `is ${nouns[typeNameOf(value)]}, not ${wanted}`)
  }
  if ('const' in schema && !areSame(state, value, schema.const)) {
    state.fault(place, `is not ${shown(schema.const)}`)
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => areSame(state, value, one))) {
    state.fault(place, `is none of ${shownList(schema.enum)}`)
  }
  if (typeof value === 'number') checkNumber(state, schema, value, place)
  if (typeof value === 'string') checkString(state, schema, value, place)
}

function checkNumber(state: ValidationState, schema: JsonObject, value: number, place: string): void {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) state.fault(place, `is less than ${minimum}`)
  if (typeof maximum === 'number' && value > maximum) state.fault(place, `is more than ${maximum}`)
  // Before draft 6 these keywords were booleans that exclude the bound itself.
  const over = above === true ? minimum : above
  const under = below === true ? maximum : below
  if (typeof over === 'number' && value <= over) state.fault(place, `is not more than ${over}`)
  if (typeof under === 'number' && value >= under) state.fault(place, `is not less than ${under}`)
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf)) {
    state.fault(place, `is no multiple of ${multipleOf}`)
  }
}

function checkString(state: ValidationState, schema: JsonObject, value: string, place: string): void {
  const { minLength, maxLength, format } = schema
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    state.spend(value.length / 100)
    checkCount(state, characters(value), [minLength, maxLength], 'characters', place)
  }
  if (typeof format !== 'string') return
  const fault = formatFault(format, value)
  if (fault === 'unknown') state.doubt()
  else if (fault !== undefined) state.fault(place, fault.message)
}

/** Faults a number of things that is beyond its bounds, so far as these are numbers. */
export function checkCount(
  state: ValidationState,
  count: number,
  [min, max]: readonly unknown[],
  what: string,
  place: string,
): void {
  if (typeof min === 'number' && count < min) state.fault(place, `has ${count} ${what}, at least ${min} are needed`)
  if (typeof max === 'number' && count > max) state.fault(place, `has ${count} ${what}, at most ${max} are allowed`)
}

export function hasRepetition(state: ValidationState, value: readonly unknown[]): boolean {
  const plain = value.filter((one) => typeof one !== 'object' || one === null)
  const others = value.filter((one) => typeof one === 'object' && one !== null)
  state.spend(value.length)
  if (new Set(plain).size < plain.length) return true
  return others.some((one, at) => others.slice(at + 1).some((other) => areSame(state, one, other)))
}

function areSame(state: ValidationState, one: unknown, other: unknown, depth: number = 0): boolean {
  state.spend(1)
  if (!hasMembers(one) || !hasMembers(other)) return one === other
  if (one === other || Array.isArray(one) !== Array.isArray(other)) return one === other
  if (depth > state.bounds.depth) throw new OutOfBounds('depth')
  const keys = Object.keys(one)
  const others = Object.keys(other)
  state.spend(keys.length + others.length)
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && areSame(state, one[key], other[key], depth + 1))
  )
}

/** True for an object and a list. */
function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const nouns: Readonly<Record<string, string>> = {
  ...{ string: 'a string', number: 'a number', integer: 'an integer', boolean: 'a boolean', null: 'null' },
  ...{ object: 'an object', array: 'an array' },
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeNameOf(value) === type
}

/** A quotient is rarely whole in binary: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return (
    !Number.isFinite(quotient) || Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
  )
}

/** Length as JSON Schema counts it: in code points. An iterator makes each of them a string, which takes twice to four times as long. */
function characters(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    if (isPair) count--
  }
  return count
}

const longestShown = 100
const mostShown = 20

export function shown(value: unknown): string {
  // Only a string is sure to be short once it is cut; the text of a nested value has no bound.
  if (typeof value === 'string')
    return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)
  return typeof value === 'object' && value !== null ? 'the value that the schema names' : String(value)
}

function shownList(values: readonly unknown[]): string {
  const more = values.length > mostShown ? `, and ${values.length - mostShown} others` : ''
  return values.slice(0, mostShown).map(shown).join(', ') + more
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
