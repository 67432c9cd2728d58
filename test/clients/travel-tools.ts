import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'

interface TravelTool {
  name: string
  description: string
  schema: JsonObject & { type: 'object' }
  run(input: JsonObject): string
}

const city: JsonObject = { type: 'string', description: 'Name of the city' }

/** Tools whose answers show their arguments. */
const tools: readonly TravelTool[] = [
  {
    name: 'get_weather',
    description: 'Current weather of a city.',
    schema: {
      type: 'object',
      properties: { city, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['city'],
    },
    run: (input) => `${text(input.city)}: clear, ${text(input.city).length} degrees`,
  },
  {
    name: 'get_time',
    description: 'Current local time of a city.',
    schema: { type: 'object', properties: { city }, required: ['city'] },
    run: (input) => `${text(input.city)}: 14:05`,
  },
  {
    name: 'plan_trip',
    description: 'Plans a trip.',
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        days: { type: 'integer' },
        direct: { type: 'boolean' },
        stops: { type: 'array', items: { type: 'object', properties: { city }, required: ['city'] } },
      },
      required: ['title', 'days'],
    },
    run: (input) => `planned: ${text(input.title)}`,
  },
  {
    name: 'list_cities',
    description: 'Lists all known cities.',
    schema: { type: 'object', properties: {} },
    run: () => 'Paris, Tokyo, Rome',
  },
]

export const anthropicTools: Anthropic.Tool[] = tools.map(({ name, description, schema }) => ({
  name,
  description,
  input_schema: schema,
}))

export const openaiTools: OpenAI.ChatCompletionFunctionTool[] = tools.map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}))

/** Returns a tool's result. A call to an unknown tool is the gateway's fault, so it throws. */
export function runTool(name: string, input: JsonObject): string {
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool.run(input)
}

function text(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`expected a string, got ${JSON.stringify(value)}`)
  return value
}
