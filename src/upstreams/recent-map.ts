/** Names of models come from clients, who can make up as many as they like. */
const mostModels = 1000

/** A map that forgets what was set longest ago: for what is kept by names that come from outside. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number = mostModels) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (this.size > this.#most && oldest !== undefined) this.delete(oldest)
    return this
  }
}
