import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { jsonTypeOf } from '../write/value.ts'
import { isNumber } from './types.ts'
import { constantsOf, inBoth } from './values/constants.ts'
import { fitsSize } from './values/fits.ts'
import { asList, listOf } from './values/lists.ts'
import { lowerBound, upperBound } from './values/number-bounds.ts'
import { fitsFacets, stringFacets, stringLanguage } from './values/strings.ts'
import type { Variant } from './variants.ts'

/** False if no value is in both lists; true if one may be. */
export function mayShare(ones: readonly Variant[], others: readonly Variant[]): boolean {
  return ones.some((one) => others.some((other) => areBoth(one, other)))
}

/** False if no value can be of both: the types or their constraints differ. */
function areBoth(one: Variant, other: Variant): boolean {
  if (one.type === 'any' || other.type === 'any') return true
  if (one.type === 'const' && other.type === 'const') return one.json === other.json
  const [first, second] = [typeOf(one), typeOf(other)]
  if (first !== second && !(isNumber(first) && isNumber(second))) return false
  if (one.type === 'const') return 'schema' in other ? fits(one.json, other) : true
  if (other.type === 'const') return 'schema' in one ? fits(other.json, one) : true
  return !('schema' in one && 'schema' in other) || !areDisjoint(first, one.schema, other.schema)
}

function fits(json: string, { type, schema }: Extract<Variant, { schema: JsonObject }>): boolean {
  const value: JsonValue = JSON.parse(json)
  if (type === 'integer' && !Number.isInteger(value)) return false
  return fitsSize(value, schema) && (typeof value !== 'string' || fitsFacets(value, schema) !== false)
}

function typeOf(variant: Exclude<Variant, { type: 'any' }>): string {
  return variant.type === 'const' ? jsonTypeOf(variant.json) : variant.type
}

function areDisjoint(type: string, one: JsonObject, other: JsonObject): boolean {
  if (type === 'object') return areDisjointObjects(one, other)
  if (type === 'string') return areDisjointStrings(one, other)
  if (isNumber(type)) return endsBefore(one, other) || endsBefore(other, one)
  return false
}

function areDisjointStrings(one: JsonObject, other: JsonObject): boolean {
  const [first, second] = [stringFacets(one), stringFacets(other)]
  const both = {
    patterns: [...first.patterns, ...second.patterns],
    formats: [...first.formats, ...second.formats],
    not: [...first.not, ...second.not],
    min: Math.max(first.min, second.min),
    max: Math.min(first.max, second.max),
  }
  return both.max < both.min || stringLanguage(both).language.isEmpty
}

function endsBefore(one: JsonObject, other: JsonObject): boolean {
  const [high, low] = [upperBound(one, false), lowerBound(other, false)]
  if (!high || !low) return false
  return high.value < low.value || (high.value === low.value && (high.isExclusive || low.isExclusive))
}

/** One must have a member that the other may not have, or both have it with no value in common. */
function areDisjointObjects(one: JsonObject, other: JsonObject): boolean {
  const [needed, alsoNeeded] = [requiredOf(one), requiredOf(other)]
  return [...new Set([...needed, ...alsoNeeded])].some((key) => {
    const [first, second] = [memberOf(one, key), memberOf(other, key)]
    return first === false || second === false || haveNothingInCommon(first, second)
  })
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return listOf(required).filter((key) => typeof key === 'string')
}

function memberOf({ properties, additionalProperties, patternProperties }: JsonObject, key: string): JsonValue {
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return properties[key] ?? true
  return additionalProperties !== false || isJsonObject(patternProperties)
}

/** True for schemas that name different constants or types; references are not followed. */
function haveNothingInCommon(one: JsonValue, other: JsonValue): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const [first, second] = [constantsOf(one), constantsOf(other)]
  if (first && second) return inBoth(first, second).length === 0
  const [types, otherTypes] = [typesOf(one, first), typesOf(other, second)]
  return types !== undefined && otherTypes !== undefined && !types.some((type) => otherTypes.includes(type))
}

function typesOf({ type, nullable }: JsonObject, constants: readonly JsonValue[] | undefined): string[] | undefined {
  const named = constants
    ? constants.map((value) => jsonTypeOf(JSON.stringify(value)))
    : asList(type).filter((name) => typeof name === 'string')
  if (named.length === 0) return undefined
  return [...named, ...(nullable === true ? ['null'] : [])].map((name) => (name === 'integer' ? 'number' : name))
}
