import {
  freezeList,
  isJsonObject,
  type JsonObject,
  ListMemo,
  type Tool,
  type ToolChoice,
} from '../../../conversation/index.ts'
import {
  defined,
  invalid,
  kindOf,
  readArray,
  readObject,
  readOptionalBoolean,
  readOptionalString,
  readString,
} from '../../fields.ts'
import { NoticeList } from '../../notices.ts'
import { readArguments } from './arguments.ts'
import { paragraphs, quote } from './blocks.ts'
import { clientTool } from './client-tools.ts'

/** The tools of a request that can be offered, and the names of those that cannot. */
export interface ReadTools {
  /** The tools that are offered from the beginning. */
  tools: readonly Tool[]
  /** The tools with `defer_loading`, by name: each is offered after a message has referred to it. */
  deferred: ReadonlyMap<string, Tool>
  dropped: ReadonlySet<string>
}

/** The results for frozen lists of tools. */
const known = new ListMemo<{ read: ReadTools; notices: NoticeList }>()

/** Reads `tools`. Tools that only Anthropic's servers can run are dropped with a notice. A frozen list is read once; its result is frozen, too. */
export function readTools(value: unknown, notices: NoticeList): ReadTools {
  const entries = readArray(value ?? [], 'tools')
  const { read, notices: raised } = known.of(entries, () => {
    const own = new NoticeList()
    const { tools, ...read } = readEntries(entries, own)
    return { read: { ...read, tools: Object.isFrozen(entries) ? freezeList(tools) : tools }, notices: own }
  })
  notices.addAll(raised)
  return read
}

function readEntries(entries: readonly unknown[], notices: NoticeList): ReadTools & { tools: Tool[] } {
  const tools = new Map<string, Tool>()
  const deferred = new Map<string, Tool>()
  const dropped = new Set<string>()
  // Deferred tools are found by a tool that the client runs. Anthropic's own search does not run here, so they are offered at once.
  const isSearchedThere = entries.some(
    (entry) => isJsonObject(entry) && typeof entry.type === 'string' && entry.type.startsWith('tool_search_tool_'),
  )
  for (const [index, entry] of entries.entries()) {
    const path = `tools[${index}]`
    const fields = readObject(entry, path)
    const read = readEntry(fields, path, notices)
    if (read.tool === undefined) {
      dropped.add(read.label)
      continue
    }
    const { tool } = read
    if (tools.has(tool.name) || deferred.has(tool.name))
      throw invalid(`${path}.name`, `another tool is named ${quote(tool.name)}; tool names must be unique`)
    const isDeferred = readOptionalBoolean(fields.defer_loading, `${path}.defer_loading`) ?? false
    if (isDeferred && !isSearchedThere) deferred.set(tool.name, tool)
    else tools.set(tool.name, tool)
  }
  // Without any other tool nothing could find them.
  return tools.size === 0
    ? { tools: [...deferred.values()], deferred: new Map(), dropped }
    : { tools: [...tools.values()], deferred, dropped }
}

/**
 * Reads an entry of `tools`. One that only Anthropic's servers can run has no tool, but a label; a notice reports it.
 */
export function readEntry(
  fields: JsonObject,
  path: string,
  notices: NoticeList,
): { tool: Tool } | { tool: undefined; label: string } {
  const type = readOptionalString(fields.type, `${path}.type`) ?? 'custom'
  const documented = clientTool(type, fields, path)
  const name = readOptionalString(fields.name, `${path}.name`) ?? documented?.name
  if ((type !== 'custom' && documented === undefined) || name === undefined) {
    const label = name ?? type
    const problem = type === 'custom' ? 'has no name' : `has the type ${quote(type)}, which has no schema to offer`
    notices.add('tool-type-unsupported', `${type} ${label}`, `${path}: the tool ${problem}; it was left out`)
    return { tool: undefined, label }
  }
  if (name === '') throw invalid(`${path}.name`, 'expected a name, got an empty string')
  const tool = documented ? { ...documented, name } : readTool(fields, name, path)
  return { tool: withExamples(tool, fields.input_examples, `${path}.input_examples`) }
}

