import { Validator } from '@cfworker/json-schema'
import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../conversation/index.ts'

/** At most so many faults of one call are told. */
const mostFaults = 5

/**
 * What is wrong with a call's arguments by its tool's schema, in words for the model; empty for a valid call. A schema
 * that cannot be used refuses nothing.
 */
export function faultsOf({ schema }: Tool, json: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return ['The arguments are no JSON.']
  }
  if (!isJsonObject(value)) return ['The arguments are no JSON object.']
  try {
    const { valid, errors } = new Validator(withoutPatterns(schema), '2020-12', false).validate(value)
    if (valid) return []
    // The outer errors say only that something within is wrong.
    const inner = errors.filter(({ keyword }) => !['properties', 'items', 'allOf', '$ref'].includes(keyword))
    return (inner.length > 0 ? inner : errors)
      .slice(0, mostFaults)
      .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'the arguments'}: ${error}`)
  } catch {
    // Clients send schemas with references to nowhere and the like: the call is theirs to judge.
    return []
  }
}

/** Patterns from outside can take for ever on the wrong text, so they are not run. */
function withoutPatterns(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value: JsonValue) => {
    if (key === 'pattern' && typeof value === 'string') return undefined
    if (!isJsonObject(value) || !isJsonObject(value.patternProperties)) return value
    // Which properties are additional ones then is not known either.
    const { patternProperties: _, additionalProperties: __, unevaluatedProperties: ___, ...rest } = value
    return rest
  })
}
