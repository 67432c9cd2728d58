import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { constantsOf, inBoth } from './constants.ts'

type Notice = (what: string) => void
type Merge = (one: JsonValue, other: JsonValue, notice: Notice) => JsonValue | undefined

const largest: Merge = (one, other) => Math.max(Number(one), Number(other))
const smallest: Merge = (one, other) => Math.min(Number(one), Number(other))
const both: Merge = (one, other) => [...new Set([...asList(one), ...asList(other)])]
const common: Merge = (one, other) => inBoth(asList(one), asList(other))

/** How keywords that stand in two schemas are one. */
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
  items: asBoth,
  additionalProperties: asBoth,
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

/** A schema for what both schemas admit; where that is more than can be said, it admits more, and says so. */
export function mergeSchemas(
  one: JsonObject | boolean,
  other: JsonObject | boolean,
  notice: Notice,
): JsonObject | boolean {
  if (one === false || other === false) return false
  if (!isJsonObject(one)) return other
  if (!isJsonObject(other)) return one
  const [some, others] = [constantsOf(one), constantsOf(other)]
  if (some && others && ('const' in one || 'const' in other)) {
    const { const: _, ...first } = one
    const { const: __, ...second } = other
    return mergeSchemas({ ...first, enum: [...some] }, { ...second, enum: [...others] }, notice)
  }
  const items = tupleOfBoth(one, other)
  if (items) return mergeSchemas({ ...one, ...items }, { ...other, ...items }, notice)
  if (closesFor(one, other) || closesFor(other, one))
    notice('"additionalProperties" in a part of allOf is not expressed for what other parts name')
  const merged: JsonObject = { ...one }
  const extra: JsonValue[] = []
  for (const [key, value] of Object.entries(other)) {
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
  if (Array.isArray(merged.type) && merged.type.length === 0) return false
  // Two unions at once: each of the one is combined with each of the other.
  return extra.length > 0 ? { ...merged, allOf: [...asList(merged.allOf ?? []), ...extra] } : merged
}

/** True where one schema says something of properties that it has no names for, and the other names such a one. */
function closesFor({ properties = {}, additionalProperties = true }: JsonObject, other: JsonObject): boolean {
  if (additionalProperties === true) return false
  const named = isJsonObject(other.properties) ? Object.keys(other.properties) : []
  const all = [...named, ...asList(other.required).filter((key) => typeof key === 'string')]
  return all.some((key) => !isJsonObject(properties) || !Object.hasOwn(properties, key))
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

/** The elements where one schema has a tuple: each has what both say of its place. Undefined where they say the same, or only one says anything. */
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

/** Older schemas have the tuple under `items`, and what follows it under another keyword. */
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
  return JSON.stringify(one) === JSON.stringify(other) ? one : { allOf: [one, other] }
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}