/** Adds the examples of its input to a tool's description, which every prompt and every upstream has a place for. */
function withExamples(tool: Tool, value: unknown, path: string): Tool {
  const examples = readArray(value ?? [], path).map((example, index) => {
    const input = readObject(example, `${path}[${index}]`)
    return readArguments(input, `${path}[${index}]`, new NoticeList())
  })
  if (examples.length === 0) return tool
  const text = `Examples of its arguments:\n${examples.join('\n')}`
  return { ...tool, description: paragraphs([tool.description, text]) }
}

function readTool(fields: JsonObject, name: string, path: string): Tool {
  return defined<Tool>({
    name,
    description: readOptionalString(fields.description, `${path}.description`) ?? '',
    schema: readObject(fields.input_schema ?? {}, `${path}.input_schema`),
    strict: readOptionalBoolean(fields.strict, `${path}.strict`),
  })
}

/** The tools that a choice can name, and the names of those that were left out. */
export type OfferedTools = Pick<ReadTools, 'tools' | 'dropped'>

export interface ReadToolChoice {
  toolChoice: ToolChoice
  parallelCalls: boolean
}

/** Reads `tool_choice`: its object forms, and a single word, as clients of both APIs write it. */
export function readToolChoice(value: unknown, tools: OfferedTools, notices: NoticeList): ReadToolChoice {
  const path = 'tool_choice'
  if (value === undefined || value === null) return { toolChoice: { type: 'auto' }, parallelCalls: true }
  if (typeof value === 'string') {
    return { toolChoice: offered(readPlainChoice(value, tools, path), tools, notices), parallelCalls: true }
  }
  const fields = readObject(value, path)
  const type = readString(fields.type, `${path}.type`)
  const choice: ToolChoice =
    type === 'tool' ? { type: 'named', name: readString(fields.name, `${path}.name`) } : readWord(type, `${path}.type`)
  const serial = readOptionalBoolean(fields.disable_parallel_tool_use, `${path}.disable_parallel_tool_use`) ?? false
  return { toolChoice: offered(choice, tools, notices), parallelCalls: !serial }
}

/** Reads a single word: the name of a tool, or else a choice. */
function readPlainChoice(word: string, { tools, dropped }: OfferedTools, path: string): ToolChoice {
  const isChoice = choices.has(word)
  if (!isChoice && (dropped.has(word) || tools.some((tool) => tool.name === word))) return { type: 'named', name: word }
  if (!isChoice)
    throw invalid(path, `expected auto, any, none or the name of a tool, got ${quote(word)}; ${advice(tools)}`)
  return readWord(word, path)
}

const choices: ReadonlySet<string> = new Set(['auto', 'any', 'none', 'required'])

function readWord(word: string, path: string): ToolChoice {
  switch (word) {
    case 'auto':
    case 'none':
    case 'required':
      return { type: word }
    case 'any':
      return { type: 'required' }
    default:
      throw invalid(path, `expected auto, any, tool or none, got ${kindOf(word)}`)
  }
}

/** Checks the choice against the tools. A choice of a tool that was dropped becomes `auto`, not an error. */
function offered(choice: ToolChoice, { tools, dropped }: OfferedTools, notices: NoticeList): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice
    case 'required':
      if (tools.length > 0) return choice
      if (dropped.size > 0) return degraded('any', notices)
      throw invalid('tool_choice', 'a tool call is required, but the request has no tools; send tools, or choose auto')
    case 'named':
      if (tools.some((tool) => tool.name === choice.name)) return choice
      if (dropped.has(choice.name)) return degraded(choice.name, notices)
      throw invalid('tool_choice.name', `${undeclared(choice.name)}; ${advice(tools)}`)
  }
}

function degraded(wanted: string, notices: NoticeList): ToolChoice {
  notices.add(
    'tool-choice-degraded',
    wanted,
    `tool_choice: ${quote(wanted)} needs a tool that was left out; auto was taken instead`,
  )
  return { type: 'auto' }
}

function undeclared(name: string): string {
  return `the request declares no tool named ${quote(name)}`
}

function advice(tools: readonly Tool[]): string {
  if (tools.length === 0) return 'send it in tools'
  const named = tools.slice(0, 10).map((tool) => quote(tool.name))
  return `its tools are ${named.join(', ')}${tools.length > named.length ? ', ...' : ''}`
}
