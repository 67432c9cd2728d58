import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { MemberNames, type OtherMembers } from '../../schema/members/names.ts'
import { declaresMembers } from '../../schema/members/open.ts'
import { listOf } from '../../schema/values/lists.ts'
import type { GbnfRules } from '../rules.ts'

interface ObjectMember {
  key: string
  schema: JsonValue
  isRequired: boolean
}

/** The constraints that an object's schema sets on its members. */
export interface ObjectParts {
  members: readonly ObjectMember[]
  /** Members without a declared name; empty if there can be none. */
  others: readonly OtherMembers[]
  /** The least and the greatest number of members. */
  least: number
  most: number
}

/**
 * Reads the members of an object schema. If the schema names members and says nothing about others, no others are
 * admitted unless `isOpen`: the schema would allow them, but in the arguments of a tool they are mistakes.
 */
export function objectParts(schema: JsonObject, rules: GbnfRules, isOpen: boolean = false): ObjectParts {
  const notice = (what: string): void => rules.notice(what)
  const { properties, minProperties, maxProperties } = schema
  const entries = isJsonObject(properties) ? Object.entries(properties) : []
  const required = new Set(listOf(schema.required).filter((key) => typeof key === 'string'))
  const names = new MemberNames(schema, notice)
  const additional = additionalOf(schema, isOpen || !declaresMembers(schema))
  const members: ObjectMember[] = entries.map(([key, one]) => ({
    key,
    schema: names.named(key, one ?? true),
    // Those that are left are required and not named.
    isRequired: required.delete(key),
  }))
  const isAny = additional === false && schema.additionalProperties !== false
  for (const key of required) {
    members.push({ key, schema: names.unnamed(key, isAny ? true : additional), isRequired: true })
  }
  return {
    members,
    others: names.others(() => members.map(({ key }) => key), additional, notice),
    least: typeof minProperties === 'number' ? Math.max(0, Math.ceil(minProperties)) : 0,
    most: typeof maxProperties === 'number' ? Math.max(0, Math.floor(maxProperties)) : Number.POSITIVE_INFINITY,
  }
}

/** The schema of members that neither a name nor a pattern is for. */
function additionalOf({ additionalProperties }: JsonObject, isOpen: boolean): JsonValue {
  return isJsonObject(additionalProperties) || typeof additionalProperties === 'boolean' ? additionalProperties : isOpen
}

/**
 * The schema of any member without a declared name, for formats that do not distinguish such names; undefined if there
 * can be none.
 */
export function anyOther({ others }: ObjectParts, rules: GbnfRules): JsonValue | undefined {
  if (others.some(({ names }) => names))
    rules.notice('the patterns of "patternProperties" are not expressed: any name is allowed')
  const [first, ...rest] = others.map(({ schema }) => schema)
  return first !== undefined && rest.length > 0 ? { anyOf: [first, ...rest] } : first
}
