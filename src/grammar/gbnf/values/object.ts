import type { Variant } from '../../schema/variants.ts'
import { counted } from '../counted.ts'
import { choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { type GbnfRules, repetitionLimit } from '../rules.ts'

/** A member that an object may have. */
export interface MemberRule {
  key: string
  isRequired: boolean
  gbnf: Gbnf
  /** True if the member must not occur twice in a row: that would be read as something else. */
  isOnce?: boolean
}

/** So many rules count those members of a large object that must be there, as six need. */
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
  /** Beside the members that are required, so many more at least. */
  isNonEmpty: boolean
  /** The members of larger objects come as the schema has them. */
  inOrder?: boolean
  /** The least and the greatest number of members. */
  least?: number
  most?: number
}

/**
 * The greatest number of rules for an object whose members are counted: a rule describes the rest after so many
 * members.
 */
const mostCounts = 2000
/** So many members of an object are counted one by one. */
const longestCount = 200

/**
 * The members of an object: empty text if it may be empty, undefined if it must have members but can have none.
 * Optional members of a large object are not counted: if they had to come in a fixed order, a model would find no place
 * for one that it had passed.
 */
export function membersOf(members: readonly MemberRule[], format: MembersFormat, rules: GbnfRules): Gbnf | undefined {
  const { extra } = format
  if (members.length === 0 && extra) return othersOf(extra, format, rules)
  const isSmall = members.length <= rules.mostCounted
  if (isSmall || format.inOrder) {
    const count = countOf(members, format)
    const free = isSmall ? members : freeMembers(members, count ? 0 : orderedRules, true)
    const sorted = { free, ordered: members.filter((member) => !free.includes(member)), uncounted: [] }
    const places = isSmall ? 2 ** members.length : members.length
    const isTooMany = count !== undefined && (count > longestCount || count * places > mostCounts)
    if (isTooMany) rules.notice('"minProperties" and "maxProperties" are not expressed for large objects')
    const { least: _, most: __, ...uncounted } = format
    return new Members(sorted, isTooMany ? uncounted : format, rules).build()
  }
  if (countOf(members, format) !== undefined)
    rules.notice('"minProperties" and "maxProperties" are not expressed for large objects')
  const isUncounted = ({ isRequired, isOnce }: MemberRule): boolean => !isRequired && !isOnce
  const uncounted = members.filter(isUncounted)
  const counted = members.filter((member) => !isUncounted(member))
  const free = freeMembers(counted)
  const ordered = counted.filter((member) => !free.includes(member))
  if (uncounted.length > 0) rules.notice(`members of a large object may come twice: ${keysOf(uncounted)}`)
  if (ordered.length > 0) rules.notice(`members of a large object come in the order of the schema: ${keysOf(ordered)}`)
  return new Members({ free, ordered, uncounted }, format, rules).build()
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

interface SortedMembers {
  /** Each once, in any order. */
  free: readonly MemberRule[]
  /** Each once, in this order. */
  ordered: readonly MemberRule[]
  /** In any order, as many between two others as there are of them at most. */
  uncounted: readonly MemberRule[]
}

class Members {
  readonly #free: readonly MemberRule[]
  readonly #ordered: readonly MemberRule[]
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
  /** Those that are free and required, a bit each. */
  readonly #required: number
  /** The place of the last one that is ordered and required. */
  readonly #lastRequired: number
  /** Members are counted up to this number; 0 if they are not counted. */
  readonly #cap: number
  readonly #rests = new Map<string, Gbnf | undefined>()
  readonly #laters = new Map<string, Gbnf | undefined>()

  constructor({ free, ordered, uncounted }: SortedMembers, format: MembersFormat, rules: GbnfRules) {
    this.#free = free
    this.#ordered = ordered
    this.#format = format
    this.#rules = rules
    const isCounted = format.least !== undefined || format.most !== undefined
    this.#cap = isCounted && uncounted.length === 0 ? (countOf([...free, ...ordered], format) ?? 0) : 0
    this.#required = free.reduce((bits, { isRequired }, index) => bits | (isRequired ? 1 << index : 0), 0)
    this.#lastRequired = ordered.findLastIndex(({ isRequired }) => isRequired)
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
    // From the last on, so that no schema is too long for the stack.
    for (let from = this.#ordered.length; from > 0; from--) this.#after(0, from, this.#count(1))
    if (this.#cap > 0) return this.#nextOrOther(0, 0, 0)
    const next = this.#next(0, 0, 0)
    const any = this.#uncounted
    const others = any ? this.#repeated(sequence(any, separator, before), this.#most) : empty
    const first = next && sequence(before, others, next)
    if (!this.#isWhole(0, 0, 0)) return first
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

  /** A counted member, or one that has no name, and what may follow. */
  #nextOrOther(seen: number, from: number, count: number): Gbnf | undefined {
    if (!this.#mayGoOn(count)) return undefined
    const next = this.#next(seen, from, count)
    const { extra } = this.#format
    const rest = extra && this.#isCounted(count) ? this.#after(seen, from, this.#count(count + 1)) : undefined
    return choice([next, extra && rest && sequence(extra, rest)])
  }

  /**
   * The text that may follow after the free members in the bit set `seen` and the ordered ones before `from`; undefined
   * if no complete object is possible.
   */
  #after(seen: number, from: number, count: number): Gbnf | undefined {
    const key = `${seen} ${from} ${count}`
    if (!this.#rests.has(key)) {
      const next = this.#nextOrOther(seen, from, count)
      const more = next && sequence(this.#format.separator, next)
      const end = this.#isWhole(seen, from, count) ? empty : undefined
      const rest = more && end ? choice([more, end]) : (more ?? end)
      const body = rest && (this.#isCounted(count) ? rest : sequence(this.#more, rest))
      this.#rests.set(key, body && this.#rules.add('rest', body))
    }
    return this.#rests.get(key)
  }

  /** Each counted member that may come next, with what may follow it. */
  #next(seen: number, from: number, count: number): Gbnf | undefined {
    const nexts: Gbnf[] = []
    let bit = 1
    for (const { gbnf } of this.#free) {
      const rest = seen & bit ? undefined : this.#after(seen | bit, from, this.#count(count + 1))
      if (rest) nexts.push(sequence(gbnf, rest))
      bit <<= 1
    }
    const ordered = this.#nextOrdered(seen, from, count)
    if (ordered) nexts.push(ordered)
    return alternatives(nexts)
  }

  /** The next ordered member, or a later one if it is optional. */
  #nextOrdered(seen: number, from: number, count: number): Gbnf | undefined {
    const member = this.#ordered[from]
    if (!member) return undefined
    const rest = this.#after(seen, from + 1, this.#count(count + 1))
    const nexts = rest ? [sequence(member.gbnf, rest)] : []
    if (member.isRequired) return nexts[0]
    const key = `${seen} ${from} ${count}`
    if (!this.#laters.has(key)) {
      const later = this.#nextOrdered(seen, from + 1, count)
      if (later) nexts.push(later)
      const next = alternatives(nexts)
      this.#laters.set(key, next && this.#rules.add('next', next))
    }
    return this.#laters.get(key)
  }

  #isWhole(seen: number, from: number, count: number): boolean {
    const isEnough = this.#cap === 0 || count >= (this.#format.least ?? 0)
    return isEnough && (seen & this.#required) === this.#required && from > this.#lastRequired
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

/** All differ, because each begins with its own key. */
function alternatives(of: readonly Gbnf[]): Gbnf | undefined {
  return of.length > 1 ? { type: 'choice', of } : of[0]
}
