import {
  freezeList,
  isJsonObject,
  type JsonObject,
  type Notice,
  OncePerList,
  type Tool,
  type ToolChoice,
} from '../../conversation/index.ts'
import {
  defined,
  invalid,
  kindOf,
  readArray,
  readObject,
  readOptionalBoolean,
  readOptionalString,
  readString,
} from '../fields.ts'
import { decodeCustomTool } from './custom-tools.ts'

export interface DecodedTools {
  tools: Tool[]
  toolChoice: ToolChoice
  /** The names of the tools that take a text instead of arguments. */
  customTools: ReadonlySet<string>
}

type Choice = Pick<DecodedTools, 'tools' | 'toolChoice'>

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

function readChoice(body: JsonObject, declared: Declared, notices: Notice[]): Choice {
  const { tools } = declared
  if (isPresent(body.tool_choice)) return decodeChoice(body.tool_choice, declared, notices)
  if (isPresent(body.function_call)) return { tools, toolChoice: decodeFunctionCall(body.function_call, tools) }
  return { tools, toolChoice: { type: 'auto' } }
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
const known = new OncePerList<ReadTools>()

function readTools(body: JsonObject, notices: Notice[]): Declared {
  const entries = isPresent(body.tools) ? readArray(body.tools, 'tools') : []
  const read = known.of(entries, () => readEntries(entries))
  notices.push(...read.notices)
  const functions = isPresent(body.functions) ? readArray(body.functions, 'functions') : []
  if (functions.length === 0) return { ...read, any: entries.length > 0 }
  if (!knowsFunctionsOnly(body)) {
    notices.push({
      code: 'functions-deprecated',
      message: 'functions: taken as tools, as the request has tools as well; the calls come as tool_calls.',
    })
  }
  const further = functions.map((value, i) => decodeFunction(readObject(value, `functions[${i}]`), `functions[${i}]`))
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
      const tool = decodeCustomTool(definition, readName(definition, path), path, notices)
      custom.add(tool.name)
      tools.push(tool)
    } else tools.push(decodeFunction(definition, path))
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

function readName(definition: JsonObject, path: string): string {
  const name = readString(definition.name, `${path}.name`)
  if (name === '') throw invalid(`${path}.name`, 'is empty; a tool needs a name')
  return name
}

function decodeFunction(entry: JsonObject, path: string): Tool {
  return defined<Tool>({
    name: readName(entry, path),
    description: readOptionalString(entry.description, `${path}.description`) ?? '',
    schema: isPresent(entry.parameters) ? readObject(entry.parameters, `${path}.parameters`) : {},
    strict: readOptionalBoolean(entry.strict, `${path}.strict`),
  })
}

function decodeChoice(value: unknown, declared: Declared, notices: Notice[]): Choice {
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
  if (isOffered(type)) {
    const [name, path] = readToolName(choice, type, 'tool_choice')
    return { tools, toolChoice: named(name, tools, path) }
  }
  if (type === 'allowed_tools') return decodeAllowed(choice, declared, notices)
  const toolChoice = decodeMode(type, 'tool_choice.type', declared, notices)
  if (toolChoice !== undefined) return { tools, toolChoice }
  notices.push({
    code: 'tool-choice-unsupported',
    message: `tool_choice: the type ${JSON.stringify(type)} was taken as "auto"; only function and custom tools are offered.`,
  })
  return { tools, toolChoice: { type: 'auto' } }
}

/** Returns the choice that a single word makes, or undefined for another word. */
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

function decodeAllowed(choice: JsonObject, declared: Declared, notices: Notice[]): Choice {
  // The Responses API has `mode` and `tools` without the object around them.
  const [allowed, path] = isPresent(choice.allowed_tools)
    ? [readObject(choice.allowed_tools, 'tool_choice.allowed_tools'), 'tool_choice.allowed_tools']
    : [choice, 'tool_choice']
  const entries = readArray(allowed.tools, `${path}.tools`)
  const names = new Set<string>()
  for (const [i, value] of entries.entries()) {
    const entryPath = `${path}.tools[${i}]`
    const entry = readObject(value, entryPath)
    const type = entry.type ?? 'function'
    // A tool of another type was dropped, and reported, where it was declared.
    if (!isOffered(type)) continue
    const [name, namePath] = readToolName(entry, type, entryPath)
    requireDeclared(name, declared.tools, namePath)
    names.add(name)
  }
  const tools = declared.tools.filter((tool) => names.has(tool.name))
  const mode = readOptionalString(allowed.mode, `${path}.mode`) ?? 'auto'
  if (mode === 'auto') return { tools, toolChoice: { type: 'auto' } }
  if (mode !== 'required') throw invalid(`${path}.mode`, `expected "auto" or "required", got ${kindOf(mode)}`)
  return { tools, toolChoice: required({ ...declared, tools, any: entries.length > 0 }, `${path}.mode`, notices) }
}

function decodeFunctionCall(value: unknown, tools: Tool[]): ToolChoice {
  if (value === 'none' || value === 'auto') return { type: value }
  if (!isJsonObject(value)) {
    throw invalid('function_call', `expected "none", "auto" or an object with a name, got ${kindOf(value)}`)
  }
  return named(readString(value.name, 'function_call.name'), tools, 'function_call.name')
}

function readToolName(entry: JsonObject, type: OfferedType, path: string): [name: string, path: string] {
  const [holder, holderPath] =
    entry[type] === undefined && entry.name !== undefined
      ? [entry, path]
      : [readObject(entry[type], `${path}.${type}`), `${path}.${type}`]
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
