import { type Tool, toolsKey } from '../conversation/index.ts'

/** A conversation asks for the same grammar again and again; of each format so many are kept. */
const maxKept = 8

/** What was made lately, by the format that it was made from, the tools, and the rest of what it depends on. */
export class RecentGrammars<Made extends object> {
  readonly #kept = new WeakMap<object, Map<string, Made | undefined>>()

  /** What `make` gives, or gave for the same; `rest` is plain data. */
  of(format: object, tools: readonly Tool[], rest: unknown, make: () => Made | undefined): Made | undefined {
    const kept = this.#kept.get(format) ?? new Map<string, Made | undefined>()
    this.#kept.set(format, kept)
    const key = `${JSON.stringify(rest)}\n${toolsKey(tools)}`
    const found = kept.has(key) ? kept.get(key) : make()
    // What was used last is the last to go.
    kept.delete(key)
    kept.set(key, found)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return found && { ...found }
  }
}
