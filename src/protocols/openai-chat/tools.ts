import {
  freezeList,
  isJsonObject,
  type JsonObject,
  ListMemo,
  type Notice,
  type Tool,
  type ToolChoice,
} from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { decodeCustomTool } from '../openai/custom-tools.ts'
import { decodeFunctionTool, readDefinedName } from '../openai/function-tools.ts'
import { type DecodedChoice, decodeChoice, namedChoice, readToolName } from '../openai/tool-choice.ts'

export interface DecodedTools extends DecodedChoice {
  /** The names of the tools that take a text instead of arguments. */
  customTools: ReadonlySet<string>
}

interface Declared {
  tools: Tool[]
  custom: ReadonlySet<string>
  /** True if the request declared a tool, even one that was dropped. */
  any: boolean
}

/** Decodes `tools` and `tool_choice` of a request, or their predecessors `functions` and `function_call`. */
export function decodeTools(body: JsonObject, notices: Notice[]): DecodedTools {
  const declared = readTools(body, notices)
  return { ...readChoice(body, declared, notices), customTools: declared.custom }
}

function readChoice(body: JsonObject, declared: Declared, notices: Notice[]): DecodedChoice {
  const { tools } = declared
  if (isPresent(body.tool_choice)) return decodeChoice(body.tool_choice, { ...declared, nameOf }, notices)
  if (isPresent(body.function_call)) return { tools, toolChoice: decodeFunctionCall(body.function_call, tools) }
  return { tools, toolChoice: { type: 'auto' } }
}

function nameOf(entry: JsonObject, type: string, path: string): [name: string, path: string] | undefined {
  return isOffered(type) ? readToolName(entry, type, path) : undefined
}

/** True for a client of the older API: it sent `functions`, and expects a call as `function_call`, one per message. */
export function knowsFunctionsOnly({ tools, functions }: JsonObject): boolean {
  return hasEntries(functions) && !hasEntries(tools)
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

interface ReadTools {
  tools: Tool[]
  custom: Set<string>
  notices: Notice[]
}

/** The results for frozen lists of tools. */
const known = new ListMemo<ReadTools>()

function readTools(body: JsonObject, notices: Notice[]): Declared {
  const entries = isPresent(body.tools) ? readArray(body.tools, 'tools') : []
  const read = known.of(entries, () => readEntries(entries))
  notices.push(...read.notices)
  const functions = isPresent(body.functions) ? readArray(body.functions, 'functions') : []
  if (functions.length === 0) return { ...read, any: entries.length > 0 }
  if (!knowsFunctionsOnly(body)) {
    notices.push({
      code: 'functions-deprecated',
      message: 'functions: taken as tools, because the request has tools as well; the calls come as tool_calls.',
    })
  }
  const further = functions.map((value, i) =>
    decodeFunctionTool(readObject(value, `functions[${i}]`), `functions[${i}]`),
  )
  return { tools: [...read.tools, ...further], custom: read.custom, any: true }
}

/** Decodes a list of tools; the result of a frozen list is frozen. */
function readEntries(entries: readonly unknown[]): ReadTools {
  const tools: Tool[] = []
  const custom = new Set<string>()
  const notices: Notice[] = []
  for (const [i, value] of entries.entries()) {
    const entry = readObject(value, `tools[${i}]`)
    const type = readOptionalString(entry.type, `tools[${i}].type`) ?? 'function'
    if (!isOffered(type)) {
      notices.push({
        code: 'tool-type-unsupported',
        message: `tools[${i}]: a tool of type ${JSON.stringify(type)} was dropped; only function and custom tools are offered.`,
      })
      continue
    }
    const [definition, path] = definitionOf(entry, type, `tools[${i}]`)
    if (type === 'custom') {
      const tool = decodeCustomTool(definition, readDefinedName(definition, path), path, notices)
      custom.add(tool.name)
      tools.push(tool)
    } else tools.push(decodeFunctionTool(definition, path))
  }
  if (Object.isFrozen(entries)) freezeList(tools)
  return { tools, custom, notices }
}

type OfferedType = 'function' | 'custom'

function isOffered(type: unknown): type is OfferedType {
  return type === 'function' || type === 'custom'
}

/** Returns the object under the name of the tool's type. The Responses API, and some clients, have its fields in the entry itself. */
function definitionOf(entry: JsonObject, type: OfferedType, path: string): [definition: JsonObject, path: string] {
  const inner = entry[type]
  return inner === undefined ? [entry, path] : [readObject(inner, `${path}.${type}`), `${path}.${type}`]
}

function decodeFunctionCall(value: unknown, tools: Tool[]): ToolChoice {
  if (value === 'none' || value === 'auto') return { type: value }
  if (!isJsonObject(value)) {
    throw invalid('function_call', `expected "none", "auto" or an object with a name, got ${kindOf(value)}`)
  }
  return namedChoice(readString(value.name, 'function_call.name'), 'function_call.name', tools)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
