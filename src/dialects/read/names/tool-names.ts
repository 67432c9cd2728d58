/** The result of the search for the tool that a model meant. */
export type NameMatch =
  | { type: 'found'; name: string }
  | { type: 'ambiguous'; candidates: string[] }
  | { type: 'unknown' }

interface Spelling {
  spell(name: string): string
  /** The spelling of a name that a model wrote, if it is compared in another form than the tool's own name. */
  written?(name: string): string
  /** True if two names that are spelled alike may be the same; always so if absent. */
  agrees?(one: string, other: string): boolean
}

/**
 * The ways in which a model's spelling may stray from the tool's name, strictest first: as written, other case, as Llama 3.1 calls the tools
 * that Meta calls built-in (`brave_search.call`), with or without name spaces before it, other punctuation, or both; as Kimi K2 makes ids of names, with any characters between their parts (`functionsexec5`,
 * `call_exec_0`); and followed by the rest of a header that lost its special tokens (`execjson`, gpt-oss).
 */
const spellings: readonly Spelling[] = [
  { spell: (name) => name },
  { spell: (name) => name.toLowerCase() },
  { spell: (name) => name.toLowerCase(), written: (name) => /^(.+)\.call$/.exec(name.toLowerCase())?.[1] ?? '' },
  { spell: (name) => segmentsOf(name).at(-1) ?? '', agrees: isNameSpaced },
  { spell: lettersOf },
  {
    spell: (name) => lettersOf(segmentsOf(name).at(-1) ?? ''),
    agrees: (one, other) => isNameSpaced(one, other, lettersOf),
  },
  { spell: lettersOf, written: (name) => /^(?:functions|call)(.*?)(?<!\d)\d*$/.exec(lettersOf(name))?.[1] ?? '' },
  { spell: lettersOf, written: (name) => /^(.+?)(?:commentary)?(?:json)?$/.exec(lettersOf(name))?.[1] ?? '' },
]

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Finds the offered tools that a model may have meant, by the strictest spelling under which any fits. */
export class ToolNames {
  readonly #names: ReadonlySet<string>
  readonly #bySpelling = new Map<Spelling, Map<string, string[]>>()

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
  }

  match(written: string): NameMatch {
    for (const spelling of spellings) {
      const spelled = (spelling.written ?? spelling.spell)(written)
      const alike = spelled === '' ? [] : (this.#index(spelling).get(spelled) ?? [])
      const candidates = alike.filter((name) => spelling.agrees?.(written, name) ?? true)
      const [name, another] = candidates
      if (name === undefined) continue
      return another === undefined ? { type: 'found', name } : { type: 'ambiguous', candidates }
    }
    return { type: 'unknown' }
  }

  /** Made for a spelling when it is first needed: nearly always the first answers. */
  #index(spelling: Spelling): Map<string, string[]> {
    const known = this.#bySpelling.get(spelling)
    if (known) return known
    const index = new Map<string, string[]>()
    for (const name of this.#names) {
      const spelled = spelling.spell(name)
      const same = index.get(spelled)
      if (same) same.push(name)
      else index.set(spelled, [name])
    }
    this.#bySpelling.set(spelling, index)
    return index
  }
}

/** `functions.read` and `mcp__files__read` end alike. */
function segmentsOf(name: string): string[] {
  return name.toLowerCase().split(/[./:]+|__+/)
}

/** True when one name is the other with name spaces before it: `a.read` is not `b.read`. */
function isNameSpaced(one: string, other: string, spell = (segment: string) => segment): boolean {
  const parts = (name: string) => segmentsOf(name).map(spell)
  const [short = [], long = []] = [parts(one), parts(other)].sort((a, b) => a.length - b.length)
  const tail = long.slice(long.length - short.length)
  return short.every((segment, index) => segment === tail[index])
}
