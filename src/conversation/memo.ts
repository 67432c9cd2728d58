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

/** The property in which a list keeps the values made from it, by the memo that made each. */
const madeValues = Symbol('made values')
/** The number of values that a list keeps, those made last: some ten of its protocol, four of each template it is written with. */
const mostValues = 64

interface KeepsValues {
  readonly [madeValues]: RecentMap<object, { made: unknown }>
}

/**
 * Freezes a list, but not its items, and returns it. The list itself holds the values that `ListMemo` makes from it: V8
 * marks what only a WeakMap holds in the pause of a full collection, which took 130 to 240 ms for 8 MB of known tools.
 */
export function freezeOnlyList<List extends readonly unknown[]>(list: List): List {
  if (Object.isFrozen(list)) return list
  Object.defineProperty(list, madeValues, { value: new RecentMap(mostValues) })
  return Object.freeze(list)
}

function keepsValues(list: readonly unknown[]): list is readonly unknown[] & KeepsValues {
  return madeValues in list
}

/**
 * Memoizes a value per list. Frozen lists are cached by identity; for a list that can still change, the value is
 * computed on every call.
 */
export class ListMemo<Made> {
  /** The values of lists that a program froze itself. */
  readonly #made = new WeakMap<readonly unknown[], { made: Made }>()

  /** Returns what `make` returns for the list, or returned for it before. */
  of(list: readonly unknown[], make: () => Made): Made {
    if (!Object.isFrozen(list)) return make()
    const kept = keepsValues(list) ? list[madeValues] : undefined
    // The key is this memo, so the value is one of its own.
    const known = kept ? (kept.get(this) as { made: Made } | undefined) : this.#made.get(list)
    if (known) return known.made
    const made = make()
    if (kept) kept.set(this, { made })
    else this.#made.set(list, { made })
    return made
  }
}

/** The default size of a `RecentMap`. Clients can make up as many names of models as they like. */
const defaultSize = 1000

/**
 * A map that drops the oldest entries, and those that have expired. For keys that come from outside: the map does not
 * grow over time, however many different keys there are.
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #now: () => number
  /** The times at which keys are forgotten that were set for a time. */
  readonly #until = new Map<Key, number>()

  /** `most` is the number of keys that are kept; at least one is. `now` returns milliseconds. */
  constructor(most: number = defaultSize, now: () => number = Date.now) {
    super()
    this.#most = Math.max(1, most)
    this.#now = now
  }

  /** Sets a value, which is forgotten after `forMs` milliseconds. */
  override set(key: Key, value: Value, forMs: number = Number.POSITIVE_INFINITY): this {
    this.delete(key)
    super.set(key, value)
    if (forMs !== Number.POSITIVE_INFINITY) this.#until.set(key, this.#now() + forMs)
    if (this.size > this.#most) {
      const [oldest] = this.keys()
      if (oldest !== undefined) this.delete(oldest)
    }
    return this
  }

  override get(key: Key): Value | undefined {
    this.#forget(key)
    return super.get(key)
  }

  override has(key: Key): boolean {
    this.#forget(key)
    return super.has(key)
  }

  /** Deletes the key if its time is over. */
  #forget(key: Key): void {
    if (this.#until.size === 0) return
    const until = this.#until.get(key)
    if (until !== undefined && until <= this.#now()) this.delete(key)
  }

  override delete(key: Key): boolean {
    this.#until.delete(key)
    return super.delete(key)
  }

  override clear(): void {
    this.#until.clear()
    super.clear()
  }

  /** Returns the value of a key; `make` returns it for a new key. The entry becomes the most recent. */
  of(key: Key, make: () => Value): Value {
    // Undefined may be a value that was made.
    const value = this.has(key) ? (this.get(key) as Value) : make()
    this.set(key, value)
    return value
  }
}
