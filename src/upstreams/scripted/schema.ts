import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'

/** References and alternatives followed before a schema counts as endless. */
const maxHops = 16

/** The schema with its `$ref` followed and the first useful alternative of `anyOf` and its like chosen. */
export function resolveSchema(schema: JsonObject, root: JsonObject): JsonObject {
  let resolved = schema
  for (let hop = 0; hop < maxHops; hop++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = resolved
    if (typeof $ref === 'string') resolved = { ...findReference($ref, root), ...rest }
    else if (Array.isArray(allOf)) resolved = allOf.filter(isJsonObject).reduce<JsonObject>(merge, rest)
    else if (Array.isArray(anyOf ?? oneOf)) resolved = { ...rest, ...firstUseful(anyOf ?? oneOf) }
    else return rest
  }
  return {}
}

/** The type that a value is made in: the first that is not null where there are several, guessed where there is none. */
export function typeOf(schema: JsonObject): string {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type)) {
    const first = type.find((one) => one !== 'null') ?? 'null'
    return typeof first === 'string' ? first : 'string'
  }
  if (isJsonObject(schema.properties)) return 'object'
  return schema.items === undefined ? 'string' : 'array'
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: JsonObject = { ...left, ...right }
  if (isJsonObject(left.properties) && isJsonObject(right.properties)) {
    merged.properties = { ...left.properties, ...right.properties }
  }
  if (Array.isArray(left.required) && Array.isArray(right.required)) {
    merged.required = [...left.required, ...right.required]
  }
  return merged
}

function firstUseful(alternatives: JsonValue | undefined): JsonObject {
  const schemas = Array.isArray(alternatives) ? alternatives.filter(isJsonObject) : []
  return schemas.find((schema) => schema.type !== 'null') ?? schemas[0] ?? {}
}

function findReference(reference: string, root: JsonObject): JsonObject {
  let at: JsonValue | undefined = root
  if (!reference.startsWith('#')) return {}
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isJsonObject(at) ? at : {}
}
