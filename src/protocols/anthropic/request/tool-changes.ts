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

/**
 * The tools of a conversation as its messages change them: a search of the client refers to deferred tools (`tool_reference`), and system messages
 * add and remove tools (`tool_addition`, `tool_removal`).
 */
export class ToolChanges {
  readonly #declared: ReadTools
  readonly #notices: NoticeList
  /** Tools that a message defined, or that are deferred. */
  readonly #known: Map<string, Tool>
  /** The tools that the next reply may call, by name. */
  readonly #offered: Map<string, Tool>
  /** The names of all tools that the prompt describes somewhere. */
  readonly #described: Set<string>
  #isChanged = false

  constructor(declared: ReadTools, notices: NoticeList) {
    this.#declared = declared
    this.#notices = notices
    this.#known = new Map([...declared.tools.map((tool) => [tool.name, tool] as const), ...declared.deferred])
    this.#offered = new Map(declared.tools.map((tool) => [tool.name, tool]))
    this.#described = new Set(this.#offered.keys())
  }

  /** The tools after all messages that were read; with `listedTools`, if they are not those that were declared. */
  get result(): { tools: readonly Tool[]; listedTools?: readonly Tool[] } {
    const { tools } = this.#declared
    return this.#isChanged ? { tools: [...this.#offered.values()], listedTools: tools } : { tools }
  }

  /** Reads the references of a search's result. Nothing is described twice. */
  found(blocks: readonly Block[]): ToolChange {
    const names = blocks.map(({ fields, path }) => readString(fields.tool_name, `${path}.tool_name`))
    const isKnown = (name: string) => this.#known.has(name)
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
    if (!isNamed || !this.#known.has(name)) {
      const why = isNamed ? `no tool is named ${quote(name)}` : `the tool is a ${quote(kind)}`
      if (kind !== 'tool_definition') this.#notices.add('block-unsupported', type, `${path}: ${why}; it was left out`)
      return undefined
    }
    if (type === 'tool_removal') {
      this.#isChanged = this.#offered.delete(name) || this.#isChanged
      return { text: `This tool can no longer be called: ${name}`, tools: [] }
    }
    return { text: addedToolsText([name]), tools: this.#offer([name]) }
  }

  /** Returns the name of a tool that is defined in a message; undefined if it cannot be offered. */
  #define(definition: unknown, path: string): string | undefined {
    const { tool } = readEntry(readObject(definition, path), path, this.#notices)
    if (!tool) return undefined
    // A newer definition under the name of an earlier one is described anew.
    if (JSON.stringify(this.#known.get(tool.name)) !== JSON.stringify(tool)) this.#described.delete(tool.name)
    this.#known.set(tool.name, tool)
    return tool.name
  }

  /** Offers tools, and returns those that no earlier text describes. */
  #offer(names: readonly string[]): Tool[] {
    const tools = names.flatMap((name) => this.#known.get(name) ?? [])
    const fresh = tools.filter(({ name }) => !this.#described.has(name))
    for (const tool of tools) {
      if (this.#offered.get(tool.name) === tool) continue
      this.#isChanged = true
      this.#offered.set(tool.name, tool)
      this.#described.add(tool.name)
    }
    return fresh
  }
}
