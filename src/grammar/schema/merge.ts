import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { MemberNames } from './members/names.ts'
import { openKeyword, setOpen } from './members/open.ts'
import { someMemberKeyword } from './members/some.ts'
import { constantsOf, inBoth } from './values/constants.ts'
import { asList, listOf } from './values/lists.ts'

type Notice = (what: string) => void
type Merge = (one: JsonValue, other: JsonValue, notice: Notice) => JsonValue | undefined

const largest: Merge = (one, other) => Math.max(Number(one), Number(other))
const smallest: Merge = (one, other) => Math.min(Number(one), Number(other))
const both: Merge = (one, other) => [...new Set([...asList(one), ...asList(other)])]
const common: Merge = (one, other) => inBoth(asList(one), asList(other))

/** The rule by which the values of a keyword in two schemas are merged. */
const merges: Readonly<Record<string, Merge>> = {
  required: both,
  enum: common,
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
  type: mergeTypes,
  properties: mergeProperties,
  pattern: both,
  format: both,
  not: both,
  multipleOf: both,
  contains: both,
  [someMemberKeyword]: both,
  [openKeyword]: (one, other) => one === true && other === true,
  uniqueItems: (one, other) => one === true || other === true,
  items: asBoth,
  additionalItems: asBoth,
  additionalProperties: asBoth,
  propertyNames: asBoth,
  patternProperties: mergeProperties,
  allOf: (one, other) => [...asList(one), ...asList(other)],
}
const silent: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  '$schema',
  '$id',
  '$comment',
])

/**
 * A schema for the values that both schemas admit. If that cannot be expressed, it admits more and reports a notice.
 */
export function mergeSchemas(
  one: JsonObject | boolean,
  other: JsonObject | boolean,
  notice: Notice,
): JsonObject | boolean {
  if (one === false || other === false) return false
  if (!isJsonObject(one)) return other
  if (!isJsonObject(other)) return one
  // The same schema, so that what leads back to it is known again.
  if (isEmptyObject(one)) return other
  if (isEmptyObject(other)) return one
  const [some, others] = [constantsOf(one), constantsOf(other)]
  if (some && others && ('const' in one || 'const' in other)) {
    const { const: _, ...first } = one
    const { const: __, ...second } = other
    return mergeSchemas({ ...first, enum: [...some] }, { ...second, enum: [...others] }, notice)
  }
  const items = tupleOfBoth(one, other)
  if (items) return mergeSchemas({ ...one, ...items }, { ...other, ...items }, notice)
  if (leavesOpen(one, other) || leavesOpen(other, one))
    notice('"additionalProperties" in a part of allOf is not expressed for members that patterns of other parts match')
  const merged: JsonObject = { ...withNamesOf(other, one, notice) }
  const extra: JsonValue[] = []
  for (const [key, value] of Object.entries(withNamesOf(one, other, notice))) {
    const present = merged[key]
    if (value === undefined) continue
    if (present === undefined) merged[key] = value
    else if (JSON.stringify(present) !== JSON.stringify(value)) {
      const merge = merges[key]
      const result = merge?.(present, value, notice)
      if (result === undefined && (key === 'anyOf' || key === 'oneOf')) extra.push({ [key]: value })
      else if (result !== undefined) merged[key] = result
      else if (!silent.has(key)) notice(`of "${key}" in both parts of allOf only the first is expressed`)
    }
  }
  setOpen(merged, one, other)
  if ((Array.isArray(merged.type) && merged.type.length === 0) || lacksRequired(merged)) return false
  // Two unions at once: each of the one is combined with each of the other.
  return extra.length > 0 ? { ...merged, allOf: [...asList(merged.allOf ?? []), ...extra] } : merged
}

function isEmptyObject(schema: JsonObject): boolean {
  for (const _ in schema) return false
  return true
}

/** True if patterns of the other schema match members that one schema treats as unnamed. */
function leavesOpen({ additionalProperties = true }: JsonObject, { patternProperties }: JsonObject): boolean {
  return additionalProperties !== true && isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0
}

