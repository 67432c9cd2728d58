/** Names of models come from clients, who can make up as many as they like. */
const mostModels = 1000

/**
 * A map that forgets what was set longest ago: for what is kept by keys that come from outside, so that many different keys take no more room over time.
 * Everything else that is kept hangs on an object that its owner lets go.
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** `most` is how many are kept; at least one is. */
  constructor(most: number = mostModels) {
    super()
    this.#most = Math.max(1, most)
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (this.size > this.#most && oldest !== undefined) this.delete(oldest)
    return this
  }

  /** The value of a key, which `make` gives where there is none; it counts as set anew. */
  of(key: Key, make: () => Value): Value {
    // Undefined may be a value that was made.
    const value = this.has(key) ? (this.get(key) as Value) : make()
    this.set(key, value)
    return value
  }
}
