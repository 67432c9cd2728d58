import { type Gbnf, sequence } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import type { OrderState } from './member-orders.ts'

/** A member that an object may have. */
export interface MemberRule {
  key: string
  isRequired: boolean
  gbnf: Gbnf
  /** True if the member must not occur twice in a row: that would be read as something else. */
  isOnce?: boolean
}

/**
 * Returns the members that may follow a member, by the place that it leads to; undefined if no complete object is
 * possible.
 */
export type After = (place: number) => Gbnf | undefined

/** The places in an object between members that come once each. The first is 0. */
export interface MemberPlaces {
  /** True if all required members have come. */
  isWhole(place: number): boolean
  /** The members that may come next, each with the ones that follow it. `count` members come before. */
  next(place: number, count: number, after: After): Gbnf | undefined
  /** Places to look at in this order first, so that no schema is too long for the stack. */
  readonly first: readonly number[]
}

/** Some members in any order, among others in their own. */
export class FreePlaces implements MemberPlaces {
  readonly first: readonly number[]
  readonly #free: readonly MemberRule[]
  readonly #ordered: readonly MemberRule[]
  readonly #rules: GbnfRules
  /** Those that are free and required, a bit each. */
  readonly #required: number
  /** The place of the last one that is ordered and required. */
  readonly #lastRequired: number
  readonly #laters = new Map<string, Gbnf | undefined>()

  constructor(free: readonly MemberRule[], ordered: readonly MemberRule[], rules: GbnfRules) {
    this.#free = free
    this.#ordered = ordered
    this.#rules = rules
    this.#required = free.reduce((bits, { isRequired }, index) => bits | (isRequired ? 1 << index : 0), 0)
    this.#lastRequired = ordered.findLastIndex(({ isRequired }) => isRequired)
    this.first = ordered.map((_, at) => this.#placeOf(0, ordered.length - at))
  }

  /** The free members that were there are bits above how many ordered ones were there, or passed over. */
  #placeOf(seen: number, from: number): number {
    return seen * (this.#ordered.length + 1) + from
  }

  #partsOf(place: number): { seen: number; from: number } {
    const from = place % (this.#ordered.length + 1)
    return { seen: (place - from) / (this.#ordered.length + 1), from }
  }

  isWhole(place: number): boolean {
    const { seen, from } = this.#partsOf(place)
    return (seen & this.#required) === this.#required && from > this.#lastRequired
  }

  next(place: number, count: number, after: After): Gbnf | undefined {
    const { seen, from } = this.#partsOf(place)
    const nexts: Gbnf[] = []
    let bit = 1
    for (const { gbnf } of this.#free) {
      const rest = seen & bit ? undefined : after(this.#placeOf(seen | bit, from))
      if (rest) nexts.push(sequence(gbnf, rest))
      bit <<= 1
    }
    const ordered = this.#nextOrdered(seen, from, count, after)
    if (ordered) nexts.push(ordered)
    return alternatives(nexts)
  }

  /** The next ordered member, or a later one if it is optional. */
  #nextOrdered(seen: number, from: number, count: number, after: After): Gbnf | undefined {
    const member = this.#ordered[from]
    if (!member) return undefined
    const rest = after(this.#placeOf(seen, from + 1))
    const nexts = rest ? [sequence(member.gbnf, rest)] : []
    if (member.isRequired) return nexts[0]
    const key = `${seen} ${from} ${count}`
    if (!this.#laters.has(key)) {
      const later = this.#nextOrdered(seen, from + 1, count, after)
      if (later) nexts.push(later)
      const next = alternatives(nexts)
      this.#laters.set(key, next && this.#rules.add('next', next))
    }
    return this.#laters.get(key)
  }
}

/** All members in the orders that are distinguished. */
export class OrderedPlaces implements MemberPlaces {
  readonly first: readonly number[] = []
  readonly #members: readonly MemberRule[]
  readonly #states: readonly OrderState[]

  constructor(members: readonly MemberRule[], states: readonly OrderState[]) {
    this.#members = members
    this.#states = states
  }

  isWhole(place: number): boolean {
    return this.#states[place]?.isWhole ?? false
  }

  next(place: number, _count: number, after: After): Gbnf | undefined {
    const nexts: Gbnf[] = []
    for (const [at, to] of this.#states[place]?.nexts ?? []) {
      const member = this.#members[at]
      const rest = member && after(to)
      if (rest) nexts.push(sequence(member.gbnf, rest))
    }
    return alternatives(nexts)
  }
}

/** All differ, because each begins with its own key. */
export function alternatives(of: readonly Gbnf[]): Gbnf | undefined {
  return of.length > 1 ? { type: 'choice', of } : of[0]
}