/**
 * A schema that constrains members without a declared name, extended by the names that the other schema declares or
 * requires.
 */
function withNamesOf(other: JsonObject, schema: JsonObject, notice: Notice): JsonObject {
  const { additionalProperties = true, properties } = schema
  if (additionalProperties === true) return schema
  const own = isJsonObject(properties) ? properties : {}
  const named = isJsonObject(other.properties) ? Object.keys(other.properties) : []
  const asked = [...listOf(other.required), ...listOf(schema.required)]
  const all = [...named, ...asked].filter((key) => typeof key === 'string')
  const missing = [...new Set(all)].filter((key) => !Object.hasOwn(own, key))
  if (missing.length === 0) return schema
  const names = new MemberNames(schema, notice)
  const added = missing.map((key) => [key, names.unnamed(key, additionalProperties)])
  return { ...schema, properties: { ...own, ...Object.fromEntries(added) } }
}

/** True for an object that must have a member which it may not have. */
function lacksRequired({ type, required, properties }: JsonObject): boolean {
  if (type !== 'object' || !isJsonObject(properties)) return false
  return listOf(required).some((key) => typeof key === 'string' && properties[key] === false)
}

function mergeTypes(one: JsonValue, other: JsonValue): JsonValue {
  const [first, second] = [asList(one), asList(other)]
  const found = first.flatMap((type) => {
    if (second.includes(type)) return [type]
    if (type === 'number' && second.includes('integer')) return ['integer']
    return type === 'integer' && second.includes('number') ? ['integer'] : []
  })
  return found.length === 1 && found[0] !== undefined ? found[0] : found
}

function mergeProperties(one: JsonValue, other: JsonValue): JsonValue | undefined {
  if (!isJsonObject(one) || !isJsonObject(other)) return undefined
  const merged: JsonObject = { ...one }
  for (const [key, schema] of Object.entries(other)) {
    const present = merged[key]
    merged[key] = present === undefined || schema === undefined ? schema : asBoth(present, schema)
  }
  return merged
}

/**
 * The elements if one schema has a tuple: each is constrained by both schemas' element at its place. Undefined if both
 * have the same elements, or only one has any.
 */
function tupleOfBoth(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const [first, second] = [tupleOf(one), tupleOf(other)]
  if (!first || !second || JSON.stringify(first) === JSON.stringify(second)) return undefined
  const length = Math.max(first.items.length, second.items.length)
  if (length === 0) return undefined
  const prefixItems = Array.from({ length }, (_, at) =>
    asBoth(first.items[at] ?? first.rest, second.items[at] ?? second.rest),
  )
  return { prefixItems, items: asBoth(first.rest, second.rest) }
}

/** Older schemas have the tuple in `items`, and the schema of the following items under another keyword. */
function tupleOf({
  prefixItems,
  items,
  additionalItems,
}: JsonObject): { items: JsonValue[]; rest: JsonValue } | undefined {
  if (Array.isArray(prefixItems)) return { items: prefixItems, rest: items ?? true }
  if (Array.isArray(items)) return { items, rest: additionalItems ?? true }
  return items === undefined ? undefined : { items: [], rest: items }
}

function asBoth(one: JsonValue, other: JsonValue): JsonValue {
  if (one === true || other === true) return one === true ? other : one
  if (one === false || other === false) return false
  if (!isJsonObject(one) || !isJsonObject(other)) return isJsonObject(one) ? one : other
  if (one === other || JSON.stringify(one) === JSON.stringify(other)) return one
  const ofOne = pairs.get(one) ?? new WeakMap<JsonObject, JsonObject>()
  pairs.set(one, ofOne)
  const pair = ofOne.get(other) ?? { allOf: [one, other] }
  ofOne.set(other, pair)
  return pair
}

/** The same two schemas always have the same merged schema, so that references back to them are recognised. */
const pairs = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>()
