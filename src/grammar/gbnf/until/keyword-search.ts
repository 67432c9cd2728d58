/**
 * Finds words in a text as it is read, by the algorithm of Aho and Corasick ("Efficient string matching", 1975): a node
 * for each prefix of a word. The current node is the longest prefix that the text ends in; node 0 is the empty prefix.
 */
export class KeywordSearch {
  readonly #children: Map<string, number>[] = [new Map()]
  /** The next shorter beginning that the text ends in as well. */
  readonly #shorter: number[] = [0]
  readonly #lengths: number[] = [0]
  /** The length of the longest word that the text ends in. */
  readonly #wholes: number[] = [0]
  readonly #nexts: (readonly string[] | undefined)[] = []

  readonly #isCaseless: boolean

  /** Caseless: the words are in lower case, and so is the text. */
  constructor(words: readonly (readonly string[])[], isCaseless: boolean) {
    this.#isCaseless = isCaseless
    for (const word of words) this.#insert(word)
    // Nodes nearer to the root come first.
    const queue = [...(this.#children[0]?.values() ?? [])]
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const [char, child] of this.#children[node] ?? []) {
        const shorter = this.step(this.#shorter[node] ?? 0, char)
        this.#shorter[child] = shorter
        this.#wholes[child] ||= this.#wholes[shorter] ?? 0
        queue.push(child)
      }
    }
  }

  /** The number of nodes. */
  get size(): number {
    return this.#children.length
  }

  #insert(word: readonly string[]): void {
    let node = 0
    for (const char of word) {
      const children = this.#children[node]
      let next = children?.get(char)
      if (next === undefined) {
        next = this.#children.length
        children?.set(char, next)
        this.#children.push(new Map())
        this.#shorter.push(0)
        this.#wholes.push(0)
        this.#lengths.push((this.#lengths[node] ?? 0) + 1)
      }
      node = next
    }
    this.#wholes[node] = word.length
  }

  /** The node after one more character. */
  step(from: number, char: string): number {
    for (let node = from; ; node = this.#shorter[node] ?? 0) {
      const next = this.#children[node]?.get(char)
      if (next !== undefined) return next
      if (node === 0) return 0
    }
  }

  /** The length of the longest word that ends here; 0 if none does. */
  wholeAt(node: number): number {
    return this.#wholes[node] ?? 0
  }

  /** True if the text ends in a prefix of that length. */
  hasLength(node: number, length: number): boolean {
    let at = node
    while ((this.#lengths[at] ?? 0) > length) at = this.#shorter[at] ?? 0
    return this.#lengths[at] === length
  }

  /** The lengths of all beginnings that the text ends in, the shortest first. */
  lengthsAt(node: number): number[] {
    const found: number[] = []
    for (let at = node; at !== 0; at = this.#shorter[at] ?? 0) found.unshift(this.#lengths[at] ?? 0)
    return found
  }

  /**
   * The characters with which a word begins or continues, those of shorter beginnings first; in both cases if caseless.
   */
  nextsAt(node: number): readonly string[] {
    let found = this.#nexts[node]
    if (!found) {
      const chars = [...(this.#children[node]?.keys() ?? [])]
      const own = this.#isCaseless ? chars.flatMap(bothCases) : chars
      found = node === 0 ? own : [...this.nextsAt(this.#shorter[node] ?? 0), ...own]
      this.#nexts[node] = found
    }
    return found
  }
}

/** A character in lower case, and in upper case if that is one character. */
export function bothCases(char: string): string[] {
  const upper = char.toUpperCase()
  return upper !== char && [...upper].length === 1 ? [char, upper] : [char]
}
