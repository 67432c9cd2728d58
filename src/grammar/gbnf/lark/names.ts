/** Names of rules and terminals in Lark, for the rules of a grammar: small letters and capitals, and no two alike. */
export class LarkNames {
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>(['start', 'START'])

  #states = 0

  rule(name: string): string {
    return this.#nameOf(name, 'rule')
  }

  terminal(name: string): string {
    return this.#nameOf(name, 'terminal')
  }

  /** A name for a state of an automaton, a short one: there are many. */
  state(): string {
    let own = `s${++this.#states}`
    while (this.#taken.has(own)) own = `s${++this.#states}`
    this.#taken.add(own)
    return own
  }

  #nameOf(name: string, kind: 'rule' | 'terminal'): string {
    const key = `${kind} ${name}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
    const base = /^[a-z]/.test(words) ? words : `r_${words}`
    const cased = kind === 'rule' ? base : base.toUpperCase()
    let own = cased
    for (let n = 2; this.#taken.has(own); n++) own = `${cased}_${n}`
    this.#taken.add(own)
    this.#names.set(key, own)
    return own
  }
}
