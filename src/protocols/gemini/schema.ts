import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'

/** Types of Google's schemas that have another name, or none, in JSON Schema. */
const noTypes: ReadonlySet<string> = new Set(['TYPE_UNSPECIFIED', 'ANY'])

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const nested: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])

/** Bounds, which protocol buffers write as text: `"minItems": "1"`. */
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])

/** Keywords that JSON Schema does not have, and whose meaning is elsewhere in the result. */
const dropped: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering'])

/** Names that protocol buffers have for these keywords. */
const renamed: ReadonlyMap<string, string> = new Map(
  [...lists, ...counts, 'additionalProperties', 'propertyOrdering'].map((name) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name,
  ]),
)

/**
 * Returns a schema of Google's dialect of OpenAPI 3.0 as JSON Schema: types in lower case, `nullable` as a type, bounds as numbers.
 * Keywords of JSON Schema are kept unchanged. The depth of the schema must be bounded.
 *
 * @example
 * toJsonSchema({ type: 'STRING', nullable: true }) // { type: ['string', 'null'] }
 */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    const keyword = renamed.get(key) ?? key
    if (value === undefined || dropped.has(keyword)) continue
    const converted = convert(keyword, value)
    if (converted !== undefined) result[keyword === 'example' ? 'examples' : keyword] = converted
  }
  if (schema.nullable === true) allowNull(result)
  return result
}

function convert(keyword: string, value: JsonValue): JsonValue | undefined {
  if (keyword === 'type') return typeOf(value)
  if (keyword === 'example') return [value]
  // `enum` adds nothing to the keyword of that name.
  if (keyword === 'format' && value === 'enum') return undefined
  if (counts.has(keyword) && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  if (nested.has(keyword)) return isJsonObject(value) ? toJsonSchema(value) : value
  if (lists.has(keyword) && Array.isArray(value)) {
    return value.map((one) => (isJsonObject(one) ? toJsonSchema(one) : one))
  }
  if (maps.has(keyword) && isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, one]) => [name, isJsonObject(one) ? toJsonSchema(one) : one])
    return Object.fromEntries(entries)
  }
  return value
}

function typeOf(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one.toLowerCase() : one))
  if (typeof value !== 'string') return value
  return noTypes.has(value.toUpperCase()) ? undefined : value.toLowerCase()
}

function allowNull(schema: JsonObject): void {
  const { type, anyOf } = schema
  if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null']
  if (Array.isArray(anyOf)) schema.anyOf = [...anyOf, { type: 'null' }]
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null]
}
