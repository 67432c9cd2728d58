/**
 * What was made for the keys that were used last, so many of them: what many different keys are asked for takes no more room over time. Everything else that
 * is kept hangs on an object that its owner lets go.
 */
export class RecentlyUsed<Key, Made> {
  readonly #most: number
  readonly #made = new Map<Key, { made: Made }>()

  /** `most` is how many are kept; at least one is. */
  constructor(most: number) {
    this.#most = most
  }

  /** What `make` gives for a key, or gave when it was asked before. */
  of(key: Key, make: () => Made): Made {
    const found = this.#made.get(key) ?? { made: make() }
    // What was used last stands last: the first is the one to go.
    this.#made.delete(key)
    this.#made.set(key, found)
    if (this.#made.size > this.#most) {
      for (const oldest of this.#made.keys()) {
        this.#made.delete(oldest)
        break
      }
    }
    return found.made
  }
}
