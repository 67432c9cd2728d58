import {
  freezeList,
  isJsonObject,
  type JsonObject,
  ListMemo,
  type Notice,
  type Tool,
} from '../../../conversation/index.ts'
import { invalid, readArray, readObject, readOptionalString, readString } from '../../fields.ts'
import { decodeCustomTool } from '../../openai/custom-tools.ts'
import { decodeFunctionTool, readDefinedName } from '../../openai/function-tools.ts'
import {
  type ChoiceOfTools,
  type DecodedChoice,
  decodeChoice,
  readToolName,
  undeclared,
} from '../../openai/tool-choice.ts'
import { skillsText } from './skills.ts'
import { builtInTools, isBuiltIn, searchSchema } from './tool-kinds.ts'
import { type DeclaredTool, ToolTable } from './tool-table.ts'

interface ReadTool {
  declared: DeclaredTool
  tool: Omit<Tool, 'name'>
  /** True for a tool that is offered only after a search found it. */
  isDeferred: boolean
}

interface ReadTools {
  tools: readonly ReadTool[]
  notices: readonly Notice[]
}

/** The tools of a request's list, before any message. */
interface ListedTools {
  /** It is not changed. */
  table: ToolTable
  /** Results that are made of a frozen list, its description and its grammar, are cached with it. */
  offered: readonly Tool[]
  notices: readonly Notice[]
}

/** The results for frozen lists of tools. */
const known = new ListMemo<ListedTools>()

export interface DecodedTools extends DecodedChoice {
  table: ToolTable
  /** The tools that were declared before all messages; absent if items of the input added others. */
  listedTools?: readonly Tool[]
  /** The tools that an item of the input added, by the item's index. */
  found: ReadonlyMap<number, readonly Tool[]>
}

/** Decodes `tools` and `tool_choice` of a request, with the tools that earlier searches found in its `input`. */
export function decodeTools(body: JsonObject, input: readonly unknown[], notices: Notice[]): DecodedTools {
  const entries = isPresent(body.tools) ? readArray(body.tools, 'tools') : []
  const list = known.of(entries, () => listedTools(entries))
  notices.push(...list.notices)
  const table = new ToolTable(list.table)
  const start = input.findIndex((item) => !isJsonObject(item) || item.type !== 'additional_tools')
  const early = addFound(input.slice(0, Math.max(start, 0)), 0, table, notices)
  const listed = early.size > 0 ? [...table.offered] : list.offered
  const found = start < 0 ? new Map<number, Tool[]>() : addFound(input.slice(start), start, table, notices)
  const [tools, added] = found.size > 0 ? [table.offered, { found, listedTools: listed }] : [listed, { found }]
  if (!isPresent(body.tool_choice)) return { table, tools, ...added, toolChoice: { type: 'auto' } }
  const choices: ChoiceOfTools = {
    tools,
    any: entries.length > 0,
    nameOf: (entry, type, path) => nameOf(table, entry, type, path),
    groupOf: (entry, type, path) => (type === 'namespace' ? namesIn(table, entry, path) : undefined),
    deferred: table.deferred,
  }
  return { table, ...added, ...decodeChoice(body.tool_choice, choices, notices) }
}

function listedTools(entries: readonly unknown[]): ListedTools {
  const { tools, notices } = readTools(entries, 'tools')
  const table = new ToolTable()
  // Nobody could find them otherwise.
  const canSearch = tools.some(({ declared }) => declared.kind === 'tool_search')
  for (const { declared, tool, isDeferred } of tools) table.add(declared, tool, !(isDeferred && canSearch))
  const offered = [...table.offered]
  return { table, offered: Object.isFrozen(entries) ? freezeList(offered) : offered, notices }
}

/**
 * Adds the tools that came after `tools`: found by a search of the client, or added by it. Returns those that are new, by the index of their item;
 * `first` is the index of the first item.
 */
function addFound(
  items: readonly unknown[],
  first: number,
  table: ToolTable,
  notices: Notice[],
): ReadonlyMap<number, readonly Tool[]> {
  const found = new Map<number, readonly Tool[]>()
  for (const [at, item] of items.entries()) {
    if (!isJsonObject(item) || (item.type !== 'tool_search_output' && item.type !== 'additional_tools')) continue
    const path = `input[${first + at}].tools`
    const read = readTools(readArray(item.tools ?? [], path), path)
    notices.push(...read.notices)
    const added = read.tools.flatMap(({ declared, tool }) => table.add(declared, tool) ?? [])
    if (added.length > 0) found.set(first + at, added)
  }
  return found
}

function nameOf(table: ToolTable, entry: JsonObject, type: string, path: string): [string, string] | undefined {
  if (isBuiltIn(type)) {
    const { name } = builtInTools[type]
    return [declaredName(table, { kind: type, name }, path), path]
  }
  if (type === 'tool_search') {
    const name = table.knownName({ kind: type, name: type })
    return name === undefined ? undefined : [name, path]
  }
  if (type !== 'function' && type !== 'custom') return undefined
  const [name, namePath] = readToolName(entry, type, path)
  const namespace = readOptionalString(entry.namespace, `${path}.namespace`)
  return [declaredName(table, { kind: type, name, ...(namespace && { namespace }) }, namePath), namePath]
}

