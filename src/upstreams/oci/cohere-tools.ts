import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'
import type { ToolNames } from '../tool-names.ts'

/** The tool as the COHERE format has it: a flat list of parameters, each with the name of a Python type. */
export function encodeCohereTool({ name, description, schema }: Tool, names: ToolNames): JsonObject {
  const tool: JsonObject = { name: names.sent(name), description: description === '' ? name : description }
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const definitions: JsonObject = {}
  for (const [key, property] of Object.entries(properties)) {
    const definition = encodeParameter(isJsonObject(property) ? property : {})
    definitions[key] = { ...definition, isRequired: required.includes(key) }
  }
  if (Object.keys(definitions).length > 0) tool.parameterDefinitions = definitions
  return tool
}

function encodeParameter(schema: JsonObject): JsonObject {
  const { description, ...rest } = schema
  const texts = typeof description === 'string' && description !== '' ? [description] : []
  // Details that the type cannot express are described in words: allowed values, members of objects, bounds.
  if (saysMoreThanType(rest)) texts.push(`JSON schema: ${JSON.stringify(rest)}`)
  return { ...(texts.length > 0 && { description: texts.join('\n') }), type: pythonType(schema) }
}

const pythonTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Dict',
}

/** Keywords that the Python type expresses as well, or that do not constrain the values. */
const saidByType: ReadonlySet<string> = new Set(['type', 'title', '$schema'])

function saysMoreThanType(schema: JsonObject): boolean {
  return Object.entries(schema).some(([key, value]) => {
    if (saidByType.has(key)) return false
    return !(key === 'items' && isJsonObject(value) && !saysMoreThanType(value))
  })
}

function pythonType(schema: JsonObject): string {
  const type = firstType(schema)
  if (type !== 'array') return pythonTypes[type ?? 'string'] ?? 'str'
  const items = isJsonObject(schema.items) ? firstType(schema.items) : undefined
  const item = items === 'array' ? 'List' : items === undefined ? undefined : pythonTypes[items]
  return item === undefined ? 'List' : `List[${item}]`
}

/** The type of a schema; of several, or of variants, the first that is not null. */
function firstType(schema: JsonObject): string | undefined {
  const named = (Array.isArray(schema.type) ? schema.type : [schema.type]).find(isTypeName)
  if (typeof named === 'string') return named
  const variants: JsonValue = schema.anyOf ?? schema.oneOf ?? []
  for (const variant of Array.isArray(variants) ? variants : []) {
    const type = isJsonObject(variant) ? firstType(variant) : undefined
    if (type !== undefined) return type
  }
  const [value] = Array.isArray(schema.enum) ? schema.enum : [schema.const]
  if (isJsonObject(schema.properties)) return 'object'
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : undefined
}

function isTypeName(type: unknown): type is string {
  return typeof type === 'string' && type !== 'null'
}
