import {
  freezeList,
  isJsonObject,
  type JsonObject,
  type Notice,
  OncePerList,
  type Tool,
  type ToolChoice,
} from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'

export interface DecodedTools {
  tools: Tool[]
  toolChoice: ToolChoice
}

interface Declared {
  tools: Tool[]
  /** True when the request declared a tool, if only one that was dropped. */
  any: boolean
}

/** `tools` and `tool_choice` of a request, or their predecessors `functions` and `function_call`. */
export function decodeTools(body: JsonObject, notices: Notice[]): DecodedTools {
  const declared = readTools(body, notices)
  if (body.tool_choice !== undefined && body.tool_choice !== null) {
    return decodeChoice(body.tool_choice, declared, notices)
  }
  if (body.function_call !== undefined && body.function_call !== null) {
    return { tools: declared.tools, toolChoice: decodeFunctionCall(body.function_call, declared.tools) }
  }
  return { tools: declared.tools, toolChoice: { type: 'auto' } }
}

/** True for a client of before there were `tools`: it sent `functions`, and knows a call as `function_call` alone, one a message. */
export function knowsFunctionsOnly({ tools, functions }: JsonObject): boolean {
  return hasEntries(functions) && !hasEntries(tools)
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** What was read of lists of tools. */
const known = new OncePerList<{ tools: Tool[]; notices: Notice[] }>()

function readTools(body: JsonObject, notices: Notice[]): Declared {
  const entries = isPresent(body.tools) ? readArray(body.tools, 'tools') : []
  const read = known.of(entries, () => readEntries(entries))
  notices.push(...read.notices)
  const functions = isPresent(body.functions) ? readArray(body.functions, 'functions') : []
  if (functions.length === 0) return { tools: read.tools, any: entries.length > 0 }
  if (!knowsFunctionsOnly(body)) {
    notices.push({
      code: 'functions-deprecated',
      message: 'functions: taken as tools, as the request has tools as well; the calls come as tool_calls.',
    })
  }
  const further = functions.map((value, i) => decodeFunction(readObject(value, `functions[${i}]`), `functions[${i}]`))
  return { tools: [...read.tools, ...further], any: true }
}

/** A frozen list is read into a frozen list. */
function readEntries(entries: readonly unknown[]): { tools: Tool[]; notices: Notice[] } {
  const tools: Tool[] = []
  const notices: Notice[] = []
  for (const [i, value] of entries.entries()) {
    const path = `tools[${i}]`
    const entry = readObject(value, path)
    const type = readOptionalString(entry.type, `${path}.type`) ?? 'function'
    if (type !== 'function') {
      notices.push({
        code: 'tool-type-unsupported',
        message: `${path}: a tool of type ${JSON.stringify(type)} was dropped; only function tools are offered.`,
      })
    } else if (entry.function === undefined) tools.push(decodeFunction(entry, path))
    else tools.push(decodeFunction(readObject(entry.function, `${path}.function`), `${path}.function`))
  }
  if (Object.isFrozen(entries)) freezeList(tools)
  return { tools, notices }
}

function decodeFunction(entry: JsonObject, path: string): Tool {
  const name = readString(entry.name, `${path}.name`)
  if (name === '') throw invalid(`${path}.name`, 'is empty; a tool needs a name')
  return {
    name,
    description: readOptionalString(entry.description, `${path}.description`) ?? '',
    schema: isPresent(entry.parameters) ? readObject(entry.parameters, `${path}.parameters`) : {},
  }
}

function decodeChoice(value: unknown, declared: Declared, notices: Notice[]): DecodedTools {
  const { tools } = declared
  if (typeof value === 'string') {
    const toolChoice = decodeMode(value, 'tool_choice', declared, notices)
    if (toolChoice !== undefined) return { tools, toolChoice }
    throw invalid(
      'tool_choice',
      `expected "none", "auto", "required" or an object that names a tool, got ${kindOf(value)}`,
    )
  }
  const choice = readObject(value, 'tool_choice')
  const type = readString(choice.type, 'tool_choice.type')
  if (type === 'function') {
    const [name, path] = readFunctionName(choice, 'tool_choice')
    return { tools, toolChoice: named(name, tools, path) }
  }
  if (type === 'allowed_tools') return decodeAllowed(choice, declared, notices)
  const toolChoice = decodeMode(type, 'tool_choice.type', declared, notices)
  if (toolChoice !== undefined) return { tools, toolChoice }
  notices.push({
    code: 'tool-choice-unsupported',
    message: `tool_choice: the type ${JSON.stringify(type)} was taken as "auto"; only function tools are offered.`,
  })
  return { tools, toolChoice: { type: 'auto' } }
}

/** The choice that a single word makes, or undefined where it is not a word for one. */
function decodeMode(word: string, path: string, declared: Declared, notices: Notice[]): ToolChoice | undefined {
  switch (word) {
    case 'none':
    case 'auto':
      return { type: word }
    case 'required':
    // Anthropic's and Mistral's word for it.
    case 'any':
      return required(declared, path, notices)
    default:
      return undefined
  }
}

function required(offered: Declared, path: string, notices: Notice[]): ToolChoice {
  if (offered.tools.length > 0) return { type: 'required' }
  if (!offered.any) throw invalid(path, 'a call is required, but no tool is offered; offer a tool or say "auto"')
  notices.push({
    code: 'tool-choice-unsupported',
    message: `${path}: taken as "auto", since no call can be required where each tool was dropped.`,
  })
  return { type: 'auto' }
}

function decodeAllowed(choice: JsonObject, declared: Declared, notices: Notice[]): DecodedTools {
  // The Responses API has `mode` and `tools` without a level of their own.
  const [allowed, path] = isPresent(choice.allowed_tools)
    ? [readObject(choice.allowed_tools, 'tool_choice.allowed_tools'), 'tool_choice.allowed_tools']
    : [choice, 'tool_choice']
  const entries = readArray(allowed.tools, `${path}.tools`)
  const names = new Set<string>()
  for (const [i, value] of entries.entries()) {
    const entryPath = `${path}.tools[${i}]`
    const entry = readObject(value, entryPath)
    // A tool of another type was dropped, and reported, where it was declared.
    if ((entry.type ?? 'function') !== 'function') continue
    const [name, namePath] = readFunctionName(entry, entryPath)
    requireDeclared(name, declared.tools, namePath)
    names.add(name)
  }
  const tools = declared.tools.filter((tool) => names.has(tool.name))
  const mode = readOptionalString(allowed.mode, `${path}.mode`) ?? 'auto'
  if (mode === 'auto') return { tools, toolChoice: { type: 'auto' } }
  if (mode !== 'required') throw invalid(`${path}.mode`, `expected "auto" or "required", got ${kindOf(mode)}`)
  return { tools, toolChoice: required({ tools, any: entries.length > 0 }, `${path}.mode`, notices) }
}

function decodeFunctionCall(value: unknown, tools: Tool[]): ToolChoice {
  if (value === 'none' || value === 'auto') return { type: value }
  if (!isJsonObject(value)) {
    throw invalid('function_call', `expected "none", "auto" or an object with a name, got ${kindOf(value)}`)
  }
  return named(readString(value.name, 'function_call.name'), tools, 'function_call.name')
}

function readFunctionName(entry: JsonObject, path: string): [name: string, path: string] {
  const [holder, holderPath] =
    entry.function === undefined && entry.name !== undefined
      ? [entry, path]
      : [readObject(entry.function, `${path}.function`), `${path}.function`]
  return [readString(holder.name, `${holderPath}.name`), `${holderPath}.name`]
}

function named(name: string, tools: Tool[], path: string): ToolChoice {
  requireDeclared(name, tools, path)
  return { type: 'named', name }
}

function requireDeclared(name: string, tools: Tool[], path: string): void {
  if (tools.some((tool) => tool.name === name)) return
  throw invalid(path, `no tool of the request has the name ${JSON.stringify(name)}; declare it in tools`)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
