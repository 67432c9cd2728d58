import type { AnycallError, JsonObject, Notice, Tool, ToolChoice } from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'

/** The tools of a request, as a choice among them needs them. */
export interface ChoiceOfTools {
  tools: readonly Tool[]
  /** True if the request declared a tool, even one that was dropped. */
  any: boolean
  /**
   * Returns the name of the tool that an entry of a choice means, with its path; undefined for a type that is not offered. Throws
   * `invalid-request` for a tool that the model does not read under the name that the client gave it, and that was not declared.
   */
  nameOf(entry: JsonObject, type: string, path: string): [name: string, path: string] | undefined
  /** Returns the names of all tools of the group that an entry means; undefined for an entry that means a single tool. */
  groupOf?(entry: JsonObject, type: string, path: string): readonly string[] | undefined
  /** The names of tools that were declared, and are offered only once a search finds them. */
  deferred?: ReadonlySet<string>
}

export interface DecodedChoice {
  /** The tools that may be called. */
  tools: readonly Tool[]
  toolChoice: ToolChoice
}

/** Decodes `tool_choice`, in the forms of Chat Completions and of the Responses API. */
export function decodeChoice(value: unknown, declared: ChoiceOfTools, notices: Notice[]): DecodedChoice {
  const { tools } = declared
  if (typeof value === 'string') {
    const toolChoice = decodeMode(value, 'tool_choice', declared, notices)
    if (toolChoice !== undefined) return { tools, toolChoice }
    // The API has an object for this; some clients send the name alone.
    if (tools.some(({ name }) => name === value)) return { tools, toolChoice: { type: 'named', name: value } }
    requireFound(value, 'tool_choice', declared)
    throw invalid(
      'tool_choice',
      `expected "none", "auto", "required", the name of a tool or an object that names one, got ${kindOf(value)}`,
    )
  }
  const choice = readObject(value, 'tool_choice')
  const type = readString(choice.type, 'tool_choice.type')
  if (type === 'allowed_tools') return decodeAllowed(choice, declared, notices)
  const found = declared.nameOf(choice, type, 'tool_choice')
  if (found) {
    requireFound(...found, declared)
    return { tools, toolChoice: namedChoice(...found, tools) }
  }
  const toolChoice = decodeMode(type, 'tool_choice.type', declared, notices)
  if (toolChoice !== undefined) return { tools, toolChoice }
  notices.push({
    code: 'tool-choice-unsupported',
    message: `tool_choice: the type ${JSON.stringify(type)} was taken as "auto"; no tool of this type is offered.`,
  })
  return { tools, toolChoice: { type: 'auto' } }
}

/** Decodes the choice of one tool. Throws `invalid-request` if it was not declared. */
export function namedChoice(name: string, path: string, tools: readonly Tool[]): ToolChoice {
  requireDeclared(name, tools, path)
  return { type: 'named', name }
}

/** Reads the name of a function or custom tool. Chat Completions have it in an object under the tool's type. */
export function readToolName(entry: JsonObject, type: string, path: string): [name: string, path: string] {
  const inner = entry[type]
  const [holder, holderPath] =
    inner === undefined && entry.name !== undefined
      ? [entry, path]
      : [readObject(inner, `${path}.${type}`), `${path}.${type}`]
  return [readString(holder.name, `${holderPath}.name`), `${holderPath}.name`]
}

/** Returns the choice that a single word makes, or undefined for another word. */
function decodeMode(word: string, path: string, declared: ChoiceOfTools, notices: Notice[]): ToolChoice | undefined {
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

function required(offered: ChoiceOfTools, path: string, notices: Notice[]): ToolChoice {
  if (offered.tools.length > 0) return { type: 'required' }
  if (!offered.any) throw invalid(path, 'a call is required, but no tool is offered; offer a tool or say "auto"')
  notices.push({
    code: 'tool-choice-unsupported',
    message: `${path}: taken as "auto", because all tools were dropped, and so no call can be required.`,
  })
  return { type: 'auto' }
}

function decodeAllowed(choice: JsonObject, declared: ChoiceOfTools, notices: Notice[]): DecodedChoice {
  // The Responses API has `mode` and `tools` without the object around them.
  const inner = choice.allowed_tools
  const [allowed, path] =
    inner === undefined || inner === null
      ? [choice, 'tool_choice']
      : [readObject(inner, 'tool_choice.allowed_tools'), 'tool_choice.allowed_tools']
  const entries = readArray(allowed.tools, `${path}.tools`)
  const names = new Set<string>()
  for (const [i, value] of entries.entries()) {
    const entryPath = `${path}.tools[${i}]`
    const entry = readObject(value, entryPath)
    const type = readOptionalString(entry.type, `${entryPath}.type`) ?? 'function'
    const group = declared.groupOf?.(entry, type, entryPath)
    for (const name of group ?? []) names.add(name)
    if (group) continue
    const found = declared.nameOf(entry, type, entryPath)
    if (!found) {
      notices.push({
        code: 'tool-choice-unsupported',
        message: `${entryPath}: left out; no tool of the type ${JSON.stringify(type)} is offered.`,
      })
      continue
    }
    if (!declared.deferred?.has(found[0])) requireDeclared(found[0], declared.tools, found[1])
    names.add(found[0])
  }
  const tools = declared.tools.filter((tool) => names.has(tool.name))
  const mode = readOptionalString(allowed.mode, `${path}.mode`) ?? 'auto'
  if (mode === 'auto') return { tools, toolChoice: { type: 'auto' } }
  if (mode !== 'required') throw invalid(`${path}.mode`, `expected "auto" or "required", got ${kindOf(mode)}`)
  return { tools, toolChoice: required({ ...declared, tools, any: entries.length > 0 }, `${path}.mode`, notices) }
}

/** Refuses the choice of a tool that no search has found: its description is not in the prompt yet. */
function requireFound(name: string, path: string, { tools, deferred }: ChoiceOfTools): void {
  if (!deferred?.has(name) || tools.some((tool) => tool.name === name)) return
  throw invalid(
    path,
    'the tool has defer_loading, and no tool_search_output of the input has it yet; leave defer_loading out, or choose tool_search',
  )
}

function requireDeclared(name: string, tools: readonly Tool[], path: string): void {
  if (!tools.some((tool) => tool.name === name)) throw undeclared(path, JSON.stringify(name))
}

/** Returns the error for a tool that was not declared; `shown` is its name as the client wrote it. */
export function undeclared(path: string, shown: string): AnycallError {
  return invalid(path, `no tool of the request has the name ${shown}; declare it in tools`)
}
