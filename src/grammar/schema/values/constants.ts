import type { JsonObject, JsonValue } from '../../../conversation/index.ts'

/** The constants of a schema, if it has any: those that both its keywords for them contain. */
export function constantsOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const named = Array.isArray(schema.enum) ? schema.enum : undefined
  if (!('const' in schema)) return named
  const constant = schema.const ?? null
  return named === undefined ? [constant] : inBoth(named, [constant])
}

/** Values that are in both lists. */
export function inBoth(one: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const texts = new Set(other.map((value) => JSON.stringify(value)))
  return one.filter((value) => texts.has(JSON.stringify(value)))
}
