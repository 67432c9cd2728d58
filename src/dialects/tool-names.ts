/** What came of looking for the tool that a model meant. */
export type NameMatch =
  | { type: 'found'; name: string }
  | { type: 'ambiguous'; candidates: string[] }
  | { type: 'unknown' }

/**
 * The ways in which a model's spelling may stray from the tool's name, strictest first: as written, other case, a name
 * space before it, other punctuation.
 */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.slice(name.search(/[^./:]*$/)).toLowerCase(),
  (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''),
]

/** Finds the offered tools that a model may have meant, by the strictest spelling under which any fits. */
export class ToolNames {
  readonly #names: readonly string[]
  readonly #bySpelling: (Map<string, string[]> | undefined)[] = []

  constructor(names: readonly string[]) {
    this.#names = names
  }

  match(written: string): NameMatch {
    for (const [level, spelling] of spellings.entries()) {
      const spelled = spelling(written)
      const candidates = spelled === '' ? undefined : this.#index(level, spelling).get(spelled)
      if (!candidates) continue
      const [name] = candidates
      return name !== undefined && candidates.length === 1 ? { type: 'found', name } : { type: 'ambiguous', candidates }
    }
    return { type: 'unknown' }
  }

  /** Made for a level when it is first needed: nearly always the first level answers. */
  #index(level: number, spelling: (name: string) => string): Map<string, string[]> {
    const known = this.#bySpelling[level]
    if (known) return known
    const index = new Map<string, string[]>()
    for (const name of new Set(this.#names)) {
      const spelled = spelling(name)
      const same = index.get(spelled)
      if (same) same.push(name)
      else index.set(spelled, [name])
    }
    this.#bySpelling[level] = index
    return index
  }
}
