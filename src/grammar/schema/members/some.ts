import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { patternLanguage } from '../../language/pattern.ts'
import { asList, listOf } from '../values/lists.ts'

/**
 * The keyword by which schemas that are made here require a member among those without a declared name, or among those
 * that a pattern matches: the violation of `additionalProperties` or `patternProperties`. No schema from outside has
 * it.
 */
export const someMemberKeyword = '\u0000someMember'

/**
 * An object with such a member. `names`, `patterns`: it matches none of these; `pattern`: it matches this one;
 * `schema`: its schema.
 */
export function someMember(member: JsonObject): JsonValue {
  return member.schema === false ? false : { type: 'object', [someMemberKeyword]: [member] }
}

/**
 * The same as alternatives, for an object that declares its members; undefined if it declares none. `isWhole` is false
 * if it may have further members, so that more is admitted than the keyword requires.
 */
export function withSomeMember(schema: JsonObject): { schema: JsonObject; isWhole: boolean } | undefined {
  const asked = schema[someMemberKeyword]
  if (asked === undefined) return undefined
  const { [someMemberKeyword]: _, ...rest } = schema
  const { properties, patternProperties, additionalProperties, required } = schema
  const named = isJsonObject(properties) ? Object.keys(properties) : []
  const names = [...new Set([...named, ...listOf(required).filter((key) => typeof key === 'string')])]
  const isClosed = additionalProperties === false && !isJsonObject(patternProperties)
  if (!isClosed) return { schema: rest, isWhole: false }
  const choices = asList(asked).map((one): JsonObject => {
    const isMember = isJsonObject(one) ? memberTest(one) : () => false
    const member = isJsonObject(one) ? (one.schema ?? true) : true
    const fitting = names.filter(isMember)
    return { anyOf: fitting.map((key): JsonObject => ({ required: [key], properties: { [key]: member } })) }
  })
  return { schema: { ...rest, allOf: choices }, isWhole: true }
}

function memberTest({ names, patterns, pattern }: JsonObject): (key: string) => boolean {
  const finds = (source: JsonValue, key: string) =>
    typeof source === 'string' && (patternLanguage(source)?.has(key) ?? false)
  if (typeof pattern === 'string') return (key) => finds(pattern, key)
  const own = new Set(asList(names))
  return (key) => !own.has(key) && !asList(patterns).some((one) => finds(one, key))
}
