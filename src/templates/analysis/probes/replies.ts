import type { AssistantPart, JsonObject, JsonValue, Tool } from '../../../conversation/index.ts'
import { nonces, nth } from './nonces.ts'

/** The types of values that probes give to arguments, each with a distinct JSON schema. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array'

/** A value of each type, as JSON, with a schema that admits it alone. */
export const typedValues: Readonly<Record<ValueType, { json: string; schema: JsonObject }>> = {
  string: { json: JSON.stringify(nonces.values[0]), schema: { type: 'string' } },
  integer: { json: '918273', schema: { type: 'integer' } },
  number: { json: '9182.75', schema: { type: 'number' } },
  boolean: { json: 'true', schema: { type: 'boolean' } },
  null: { json: 'null', schema: { type: 'null' } },
  object: {
    json: `{"${nonces.keys[1]}": "${nonces.values[1]}", "${nonces.keys[2]}": 918273}`,
    schema: {
      type: 'object',
      properties: { [nonces.keys[1]]: { type: 'string' }, [nonces.keys[2]]: { type: 'integer' } },
    },
  },
  array: {
    json: `["${nonces.values[1]}", "${nonces.values[2]}"]`,
    schema: { type: 'array', items: { type: 'string' } },
  },
}

/** One call of a probe: its tool's place among the probe's tools, and its arguments as JSON by their keys. */
export interface ProbeCall {
  tool: number
  arguments: Readonly<Record<string, string>>
  id?: string
}

export function callPart({ tool, arguments: args, id }: ProbeCall, index: number): AssistantPart {
  const members = Object.entries(args).map(([key, json]) => `${JSON.stringify(key)}: ${json}`)
  return {
    type: 'call',
    id: id ?? nth(nonces.ids, index),
    name: nth(nonces.names, tool),
    arguments: `{${members.join(', ')}}`,
  }
}

export function textPart(text: string = nonces.text): AssistantPart {
  return { type: 'text', text }
}

export function reasoningPart(text: string = nonces.reasoning): AssistantPart {
  return { type: 'reasoning', text }
}

/** A call of the first tool with so many string arguments. */
export function stringCall(count: number, tool: number = 0): ProbeCall {
  const members = Array.from({ length: count }, (_, index) => [
    nth(nonces.keys, index),
    JSON.stringify(nth(nonces.values, index)),
  ])
  return { tool, arguments: Object.fromEntries(members) }
}

/** A call of the first tool with one argument of a type. */
export function typedCall(type: ValueType): ProbeCall {
  return { tool: 0, arguments: { [nonces.keys[0]]: typedValues[type].json } }
}

const toolsByType = new Map<ValueType, readonly Tool[]>()

/** Three tools, whose first argument has a type; the others are strings. */
export function toolsFor(type: ValueType = 'string'): readonly Tool[] {
  const tools = toolsByType.get(type) ?? makeTools(type)
  toolsByType.set(type, tools)
  return tools
}

function makeTools(type: ValueType): Tool[] {
  return nonces.names.map((name) => {
    const properties: Record<string, JsonValue> = {}
    for (const [index, key] of nonces.keys.entries()) {
      properties[key] = { ...(index === 0 ? typedValues[type].schema : { type: 'string' }), description: 'A value.' }
    }
    return { name, description: 'A tool.', schema: { type: 'object', properties, required: [] } }
  })
}
