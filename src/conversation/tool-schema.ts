import { isJsonObject, type JsonObject } from './json-value.ts'

/** Thrown for a schema that JSON Schema does not define; `problem` continues a sentence about its tool. */
export class SchemaProblem extends Error {}

/** True for a JSON schema as plain data, false for a schema object of a library. */
export function isJsonSchema(value: unknown): value is JsonObject {
  // The result of `z.toJSONSchema` is plain, but has a converter too.
  return isJsonObject(value) && (typeof value.$schema === 'string' || !isSchemaObject(value))
}

/**
 * Returns the JSON schema of a tool's arguments, given as one or as a schema object of a library that brings its own:
 * by the `toJSONSchema` method (Zod) or by the Standard JSON Schema interface, `~standard.jsonSchema.input`. No library
 * is imported for that. Returns undefined for any other value, and throws a SchemaProblem for a schema object without a
 * JSON schema.
 */
export function readSchema(value: unknown): JsonObject | undefined {
  if (isJsonSchema(value)) return value
  if (!isSchemaObject(value)) return undefined
  const schema = convert(value)
  if (!isJsonObject(schema)) throw new SchemaProblem('whose conversion to JSON Schema returns no object')
  // The name of the schema's own language has no meaning for a model.
  const { $schema: _, ...rest } = schema
  return rest
}

interface SchemaObject {
  '~standard'?: unknown
  toJSONSchema?: unknown
}

function isSchemaObject(value: unknown): value is SchemaObject {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return '~standard' in value || ('toJSONSchema' in value && typeof value.toJSONSchema === 'function')
}

/** The model writes the arguments, so the schema is that of the input: before defaults and transformations. */
function convert(schema: SchemaObject): unknown {
  try {
    const standard = schema['~standard']
    if (isJsonObject(standard) && isConverter(standard.jsonSchema)) {
      return standard.jsonSchema.input({ target: 'draft-2020-12' })
    }
    if (typeof schema.toJSONSchema === 'function') return schema.toJSONSchema({ io: 'input' })
  } catch (error) {
    throw new SchemaProblem(`that has no JSON Schema: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new SchemaProblem('that has no JSON Schema; convert it with its library and give the result')
}

interface Converter {
  input(options: { target: string }): unknown
}

function isConverter(value: unknown): value is Converter {
  return typeof value === 'object' && value !== null && 'input' in value && typeof value.input === 'function'
}
