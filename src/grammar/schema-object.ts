import { either, empty, type Gbnf, inOrder, perhaps, times } from './gbnf.ts'
import type { GbnfRules } from './gbnf-rules.ts'

/** A member that an object may have. */
export interface MemberRule {
  key: string
  isRequired: boolean
  gbnf: Gbnf
}

/** In any order for so many members: there are two to the power of that many states. Beyond it, in the schema's order. */
const maxInAnyOrder = 5

export interface MembersFormat {
  /** What stands between two members. */
  separator: Gbnf
  /** A member that the schema has no name for. */
  extra: Gbnf | undefined
  /** Beside the members that are required, so many more at least. */
  isNonEmpty: boolean
}

/** The members of an object, each at most once; undefined where it can have none but must. Nothing where it may be empty. */
export function membersOf(members: readonly MemberRule[], format: MembersFormat, rules: GbnfRules): Gbnf | undefined {
  if (members.length > maxInAnyOrder) return new OrderedMembers(members, format, rules).build()
  return new UnorderedMembers(members, format, rules).build()
}

class UnorderedMembers {
  readonly #members: readonly MemberRule[]
  readonly #format: MembersFormat
  readonly #rules: GbnfRules
  readonly #required: number
  readonly #known = new Map<number, Gbnf | undefined>()

  constructor(members: readonly MemberRule[], format: MembersFormat, rules: GbnfRules) {
    this.#members = members
    this.#format = format
    this.#rules = rules
    this.#required = members.reduce((bits, { isRequired }, index) => bits | (isRequired ? 1 << index : 0), 0)
  }

  build(): Gbnf | undefined {
    const { isNonEmpty, extra } = this.#format
    const firsts = this.#members.map(({ gbnf }, index) => followed(gbnf, this.#behind(1 << index)))
    const onlyExtra = extra && this.#required === 0 ? this.#extras(extra, true) : undefined
    return either([...firsts, onlyExtra, !isNonEmpty && this.#required === 0 ? empty : undefined])
  }

  /** What may follow those members, which stand there; undefined where nothing that is whole can. */
  #behind(seen: number): Gbnf | undefined {
    if (!this.#known.has(seen)) {
      const { extra, separator } = this.#format
      const isWhole = (seen & this.#required) === this.#required
      const nexts: Gbnf[] = []
      let bit = 1
      for (const { gbnf } of this.#members) {
        const next = seen & bit ? undefined : followed(gbnf, this.#behind(seen | bit))
        if (next) nexts.push(next)
        bit <<= 1
      }
      const next = alternatives(nexts)
      const end = isWhole ? (extra ? this.#extras(extra, false) : empty) : undefined
      const body = either([next && inOrder(separator, next), end])
      this.#known.set(seen, body && this.#rules.add('rest', body))
    }
    return this.#known.get(seen)
  }

  #extras(extra: Gbnf, isFirst: boolean): Gbnf {
    const more = times(inOrder(this.#format.separator, extra), 0)
    return isFirst ? inOrder(extra, more) : more
  }
}

class OrderedMembers {
  readonly #members: readonly MemberRule[]
  readonly #format: MembersFormat
  readonly #rules: GbnfRules

  constructor(members: readonly MemberRule[], format: MembersFormat, rules: GbnfRules) {
    this.#members = members
    this.#format = format
    this.#rules = rules
  }

  build(): Gbnf | undefined {
    const { isNonEmpty } = this.#format
    this.#rules.notice(`objects of more than ${maxInAnyOrder} members have them in the order of the schema`)
    const members = this.#members
    const rests: Gbnf[] = [this.#extras()]
    // From the last member on: what may follow once a member stands there.
    for (let index = members.length - 1; index >= 0; index--) {
      const rest = rests[0] ?? empty
      const { gbnf, isRequired } = members[index] ?? { gbnf: empty, isRequired: false }
      const here = inOrder(this.#format.separator, gbnf)
      rests.unshift(this.#rules.add('rest', inOrder(isRequired ? here : perhaps(here), rest)))
    }
    const firsts: (Gbnf | undefined)[] = []
    for (const [index, { gbnf, isRequired }] of members.entries()) {
      firsts.push(inOrder(gbnf, rests[index + 1] ?? empty))
      if (isRequired) return either(firsts)
    }
    const { extra, separator } = this.#format
    if (extra) firsts.push(inOrder(extra, times(inOrder(separator, extra), 0)))
    return either([...firsts, isNonEmpty ? undefined : empty])
  }

  #extras(): Gbnf {
    const { extra, separator } = this.#format
    return extra ? times(inOrder(separator, extra), 0) : empty
  }
}

/** No two are the same, as each begins with a key of its own. */
function alternatives(of: readonly Gbnf[]): Gbnf | undefined {
  return of.length > 1 ? { type: 'choice', of } : of[0]
}

function followed(gbnf: Gbnf, rest: Gbnf | undefined): Gbnf | undefined {
  return rest && inOrder(gbnf, rest)
}
