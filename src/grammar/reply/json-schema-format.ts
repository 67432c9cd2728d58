import { isJsonObject, type JsonObject, type JsonValue, type Tool, type ToolChoice } from '../../conversation/index.ts'

/** The parts of a request that concern calls. */
export interface CallSchemaRequest {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  /** A list of calls instead of one. */
  parallelCalls: boolean
  /** The keys of a call. */
  keys?: { name: string; arguments: string }
  /** The schema of the response that the model may give instead of calls. `true`: any object. */
  responseSchema?: JsonObject | true
}

/**
 * Returns the calls of a request as one JSON schema, for engines that only accept a JSON schema: a call, or a list of
 * calls, as objects with a name and arguments. If the model may choose to call nothing, it may give an object with a
 * text instead, or the requested response. Undefined if there is nothing to constrain.
 */
export function callsSchema(request: CallSchemaRequest): JsonObject | undefined {
  const { toolChoice, parallelCalls, keys = { name: 'name', arguments: 'arguments' } } = request
  const tools =
    toolChoice.type === 'named' ? request.tools.filter(({ name }) => name === toolChoice.name) : request.tools
  const response = request.responseSchema === true ? { type: 'object' } : request.responseSchema
  if (tools.length === 0 || toolChoice.type === 'none') return response
  const definitions: JsonObject = {}
  const calls = tools.map(({ name, schema }, index): JsonValue => {
    const place = `tool_${index}`
    definitions[place] = rebased({ type: 'object', ...schema }, `#/$defs/${place}`)
    return {
      type: 'object',
      properties: { [keys.name]: { const: name }, [keys.arguments]: { $ref: `#/$defs/${place}` } },
      required: [keys.name, keys.arguments],
      additionalProperties: false,
    }
  })
  const one = oneOf(calls)
  const many: JsonValue = parallelCalls ? { type: 'array', items: one, minItems: 1 } : one
  const answer = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  }
  if (response && toolChoice.type === 'auto') definitions.response = rebased(response, '#/$defs/response')
  const instead = response ? { $ref: '#/$defs/response' } : answer
  const reply = toolChoice.type === 'auto' ? { anyOf: [instead, many] } : many
  return { ...(isJsonObject(reply) ? reply : {}), $defs: definitions }
}

function oneOf(schemas: readonly JsonValue[]): JsonValue {
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: [...schemas] }
}

/** The schema with its references to its own root led to its new place. Values that only look like one stay. */
function rebased(schema: JsonObject, place: string): JsonObject {
  const moved: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined) continue
    if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) moved[key] = place + value.slice(1)
    else moved[key] = isLiteral(key) ? value : rebasedValue(value, place)
  }
  return moved
}

function rebasedValue(value: JsonValue, place: string): JsonValue {
  if (Array.isArray(value)) return value.map((one) => rebasedValue(one, place))
  return isJsonObject(value) ? rebased(value, place) : value
}

function isLiteral(key: string): boolean {
  return key === 'const' || key === 'enum' || key === 'default' || key === 'examples'
}
