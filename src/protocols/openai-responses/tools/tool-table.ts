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
  readonly #base: ToolTable | undefined
  readonly #added: Tool[] = []
  readonly #byName = new Map<string, DeclaredTool>()
  readonly #names = new Map<string, string>()
  readonly #offeredNames = new Set<string>()

  /** `base` is a table whose tools this one begins with; it must not change any more. */
  constructor(base?: ToolTable) {
    this.#base = base
  }

  /** The tools that are offered, in the order in which they were declared or found. */
  get offered(): readonly Tool[] {
    return this.#base ? [...this.#base.offered, ...this.#added] : this.#added
  }

  /**
   * Adds a tool, under a name that no other has. A tool that is there already keeps its place and its text, so that the prompt
   * stays the same. With `isOffered` false, only its name is taken: the tool is offered when a search finds it. Returns the tool if it was not
   * offered before.
   */
  add(declared: DeclaredTool, tool: Omit<Tool, 'name'>, isOffered = true): Tool | undefined {
    const name = this.nameOf(declared)
    if (!isOffered || this.#offers(name)) return undefined
    this.#offeredNames.add(name)
    const added = { name, ...tool }
    this.#added.push(added)
    return added
  }

  /** Returns the name under which a model reads a tool, or read it in an earlier request. */
  nameOf(declared: DeclaredTool): string {
    const key = keyOf(declared)
    const known = this.#nameBy(key)
    if (known !== undefined) return known
    const flat = flatName(declared)
    let name = flat
    for (let n = 2; this.#declared(name); n++) name = `${flat}_${n}`
    this.#names.set(key, name)
    this.#byName.set(name, declared)
    return name
  }

  /** Returns the name of a tool that was declared; undefined for another. */
  knownName(declared: DeclaredTool): string | undefined {
    return this.#nameBy(keyOf(declared))
  }

  /** Returns the names of all tools of a namespace. */
  namesIn(namespace: string): string[] {
    const own = [...this.#byName].filter(([, tool]) => tool.namespace === namespace).map(([name]) => name)
    return this.#base ? [...this.#base.namesIn(namespace), ...own] : own
  }

  /** Returns the names of the tools that were declared and are not offered. */
  get deferred(): ReadonlySet<string> {
    const own = [...this.#byName.keys(), ...(this.#base?.deferred ?? [])]
    return new Set(own.filter((name) => !this.#offers(name)))
  }

  /** Returns the tool under a name that a model wrote; one that was never declared counts as a function. */
  declaredAs(name: string): DeclaredTool {
    return this.#declared(name) ?? { kind: 'function', name }
  }

  #declared(name: string): DeclaredTool | undefined {
    return this.#byName.get(name) ?? (this.#base ? this.#base.#declared(name) : undefined)
  }

  #nameBy(key: string): string | undefined {
    return this.#names.get(key) ?? (this.#base ? this.#base.#nameBy(key) : undefined)
  }

  #offers(name: string): boolean {
    return this.#offeredNames.has(name) || (this.#base ? this.#base.#offers(name) : false)
  }
}

function keyOf({ kind, namespace = '', name }: DeclaredTool): string {
  return JSON.stringify([kind, namespace, name])
}

/** Joins a namespace and a name. Namespaces of MCP servers end with the separator: `mcp__calendar__`. */
function flatName({ name, namespace = '' }: DeclaredTool): string {
  if (namespace === '') return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}
