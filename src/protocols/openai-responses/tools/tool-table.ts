import type { Tool } from '../../../conversation/index.ts'
import type { ToolKind } from './tool-kinds.ts'

/** A tool as the client declared it. */
export interface DeclaredTool {
  kind: ToolKind
  /** The name that the client gave it, without its namespace. */
  name: string
  namespace?: string
}

/** The tools of a request: under the names that the model reads, and as the client declared them. */
export class ToolTable {
  /** The tools that are offered, in the order in which they were declared or found. */
  readonly offered: Tool[] = []
  #byName = new Map<string, DeclaredTool>()
  #names = new Map<string, string>()
  #isOffered = new Set<string>()

  /** Returns a table that begins with the tools of this one, which stays as it is. */
  copy(): ToolTable {
    const table = new ToolTable()
    table.offered.push(...this.offered)
    table.#byName = new Map(this.#byName)
    table.#names = new Map(this.#names)
    table.#isOffered = new Set(this.#isOffered)
    return table
  }

  /**
   * Adds a tool, under a name that no other has. A tool that is there already keeps its place and its text, so that the prompt
   * stays the same. With `isOffered` false, only its name is taken: the tool is offered when a search finds it. Returns the tool if it was not
   * offered before.
   */
  add(declared: DeclaredTool, tool: Omit<Tool, 'name'>, isOffered = true): Tool | undefined {
    const name = this.nameOf(declared)
    if (!isOffered || this.#isOffered.has(name)) return undefined
    this.#isOffered.add(name)
    const added = { name, ...tool }
    this.offered.push(added)
    return added
  }

  /** Returns the name under which a model reads a tool, or read it in an earlier request. */
  nameOf(declared: DeclaredTool): string {
    const key = JSON.stringify([declared.kind, declared.namespace ?? '', declared.name])
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const flat = flatName(declared)
    let name = flat
    for (let n = 2; this.#byName.has(name); n++) name = `${flat}_${n}`
    this.#names.set(key, name)
    this.#byName.set(name, declared)
    return name
  }

  /** Returns the tool under a name that a model wrote; one that was never declared counts as a function. */
  declaredAs(name: string): DeclaredTool {
    return this.#byName.get(name) ?? { kind: 'function', name }
  }
}

/** Joins a namespace and a name. Namespaces of MCP servers end with the separator: `mcp__calendar__`. */
function flatName({ name, namespace = '' }: DeclaredTool): string {
  if (namespace === '') return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}
