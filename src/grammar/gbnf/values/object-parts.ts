import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { listOf } from '../../schema/lists.ts'
import type { GbnfRules } from '../rules.ts'

/** What the schema of an object says of its members. */
export interface ObjectParts {
  members: readonly { key: string; schema: JsonValue; isRequired: boolean }[]
  /** The schema of members that it has no names for; undefined where it may have none. */
  extra: JsonValue | undefined
  isNonEmpty: boolean
}

/**
 * Where a schema names members and says nothing of others, no others are admitted unless `isOpen`: a schema would allow them, but in the
 * arguments of a tool they are slips.
 */
export function objectParts(schema: JsonObject, rules: GbnfRules, isOpen: boolean = false): ObjectParts {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = listOf(schema.required).filter((key) => typeof key === 'string')
  const extra = extraOf(schema, isOpen || (!isJsonObject(schema.properties) && required.length === 0), rules)
  const isRequired = new Set(required)
  const names = new Set(properties.map(([key]) => key))
  const named = properties.map(([key, one]) => ({ key, schema: one ?? true, isRequired: isRequired.has(key) }))
  const unnamed = [...isRequired]
    .filter((key) => !names.has(key))
    .map((key) => ({ key, schema: extra ?? true, isRequired: true }))
  const { minProperties, maxProperties } = schema
  if (typeof minProperties === 'number' && minProperties > Math.max(1, required.length)) {
    rules.notice('"minProperties" beyond 1 is not expressed')
  }
  if (typeof maxProperties === 'number' && (extra !== undefined || maxProperties < named.length + unnamed.length)) {
    rules.notice('"maxProperties" is not expressed')
  }
  return {
    members: [...named, ...unnamed],
    extra,
    isNonEmpty: typeof minProperties === 'number' && minProperties > 0,
  }
}

function extraOf(schema: JsonObject, isOpen: boolean, rules: GbnfRules): JsonValue | undefined {
  const { additionalProperties, patternProperties } = schema
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties).map((one) => one ?? true) : []
  const others = isJsonObject(additionalProperties) || additionalProperties === true ? [additionalProperties] : []
  if (patterns.length > 0) {
    rules.notice('the patterns of "patternProperties" are not expressed: any name will do')
    return { anyOf: [...patterns, ...others] }
  }
  if (others[0] !== undefined) return others[0]
  return additionalProperties === undefined && isOpen ? true : undefined
}
