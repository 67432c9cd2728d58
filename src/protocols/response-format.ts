import { isJsonObject, type JsonObject, type ResponseFormat } from '../conversation/index.ts'
import { defined, invalid, kindOf, readObject, readOptionalBoolean, readOptionalString, readString } from './fields.ts'

/**
 * Reads OpenAI's `response_format`; undefined if the reply is free text. Takes the schema also beside the type, as llama-server, Together
 * and Fireworks do: `{"type": "json_object", "schema": {…}}`. Throws an AnycallError `invalid-request` that names the field.
 *
 * @example
 * readResponseFormat({ type: 'json_object' }, 'response_format') // { type: 'json' }
 */
export function readResponseFormat(value: unknown, path: string): ResponseFormat | undefined {
  if (value === undefined || value === null) return undefined
  const format = readObject(value, path)
  const type = readString(format.type, `${path}.type`)
  switch (type) {
    case 'text':
      return undefined
    case 'json_object':
      return isPresent(format.schema) ? readSchema(format, path) : { type: 'json' }
    case 'json_schema':
      return isPresent(format.json_schema) || !isPresent(format.schema)
        ? readSchema(readObject(format.json_schema, `${path}.json_schema`), `${path}.json_schema`)
        : readSchema(format, path)
    default:
      throw invalid(`${path}.type`, `expected "text", "json_object" or "json_schema", got ${kindOf(type)}`)
  }
}

/** Reads a format with its schema in `schema`, and the settings beside it. */
function readSchema(format: JsonObject, path: string): ResponseFormat {
  return defined<Extract<ResponseFormat, { type: 'json-schema' }>>({
    type: 'json-schema',
    // OpenAI's API does not require a schema: then any value fits.
    schema: isPresent(format.schema) ? readObject(format.schema, `${path}.schema`) : { type: 'object' },
    name: readOptionalString(format.name, `${path}.name`),
    description: readOptionalString(format.description, `${path}.description`),
    strict: readOptionalBoolean(format.strict, `${path}.strict`),
  })
}

/**
 * Reads Anthropic's `output_config.format`, or `output_format` as it was named in its beta; undefined if the reply is free text. Throws an
 * AnycallError `invalid-request` that names the field.
 *
 * @example
 * readOutputFormat({ type: 'json_schema', schema: { type: 'object' } }, 'output_format')
 * // { type: 'json-schema', schema: { type: 'object' } }
 */
export function readOutputFormat(value: unknown, path: string): ResponseFormat | undefined {
  if (value === undefined || value === null) return undefined
  const format = readObject(value, path)
  const type = readString(format.type, `${path}.type`)
  if (type !== 'json_schema') throw invalid(`${path}.type`, `expected "json_schema", got ${kindOf(type)}`)
  if (!isJsonObject(format.schema)) throw invalid(`${path}.schema`, `expected an object, got ${kindOf(format.schema)}`)
  return { type: 'json-schema', schema: format.schema }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
