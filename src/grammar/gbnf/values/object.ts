import type { Variant } from '../../schema/variants.ts'
import { counted } from '../counted.ts'
import { choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { type GbnfRules, repetitionLimit } from '../rules.ts'
import { memberOrders, mostOrdered } from './member-orders.ts'
import { alternatives, FreePlaces, type MemberPlaces, type MemberRule, OrderedPlaces } from './member-places.ts'

/** The maximum number of rules that count the required members of a large object: six need this many. */
const requiredRules = 64
/** The same bound if all other members come in order. */
const orderedRules = 256

/**
 * True if a value of one of the types may be a list: readers take the same argument twice in a row for two items of it.
 */
export function mayBeList(variants: readonly Variant[]): boolean {
  return variants.some(({ type }) => type === 'array')
}

export interface MembersFormat {
  /** The text between two members. */
  separator: Gbnf
  /** A member without a declared name: any number of them, at any place. */
  extra: Gbnf | undefined
  /** True if an object without members is not written as empty text. */
  isNonEmpty: boolean
  /** The members of larger objects come as the schema has them. */
  inOrder?: boolean
  /** The least and the greatest number of members. */
  least?: number
  most?: number
}

/**
 * The maximum number of rules for an object whose members are counted: each number of members that were read has its own
 * rules for the rest.
 */
const mostCounts = 2000
/** The maximum count of members that is expressed, one by one. */
const longestCount = 200
/** Larger objects, with more members that may be left out than this, take those in any order and uncounted. */
const mostInOrders = 12
const mostOptionalInOrders = 6

/**
 * The members of an object: empty text if it may be empty, undefined if it must have members but can have none.
 * Optional members of a large object are not counted: if they had to come in a fixed order, a model would find no place
 * for one that it had passed.
 */
export function membersOf(members: readonly MemberRule[], format: MembersFormat, rules: GbnfRules): Gbnf | undefined {
  const { extra, inOrder = false } = format
  if (members.length === 0 && extra) return othersOf(extra, format, rules)
  const count = countOf(members, format)
  const isSmall = members.length <= rules.mostCounted
  if (isSmall || (inOrder && count !== undefined)) return countedOf(members, count, format, rules)
  if (count !== undefined) rules.notice('"minProperties" and "maxProperties" are not expressed for large objects')
  const optional = members.filter(({ isRequired, isOnce }) => !isRequired && !isOnce)
  const isCounted = inOrder && (members.length <= mostInOrders || optional.length <= mostOptionalInOrders)
  const uncounted = isCounted ? [] : optional
  const others = isCounted ? members : members.filter((member) => !optional.includes(member))
  if (uncounted.length > 0) rules.notice(`members of a large object may come twice: ${keysOf(uncounted)}`)
  const places = inOrder ? orderedPlaces(others, rules) : largePlaces(others, rules)
  return new Members(places, { uncounted }, format, rules).build()
}

/** Members that are all counted: few, or as many as there must be and may be. */
function countedOf(
  members: readonly MemberRule[],
  count: number | undefined,
  format: MembersFormat,
  rules: GbnfRules,
): Gbnf | undefined {
  const isSmall = members.length <= rules.mostCounted
  const places = isSmall ? 2 ** members.length : members.length
  const isTooMany = count !== undefined && (count > longestCount || count * places > mostCounts)
  if (isTooMany) rules.notice('"minProperties" and "maxProperties" are not expressed for large objects')
  const counts = { uncounted: [], count: isTooMany ? undefined : count }
  const [free, ordered] = isSmall ? [members, []] : [[], members]
  return new Members(new FreePlaces(free, ordered, rules), counts, format, rules).build()
}

/** The places of a response's members: in all orders that can be distinguished, without a notice about others. */
function orderedPlaces(members: readonly MemberRule[], rules: GbnfRules): MemberPlaces {
  if (members.length <= mostOrdered) {
    const required = members.map(({ isRequired }) => isRequired)
    return new OrderedPlaces(
      members,
      rules.takeOrders((most) => memberOrders(required, most)),
    )
  }
  const free = freeMembers(members, orderedRules, true)
  return new FreePlaces(free, without(members, free), rules)
}

/** Those of a tool that are counted. */
function largePlaces(members: readonly MemberRule[], rules: GbnfRules): MemberPlaces {
  const free = freeMembers(members)
  const ordered = without(members, free)
  if (ordered.length > 0) rules.notice(`members of a large object come in the order of the schema: ${keysOf(ordered)}`)
  return new FreePlaces(free, ordered, rules)
}

function without(members: readonly MemberRule[], others: readonly MemberRule[]): MemberRule[] {
  return members.filter((member) => !others.includes(member))
}

/** Members that have no names, one at least. */
function othersOf(extra: Gbnf, { separator, least = 0, most }: MembersFormat, rules: GbnfRules): Gbnf | undefined {
  if (most !== undefined && most < Math.max(1, least)) return undefined
  const more = sequence(separator, rules.add('other', extra))
  return sequence(extra, counted(more, Math.max(0, least - 1), most === undefined ? undefined : most - 1, rules))
}

/** The number up to which members have to be counted; undefined if they need not be. */
function countOf(
  members: readonly MemberRule[],
  { extra, least = 0, most = Number.POSITIVE_INFINITY }: MembersFormat,
): number | undefined {
  const required = members.filter(({ isRequired }) => isRequired).length
  const isLeast = least > Math.max(1, required)
  if (extra ? most === Number.POSITIVE_INFINITY : most >= members.length) return isLeast ? least : undefined
  return most
}

function keysOf(members: readonly MemberRule[]): string {
  return members.map(({ key }) => `"${key}"`).join(', ')
}

/** The members that may come at any time, the required ones before others. */
function freeMembers(members: readonly MemberRule[], most: number = requiredRules, isOrdered = false): MemberRule[] {
  const required = members.filter(({ isRequired }) => isRequired)
  const sorted = [...required, ...members.filter(({ isRequired }) => !isRequired)]
  const last = isOrdered ? required.length : sorted.length
  let count = 0
  while (count < last && rulesFor(count + 1, sorted.slice(count + 1)) <= most) count++
  return sorted.slice(0, count)
}

/** The number of rules: one for the text after each ordered member, and one more for each optional one. */
function rulesFor(free: number, ordered: readonly MemberRule[]): number {
  const optional = ordered.filter(({ isRequired }) => !isRequired)
  return 2 ** free * Math.max(1, ordered.length + optional.length)
}

class Members {
  /** Those that come once each. */
  readonly #places: MemberPlaces
  /** Others, in any order, as many between two of those as there are of them at most. */
  readonly #uncounted: Gbnf | undefined
  /** The greatest number of members that are not counted. */
  readonly #most: number
  /** Members without a declared name: after another member, and before one. */
  readonly #extrasAfter: Gbnf
  readonly #extrasBefore: Gbnf
  /** Uncounted members that may come after another member. */
  readonly #more: Gbnf
  readonly #format: MembersFormat
  readonly #rules: GbnfRules
  /** Members are counted up to this number; 0 if they are not counted. */
  readonly #cap: number
  readonly #rests = new Map<number, Gbnf | undefined>()

  /** `count`: up to how many members are counted. */
  constructor(
    places: MemberPlaces,
    { uncounted, count = 0 }: { uncounted: readonly MemberRule[]; count?: number | undefined },
    format: MembersFormat,
    rules: GbnfRules,
  ) {
    this.#places = places
    this.#format = format
    this.#rules = rules
    this.#cap = count
    const { extra, separator } = format
    this.#extrasAfter = extra ? rules.add('extras', repeat(sequence(separator, extra), 0)) : empty
    this.#extrasBefore = extra ? repeat(sequence(extra, separator), 0) : empty
    const any = alternatives(uncounted.map(({ gbnf }) => gbnf))
    this.#uncounted = any && rules.add('member', any)
    this.#most = uncounted.length
    this.#more = this.#moreOf(this.#most)
  }

  build(): Gbnf | undefined {
    const { isNonEmpty, extra, separator } = this.#format
    const before = this.#extrasBefore
    for (const place of this.#places.first) this.#after(place, this.#count(1))
    if (this.#cap > 0) return this.#nextOrOther(0, 0)
    const next = this.#next(0, 0)
    const any = this.#uncounted
    const others = any ? this.#repeated(sequence(any, separator, before), this.#most) : empty
    const first = next && sequence(before, others, next)
    if (!this.#isWhole(0, 0)) return first
    const onlyUncounted = any && sequence(before, any, this.#moreOf(this.#most - 1))
    const onlyExtra = extra && sequence(extra, this.#extrasAfter)
    return choice([first, onlyUncounted, onlyExtra, isNonEmpty ? undefined : empty])
  }

  #count(members: number): number {
    return Math.min(members, this.#cap)
  }

  /** Past the least number there is nothing to count, unless there is a largest. */
  #isCounted(count: number): boolean {
    return this.#cap > 0 && (count < this.#cap || this.#format.most !== undefined)
  }

  #mayGoOn(count: number): boolean {
    return this.#cap === 0 || count < (this.#format.most ?? Number.POSITIVE_INFINITY)
  }

  /** A counted member, or one without a declared name, and the members that may follow. */
  #nextOrOther(place: number, count: number): Gbnf | undefined {
    if (!this.#mayGoOn(count)) return undefined
    const next = this.#next(place, count)
    const { extra } = this.#format
    const rest = extra && this.#isCounted(count) ? this.#after(place, this.#count(count + 1)) : undefined
    return extra && rest ? choice([next, sequence(extra, rest)]) : next
  }

  /** The members that may follow at a place; undefined if no complete object is possible. */
  #after(place: number, count: number): Gbnf | undefined {
    const key = place * (this.#cap + 1) + count
    if (!this.#rests.has(key)) {
      const next = this.#nextOrOther(place, count)
      const more = next && sequence(this.#format.separator, next)
      const end = this.#isWhole(place, count) ? empty : undefined
      const rest = more && end ? choice([more, end]) : (more ?? end)
      const body = rest && (this.#isCounted(count) ? rest : sequence(this.#more, rest))
      this.#rests.set(key, body && this.#rules.add('rest', body))
    }
    return this.#rests.get(key)
  }

  #next(place: number, count: number): Gbnf | undefined {
    return this.#places.next(place, count, (to) => this.#after(to, this.#count(count + 1)))
  }

  #isWhole(place: number, count: number): boolean {
    const isEnough = this.#cap === 0 || count >= (this.#format.least ?? 0)
    return isEnough && this.#places.isWhole(place)
  }

  /** Up to `most` uncounted members, each after another member. */
  #moreOf(most: number): Gbnf {
    const extras = this.#extrasAfter
    if (!this.#uncounted) return extras
    return sequence(extras, this.#repeated(sequence(this.#format.separator, this.#uncounted, extras), most))
  }

  #repeated(one: Gbnf, most: number): Gbnf {
    return most < 1 ? empty : this.#rules.add('more', repeat(one, 0, Math.min(most, repetitionLimit(one))))
  }
}
