/** Values beyond the bound. */
const other = 'other'

/** Bounds the values of a label: each value makes its own series, which are never freed. */
export class BoundedValues {
  readonly #most: number
  readonly #known = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns the value, or `other` if there are too many already. */
  bounded(value: string): string {
    if (this.#known.has(value)) return value
    if (this.#known.size >= this.#most || value.length > longest) return other
    this.#known.add(value)
    return value
  }
}

const longest = 100
