import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { openKeyword } from './members/open.ts'
import { someMemberKeyword } from './members/some.ts'
import { listOf } from './values/lists.ts'

const typeNames = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const
export type TypeName = (typeof typeNames)[number]

/** An integer is a number. */
export const everyType: readonly TypeName[] = typeNames.filter((type) => type !== 'integer')

/** The types that a schema names; empty if it names no valid type. */
export function typesOf(schema: JsonObject): readonly TypeName[] {
  const own = schema.type
  if (typeof own === 'string') return typeNames.filter((type) => type === own)
  const named = listOf(own)
  const known = typeNames.filter((type) => named.includes(type))
  return known.includes('number') ? known.filter((type) => type !== 'integer') : known
}

export function isOfType(value: JsonValue | undefined, type: TypeName): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

export function isNumber(type: string): boolean {
  return type === 'number' || type === 'integer'
}

const ofNumbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'not']
/** The keywords that constrain the values of each type. */
const keywords: Readonly<Record<TypeName, readonly string[]>> = {
  string: ['pattern', 'format', 'minLength', 'maxLength', 'not'],
  number: ofNumbers,
  integer: ofNumbers,
  boolean: [],
  null: [],
  object: [
    ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
    ...['minProperties', 'maxProperties', someMemberKeyword, openKeyword],
  ],
  array: [
    ...['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems'],
    ...['contains', 'minContains', 'maxContains'],
  ],
}

const nothing: JsonObject = {}

/** A schema without the keywords for other types; the same schema if it has no keyword for this type. */
export function saidOf(type: TypeName, schema: JsonObject): JsonObject {
  const said = keywords[type].filter((keyword) => schema[keyword] !== undefined)
  if (said.length === 0) return nothing
  return Object.fromEntries(said.map((keyword) => [keyword, schema[keyword] ?? null]))
}
