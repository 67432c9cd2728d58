import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'

/**
 * Tools with schemas that the simplest of templates can list: Command R+ and Hermes 2 Pro write each parameter as a
 * Python type, and fail, or do not end, if a type is null, a list has no items, or an object has no declared members.
 */
export function plainTools(tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => ({ ...tool, schema: plainSchema(tool.schema, true) }))
}

const basicTypes: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object'])

function plainSchema(schema: JsonObject, isTop: boolean): JsonObject {
  const plain: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || key === 'type') continue
    plain[key] = key === 'properties' && isJsonObject(value) ? plainProperties(value) : value
  }
  const type = plainType(schema.type)
  if (type !== undefined) plain.type = type
  if (type === 'array') plain.items = isJsonObject(schema.items) ? plainSchema(schema.items, false) : {}
  if (type === 'object' && !isTop) {
    plain.additionalProperties = isJsonObject(schema.additionalProperties)
      ? plainSchema(schema.additionalProperties, false)
      : {}
  }
  return plain
}

function plainProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, isJsonObject(one) ? plainSchema(one, false) : one]),
  )
}

/** The type without null; undefined, which means any, if no other is left. */
function plainType(type: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(type)) return type !== undefined && basicTypes.has(type) ? type : undefined
  const [first, ...others] = type.filter((one) => basicTypes.has(one))
  return others.length === 0 || first === undefined ? first : [first, ...others]
}
