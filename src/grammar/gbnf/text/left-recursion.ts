import { choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { addLeftmost, leftmostOf, nullableRules, recursiveGroups } from './leftmost.ts'
import { unreadable } from './text-grammar.ts'

/** Alternatives that one rule is written out to. */
const mostAlternatives = 500

/** An alternative of a rule: the rule of the group that it begins with, if it does, and the rest. */
interface Alternative {
  head: string | undefined
  rest: Gbnf
}

/**
 * Rewrites rules that begin with themselves, directly or through others, as repetitions: engines of GBNF take no others
 * (Paull's algorithm). Throws an `UnreadableGrammar` if that takes too many alternatives.
 *
 * @example
 * // sum: sum "+" NUMBER | NUMBER   becomes   sum: NUMBER ("+" NUMBER)*
 */
export function withoutLeftRecursion(rules: ReadonlyMap<string, Gbnf>): ReadonlyMap<string, Gbnf> {
  const groups = recursiveGroups(leftmostOf(rules))
  if (groups.length === 0) return rules
  const made = new Map(rules)
  for (const group of groups) rewrite(group, made)
  if (recursiveGroups(leftmostOf(made)).length > 0) {
    unreadable('it has rules that begin with themselves in a way that cannot be rewritten')
  }
  return made
}

function rewrite(group: readonly string[], rules: Map<string, Gbnf>): void {
  const splitter = new Splitter(new Set(group), nullableRules(rules))
  for (const [at, name] of group.entries()) {
    let alternatives = splitter.split(rules.get(name) ?? empty, [])
    for (const earlier of group.slice(0, at)) {
      const body = rules.get(earlier) ?? empty
      alternatives = alternatives.flatMap((one) => (one.head === earlier ? splitter.split(body, [one.rest]) : [one]))
      if (alternatives.length > mostAlternatives) unreadable('it has rules that begin with each other in too many ways')
    }
    const bases = alternatives.filter(({ head }) => head !== name).map(wholeOf)
    const tails = alternatives.filter(({ head, rest }) => head === name && !isEmptyText(rest)).map(({ rest }) => rest)
    const base = choice(bases) ?? unreadable(`its rule "${name}" never ends`)
    const tail = choice(tails)
    rules.set(name, tail ? sequence(base, repeat(tail, 0)) : base)
  }
}

function wholeOf({ head, rest }: Alternative): Gbnf {
  return head === undefined ? rest : sequence({ type: 'rule', name: head }, rest)
}

function isEmptyText(gbnf: Gbnf): boolean {
  return gbnf.type === 'literal' && gbnf.text === ''
}

/** Splits expressions into alternatives by the rule of a group that they begin with. */
class Splitter {
  readonly #group: ReadonlySet<string>
  readonly #nullable: ReadonlySet<string>
  #left = mostAlternatives * 20

  constructor(group: ReadonlySet<string>, nullable: ReadonlySet<string>) {
    this.#group = group
    this.#nullable = nullable
  }

  /** `after` follows the expression. */
  split(gbnf: Gbnf, after: readonly Gbnf[]): Alternative[] {
    if (--this.#left < 0) unreadable('it has rules that begin with each other in too many ways')
    const whole = sequence(gbnf, ...after)
    if (!this.#beginsInGroup(whole)) return [{ head: undefined, rest: whole }]
    switch (gbnf.type) {
      case 'rule':
        if (this.#group.has(gbnf.name)) return [{ head: gbnf.name, rest: sequence(...after) }]
        return unreadable(`its rule "${gbnf.name}" may be empty before a rule that begins with itself`)
      case 'choice':
        return gbnf.of.flatMap((one) => this.split(one, after))
      case 'sequence': {
        const [first, ...rest] = gbnf.of
        return first ? this.split(first, [...rest, ...after]) : this.#rest(after)
      }
      case 'repeat': {
        const { of, min, max } = gbnf
        const again = repeat(of, Math.max(0, min - 1), max === undefined ? undefined : max - 1)
        const some = this.split(of, [again, ...after])
        return min === 0 ? [...some, ...this.#rest(after)] : some
      }
      default:
        return this.#rest(after)
    }
  }

  #rest([first, ...others]: readonly Gbnf[]): Alternative[] {
    return first ? this.split(first, others) : [{ head: undefined, rest: empty }]
  }

  #beginsInGroup(gbnf: Gbnf): boolean {
    const names = new Set<string>()
    addLeftmost(gbnf, this.#nullable, names)
    return [...names].some((name) => this.#group.has(name))
  }
}
