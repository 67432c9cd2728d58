import type { Tool } from '../../../conversation/index.ts'
import { readObject, readString } from '../../fields.ts'
import { addedToolsText, foundToolsText } from '../../found-tools.ts'
import type { NoticeList } from '../../notices.ts'
import { type Block, quote } from './blocks.ts'
import { type ReadTools, readEntry } from './tools.ts'

/** A change of the tools in a message: the text that informs the model of it, and the tools to describe with it. */
export interface ToolChange {
  text: string
  tools: readonly Tool[]
}

interface Tables {
  /** The tools that are declared, those that a message defined, and those that are deferred. */
  known: Map<string, Tool>
  /** The tools that the next reply may call, by name. */
  offered: Map<string, Tool>
  /** The names of all tools that the prompt describes somewhere. */
  described: Set<string>
}

/**
 * The tools of a conversation as its messages change them: a search of the client refers to deferred tools (`tool_reference`), and system messages
 * add and remove tools (`tool_addition`, `tool_removal`).
 */
export class ToolChanges {
  readonly #declared: ReadTools
  readonly #notices: NoticeList
  #tables: Tables | undefined
  #isChanged = false

  constructor(declared: ReadTools, notices: NoticeList) {
    this.#declared = declared
    this.#notices = notices
  }

  /** Made with the first change: most conversations have none. */
  get #tools(): Tables {
    this.#tables ??= tablesOf(this.#declared)
    return this.#tables
  }

  /** The tools after all messages that were read; with `listedTools`, if they are not those that were declared. */
  get result(): { tools: readonly Tool[]; listedTools?: readonly Tool[] } {
    const { tools } = this.#declared
    return this.#isChanged ? { tools: [...this.#tools.offered.values()], listedTools: tools } : { tools }
  }

  /** Reads the references of a search's result. Nothing is described twice. */
  found(blocks: readonly Block[]): ToolChange {
    const names = blocks.map(({ fields, path }) => readString(fields.tool_name, `${path}.tool_name`))
    const isKnown = (name: string) => this.#tools.known.has(name)
    const available = names.filter(isKnown)
    const missing = names.filter((name) => !isKnown(name))
    const texts = [
      ...(available.length > 0 ? [foundToolsText(available)] : []),
      ...(missing.length > 0 ? [`These tools were found, but are not available: ${missing.join(', ')}`] : []),
    ]
    return { text: texts.join('\n'), tools: this.#offer(available) }
  }

  /** Reads a `tool_addition` or `tool_removal` of a system message; undefined if it has no use here. */
  change({ type, fields, path }: Block): ToolChange | undefined {
    const target = readObject(fields.tool, `${path}.tool`)
    const kind = readString(target.type, `${path}.tool.type`)
    const name = kind === 'tool_definition' ? this.#define(target.definition, `${path}.tool.definition`) : target.name
    const isNamed = (kind === 'tool_reference' || kind === 'tool_definition') && typeof name === 'string'
    if (!isNamed || !this.#tools.known.has(name)) {
      const why = isNamed ? `no tool is named ${quote(name)}` : `the tool is a ${quote(kind)}`
      if (kind !== 'tool_definition') this.#notices.add('block-unsupported', type, `${path}: ${why}; it was left out`)
      return undefined
    }
    if (type === 'tool_removal') {
      this.#isChanged = this.#tools.offered.delete(name) || this.#isChanged
      return { text: `This tool can no longer be called: ${name}`, tools: [] }
    }
    return { text: addedToolsText([name]), tools: this.#offer([name]) }
  }

  /** Returns the name of a tool that is defined in a message; undefined if it cannot be offered. */
  #define(definition: unknown, path: string): string | undefined {
    const { tool } = readEntry(readObject(definition, path), path, this.#notices)
    if (!tool) return undefined
    // A newer definition under the name of an earlier one is described anew.
    if (JSON.stringify(this.#tools.known.get(tool.name)) !== JSON.stringify(tool))
      this.#tools.described.delete(tool.name)
    this.#tools.known.set(tool.name, tool)
    return tool.name
  }

  /** Offers tools, and returns those that no earlier text describes. */
  #offer(names: readonly string[]): Tool[] {
    const tools = names.flatMap((name) => this.#tools.known.get(name) ?? [])
    const fresh = tools.filter(({ name }) => !this.#tools.described.has(name))
    for (const tool of tools) {
      if (this.#tools.offered.get(tool.name) === tool) continue
      this.#isChanged = true
      this.#tools.offered.set(tool.name, tool)
      this.#tools.described.add(tool.name)
    }
    return fresh
  }
}

function tablesOf({ tools, deferred }: ReadTools): Tables {
  const declared = tools.map((tool) => [tool.name, tool] as const)
  return {
    known: new Map([...declared, ...deferred]),
    offered: new Map(declared),
    described: new Set(tools.map(({ name }) => name)),
  }
}
