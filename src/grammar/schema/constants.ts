import type { JsonObject, JsonValue } from '../../conversation/index.ts'

/** The values that a schema names, where it does: those that both its keywords for it name. */
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
