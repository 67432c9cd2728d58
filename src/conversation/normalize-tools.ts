import type { Tool } from './conversation.ts'
import { AnycallError } from './error.ts'
import { isJsonObject, type JsonObject } from './json-value.ts'
import { isJsonSchema, readSchema, SchemaProblem } from './tool-schema.ts'

/**
 * A tool as a program has it: its name, anycall's own form, or that of an API. `schema` and the like are JSON schemas, or schema
 * objects of a library that brings JSON Schema: Zod, or any with the Standard JSON Schema interface.
 *
 * @example
 * const tools: ToolDefinition[] = ['now', { name: 'get_weather', schema: z.object({ city: z.string() }) }]
 */
export type ToolDefinition =
  | string
  | {
      name: string
      description?: string | undefined
      /** anycall's key for the schema, OpenAI's, Anthropic's and MCP's. */
      schema?: object | undefined
      parameters?: object | null | undefined
      input_schema?: object | undefined
      inputSchema?: object | undefined
    }
  | {
      type?: string | undefined
      function: { name: string; description?: string | undefined; parameters?: object | null | undefined }
    }

/** The keys of the arguments' schema in the known forms: OpenAI, Anthropic, anycall, MCP. */
const schemaKeys = ['parameters', 'input_schema', 'schema', 'inputSchema'] as const

const forms =
  'a name, {"name", "description", "schema"}, an OpenAI tool {"type": "function", "function": {…}}, or an Anthropic tool {"name", "input_schema"}'

/**
 * Returns the tools in a value from outside, whichever API they were written for: a list of OpenAI tools (with or without the `function`
 * around them), Anthropic tools, MCP tools, anycall's own and bare names, mixed as they come; an object with such a list in `tools`
 * or `functions`, as a request has; or one tool alone. Schemas may be Zod's or those of another library that brings JSON Schema.
 * A tool without description or schema gets an empty one. Throws an AnycallError that names the tool and what is wrong with it.
 *
 * A list that serves many replies is best normalized once: readers take the result as it is.
 *
 * @example
 * normalizeTools([{ type: 'function', function: { name: 'now' } }, { name: 'roll', schema: z.object({ sides: z.int() }) }])
 */
export function normalizeTools(value: unknown): Tool[] {
  const [list, path] = toolList(value)
  const places = new Map<string, string>()
  return list.map((entry: unknown, index) => {
    const place = path === undefined ? 'the tool' : `${path}[${index}]`
    const tool = readTool(entry, place)
    const earlier = places.get(tool.name)
    if (earlier !== undefined) {
      throw invalid(
        place,
        place,
        `has the name ${JSON.stringify(tool.name)}, as ${earlier} has; a name must be one tool's`,
      )
    }
    places.set(tool.name, place)
    return tool
  })
}

/**
 * Returns a list of tools for a reader. A list in anycall's own form is returned itself, because results are cached by
 * the list.
 */
export function toolsForReading(tools: readonly ToolDefinition[]): readonly Tool[] {
  return Array.isArray(tools) && tools.every(isTool) ? tools : normalizeTools(tools)
}

function isTool(tool: unknown): tool is Tool {
  return (
    isJsonObject(tool) &&
    typeof tool.name === 'string' &&
    typeof tool.description === 'string' &&
    isJsonSchema(tool.schema)
  )
}

/** Returns the list of tools and its name for error messages. The name is undefined for a single tool. */
function toolList(value: unknown): [list: readonly unknown[], path: string | undefined] {
  if (Array.isArray(value)) return [value, 'tools']
  if (isJsonObject(value)) {
    for (const key of ['tools', 'functions']) {
      const list = value[key]
      if (Array.isArray(list)) return [list, key]
      if (isPresent(list)) throw invalid(key, key, `is ${kindOf(list)}; it must be a list of tools`)
    }
    if (isPresent(value.name) || isPresent(value.function)) return [[value], undefined]
  }
  throw invalid('tools', 'the tools', `are ${kindOf(value)}; give a list of tools, or an object with a list in "tools"`)
}

function readTool(entry: unknown, place: string): Tool {
  if (typeof entry === 'string') return { name: readName(entry, place, place), description: '', schema: {} }
  if (!isJsonObject(entry)) throw invalid(place, place, `is ${kindOf(entry)}; a tool is ${forms}`)
  if (!isPresent(entry.function)) return readDeclaration(entry, place)
  if (!isJsonObject(entry.function)) {
    throw invalid(`${place}.function`, place, `has ${kindOf(entry.function)} as its "function"; it must be an object`)
  }
  return readDeclaration(entry.function, `${place}.function`)
}

function readDeclaration(declaration: JsonObject, place: string): Tool {
  const { name: written, description } = declaration
  const name = readName(written, `${place}.name`, place)
  const who = `${place} (${JSON.stringify(name)})`
  if (isPresent(description) && typeof description !== 'string') {
    throw invalid(`${place}.description`, who, `has ${kindOf(description)} as its description; it must be text`)
  }
  const schemaKey = schemaKeys.find((key) => isPresent(declaration[key]))
  const given: unknown = schemaKey === undefined ? {} : declaration[schemaKey]
  try {
    const schema = readSchema(given)
    if (schema) return { name, description: description ?? '', schema }
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error
    throw invalid(`${place}.${schemaKey}`, who, `has a schema object as its "${schemaKey}" ${error.message}`)
  }
  const problem = `has ${kindOf(given)} as its "${schemaKey}"; it must be a JSON schema, which is an object`
  throw invalid(`${place}.${schemaKey}`, who, problem)
}

function readName(value: unknown, param: string, who: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  if (!isPresent(value)) throw invalid(param, who, `has no name; a tool is ${forms}`)
  throw invalid(
    param,
    who,
    value === '' || typeof value === 'string' ? 'has an empty name' : `has ${kindOf(value)} as its name`,
  )
}

function isPresent<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function invalid(param: string, who: string, problem: string): AnycallError {
  return new AnycallError('invalid-request', `${who} ${problem}`, { param })
}