/** Returns the name under which a model reads a tool. Throws `invalid-request`, with the client's own name, for one that was not declared. */
function declaredName(table: ToolTable, declared: DeclaredTool, path: string): string {
  const known = table.knownName(declared)
  if (known !== undefined) return known
  const { kind, name, namespace } = declared
  const place = namespace === undefined ? '' : ` in the namespace ${JSON.stringify(namespace)}`
  throw undeclared(path, `${JSON.stringify(name)}${place} and the type ${JSON.stringify(kind)}`)
}

/** Returns the names of the tools of the namespace that an entry of a choice means. */
function namesIn(table: ToolTable, entry: JsonObject, path: string): readonly string[] {
  const namespace = readString(entry.name, `${path}.name`)
  const names = table.namesIn(namespace)
  if (names.length > 0) return names
  throw invalid(
    `${path}.name`,
    `no namespace of the request has the name ${JSON.stringify(namespace)}; declare it in tools`,
  )
}

/** Decodes a list of tools. */
function readTools(entries: readonly unknown[], path: string): ReadTools {
  const tools: ReadTool[] = []
  const notices: Notice[] = []
  for (const [i, value] of entries.entries()) {
    const entryPath = `${path}[${i}]`
    tools.push(...readTool(readObject(value, entryPath), entryPath, notices))
  }
  return { tools, notices }
}

function readTool(entry: JsonObject, path: string, notices: Notice[]): ReadTool[] {
  const type = readString(entry.type, `${path}.type`)
  if (type === 'namespace') return readNamespace(entry, path, notices)
  if (type === 'function' || type === 'custom') return [readDefined(entry, type, path, notices)]
  if (isBuiltIn(type) && runsAtClient(entry)) {
    const { name, description, schema } = builtInTools[type]
    const skills = isJsonObject(entry.environment) ? skillsText(entry.environment, `${path}.environment`) : ''
    const tool = { description: joined(description, skills), schema }
    return [{ declared: { kind: type, name }, tool, isDeferred: false }]
  }
  if (type === 'tool_search' && entry.execution === 'client') return [readSearch(entry, path)]
  notices.push({
    code: 'tool-type-unsupported',
    message: `${path}: a tool of type ${JSON.stringify(type)}, which runs at OpenAI, was dropped; tools that the client runs are offered.`,
  })
  return []
}

/** True for a shell that runs at the client; it may also run in a container at OpenAI. */
function runsAtClient({ environment }: JsonObject): boolean {
  return !isJsonObject(environment) || environment.type === 'local'
}

/** Decodes a namespace as its tools. Its description goes before that of its first tool. */
function readNamespace(entry: JsonObject, path: string, notices: Notice[]): ReadTool[] {
  const namespace = readDefinedName(entry, path)
  const about = readOptionalString(entry.description, `${path}.description`) ?? ''
  const tools = readArray(entry.tools, `${path}.tools`).flatMap((value, i): ReadTool[] => {
    const innerPath = `${path}.tools[${i}]`
    const inner = readObject(value, innerPath)
    const type = definedType(inner)
    if (type === undefined) {
      notices.push({
        code: 'tool-type-unsupported',
        message: `${innerPath}: a tool of type ${JSON.stringify(inner.type)} was dropped; a namespace can have functions and custom tools.`,
      })
      return []
    }
    const { declared, ...read } = readDefined(inner, type, innerPath, notices)
    return [{ declared: { ...declared, namespace }, ...read }]
  })
  const [first] = tools
  if (first && about !== '') first.tool = { ...first.tool, description: joined(about, first.tool.description) }
  return tools
}

/** Returns the type of a tool in a namespace, which is a function if it names none; undefined for one that is dropped. */
export function definedType({ type = 'function' }: JsonObject): 'function' | 'custom' | undefined {
  return type === 'function' || type === 'custom' ? type : undefined
}

function readDefined(entry: JsonObject, kind: 'function' | 'custom', path: string, notices: Notice[]): ReadTool {
  const { name, ...tool } =
    kind === 'custom'
      ? decodeCustomTool(entry, readDefinedName(entry, path), path, notices)
      : decodeFunctionTool(entry, path)
  return { declared: { kind, name }, tool, isDeferred: entry.defer_loading === true }
}

function readSearch(entry: JsonObject, path: string): ReadTool {
  const description = readOptionalString(entry.description, `${path}.description`) ?? ''
  const schema = isPresent(entry.parameters) ? readObject(entry.parameters, `${path}.parameters`) : searchSchema
  const about = 'Finds tools that are not listed here. Those that it finds can be called afterwards.'
  return {
    declared: { kind: 'tool_search', name: 'tool_search' },
    tool: { description: description === '' ? about : description, schema },
    isDeferred: false,
  }
}

function joined(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
