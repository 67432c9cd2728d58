/** Returns `compute`, called once for each object: results are kept by identity, as long as the object lives. */
export function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let entry = known.get(key)
    if (!entry) {
      entry = { value: compute(key) }
      known.set(key, entry)
    }
    return entry.value
  }
}

/**
 * Memoizes a value per list. Frozen lists are cached by identity; a list that can still change is computed anew on every
 * call.
 */
export class OncePerList<Made> {
  readonly #made = new WeakMap<readonly unknown[], { made: Made }>()

  /** Returns what `make` returns for the list, or returned for it before. */
  of(list: readonly unknown[], make: () => Made): Made {
    const known = this.#made.get(list)
    if (known) return known.made
    const made = make()
    if (Object.isFrozen(list)) this.#made.set(list, { made })
    return made
  }
}

/** The default size of a `RecentMap`. Clients can make up as many names of models as they like. */
const defaultSize = 1000

/**
 * A map of bounded size, for keys that come from outside: adding an entry to a full map removes the one that was set
 * longest ago.
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** `most` is the number of entries to keep; at least one is kept. */
  constructor(most: number = defaultSize) {
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

  /** Returns the value of a key, or that of `make` for a new one. The entry becomes the most recent. */
  of(key: Key, make: () => Value): Value {
    // Undefined may be a value that was made.
    const value = this.has(key) ? (this.get(key) as Value) : make()
    this.set(key, value)
    return value
  }
}
