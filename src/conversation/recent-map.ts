/** Names of models come from clients, who can make up as many as they like. */
const mostModels = 1000

/**
 * A map that forgets what was set longest ago, and what was set for a time that is over. For values whose keys come from outside: many
 * different keys take no more room over time. Other values belong to an object that its owner lets go.
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #now: () => number
  /** The times at which keys are forgotten that were set for a time. */
  readonly #until = new Map<Key, number>()

  /** `most` is the number of keys that are kept; at least one is. `now` returns milliseconds. */
  constructor(most: number = mostModels, now: () => number = Date.now) {
    super()
    this.#most = Math.max(1, most)
    this.#now = now
  }

  /** Sets a value, which is forgotten after `forMs` milliseconds. */
  override set(key: Key, value: Value, forMs: number = Number.POSITIVE_INFINITY): this {
    this.delete(key)
    super.set(key, value)
    if (forMs !== Number.POSITIVE_INFINITY) this.#until.set(key, this.#now() + forMs)
    const [oldest] = this.keys()
    if (this.size > this.#most && oldest !== undefined) this.delete(oldest)
    return this
  }

  override get(key: Key): Value | undefined {
    return this.has(key) ? super.get(key) : undefined
  }

  override has(key: Key): boolean {
    const until = this.#until.get(key)
    if (until !== undefined && until <= this.#now()) this.delete(key)
    return super.has(key)
  }

  override delete(key: Key): boolean {
    this.#until.delete(key)
    return super.delete(key)
  }

  override clear(): void {
    this.#until.clear()
    super.clear()
  }

  /** Returns the value of a key; `make` gives it if there is none. Counts as set anew. */
  of(key: Key, make: () => Value): Value {
    // Undefined may be a value that was made.
    const value = this.has(key) ? (this.get(key) as Value) : make()
    this.set(key, value)
    return value
  }
}
