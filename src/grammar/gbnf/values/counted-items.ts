import { choice, empty, type Gbnf, sequence } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'

/** An item that may come next in a list. */
export interface ItemKind {
  gbnf: Gbnf
  /** It comes no second time. */
  isOnce: boolean
  /** The demands that it fulfils, a bit each. */
  fulfils: number
}

/** Lists that are followed item by item. */
export interface ItemDemands {
  tuple: readonly unknown[]
  min: number
  max: number
  /** The number of demands; all must be fulfilled. */
  demands: number
  /** The kinds of items that are allowed at a place. */
  kindsAt: (index: number) => readonly ItemKind[]
}

/**
 * The items of a list as an automaton. Each rule describes the rest after a number of items, given the demands that
 * they fulfilled and the constants that must not come again.
 */
export class CountedItems {
  readonly #list: ItemDemands
  readonly #comma: Gbnf
  readonly #rules: GbnfRules
  /** From here on it makes no difference how many there are. */
  readonly #cap: number
  readonly #names = new Map<string, Gbnf | undefined>()

  constructor(list: ItemDemands, comma: Gbnf, rules: GbnfRules) {
    this.#list = list
    this.#comma = comma
    this.#rules = rules
    this.#cap = list.max === Number.POSITIVE_INFINITY ? Math.max(list.min, list.tuple.length) : list.max
  }

  /** One item or more; undefined if no list can be completed. */
  build(): Gbnf | undefined {
    return this.#next(0, 0, 0)
  }

  #next(count: number, fulfilled: number, used: number): Gbnf | undefined {
    const { max, kindsAt } = this.#list
    if (count >= max) return undefined
    const nexts = kindsAt(count).map((kind, at) => {
      const bit = 1 << at
      if (kind.isOnce && used & bit) return undefined
      const after = this.#after(
        Math.min(count + 1, this.#cap),
        fulfilled | kind.fulfils,
        kind.isOnce ? used | bit : used,
      )
      return after && sequence(kind.gbnf, after)
    })
    return choice(nexts)
  }

  #after(count: number, fulfilled: number, used: number): Gbnf | undefined {
    const key = `${count} ${fulfilled} ${used}`
    if (this.#names.has(key)) return this.#names.get(key)
    // It may lead back to itself.
    const name = this.#rules.reserve('items')
    const self: Gbnf = { type: 'rule', name }
    this.#names.set(key, self)
    const { min, demands } = this.#list
    const isWhole = count >= min && fulfilled === 2 ** demands - 1
    const next = this.#next(count, fulfilled, used)
    const body = choice([next && sequence(this.#comma, next), isWhole ? empty : undefined])
    if (body) this.#rules.define(name, body)
    else {
      this.#rules.drop(name)
      this.#names.set(key, undefined)
    }
    return body && self
  }
}
