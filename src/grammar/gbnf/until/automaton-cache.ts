import type { RuleFamily } from '../rule-family.ts'

/** An automaton: a rule for each of its states. */
export interface Automaton {
  /** The rule of its first state. */
  start: string
  states: RuleFamily
}

/**
 * Automata that were made before: formats have few, and each request wants them again. The markers of formats vary without
 * bound, and with them the automata, so those that were not used for longest go. A state takes some kB.
 */
export class AutomatonCache {
  readonly #most: number
  /** The latest used last. */
  readonly #kept = new Map<string, Automaton>()
  #states = 0

  /** `most` is the greatest number of states that are kept in total, beside the automaton that was used last. */
  constructor(most: number) {
    this.#most = most
  }

  /** Returns what `make` returns for the key, or returned for it before. */
  of(key: string, make: () => Automaton): Automaton {
    const known = this.#kept.get(key)
    const automaton = known ?? make()
    if (known) this.#kept.delete(key)
    else this.#states += automaton.states.rules.size
    this.#kept.set(key, automaton)
    for (const [oldest, { states }] of this.#kept) {
      if (this.#states <= this.#most || oldest === key) break
      this.#kept.delete(oldest)
      this.#states -= states.rules.size
    }
    return automaton
  }
}
