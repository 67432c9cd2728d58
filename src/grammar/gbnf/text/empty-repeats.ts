import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { isNullable, nullableRules } from './leftmost.ts'

/**
 * Rewrites repetitions of what may be empty: `(a*)*` as `a*`. Engines of GBNF take none, because the empty text could be repeated
 * without end.
 */
export function withoutEmptyRepeats(rules: ReadonlyMap<string, Gbnf>): ReadonlyMap<string, Gbnf> {
  return new EmptyRepeats(rules).all()
}

const nothing: Gbnf = charsOf(CharSet.none)

class EmptyRepeats {
  readonly #rules: ReadonlyMap<string, Gbnf>
  readonly #nullable: ReadonlySet<string>
  readonly #made = new Map<string, Gbnf>()
  /** The names of rules without their empty text, by the rules' names. */
  readonly #filled = new Map<string, string>()

  constructor(rules: ReadonlyMap<string, Gbnf>) {
    this.#rules = rules
    this.#nullable = nullableRules(rules)
  }

  all(): ReadonlyMap<string, Gbnf> {
    for (const [name, body] of this.#rules) this.#made.set(name, this.#walk(body))
    // Entries are added while they are made.
    for (const [name, own] of this.#filled) {
      this.#made.set(own, this.#filledOf(this.#rules.get(name) ?? empty) ?? nothing)
    }
    return this.#made
  }

  #walk(gbnf: Gbnf): Gbnf {
    switch (gbnf.type) {
      case 'sequence':
        return sequence(...gbnf.of.map((part) => this.#walk(part)))
      case 'choice':
        return choice(gbnf.of.map((part) => this.#walk(part))) ?? empty
      case 'repeat': {
        if (!isNullable(gbnf.of, this.#nullable)) return repeat(this.#walk(gbnf.of), gbnf.min, gbnf.max)
        const of = this.#filledOf(gbnf.of)
        return of ? repeat(of, 0, gbnf.max) : empty
      }
      default:
        return gbnf
    }
  }

  /** The same texts without the empty one; undefined if there are no others. */
  #filledOf(gbnf: Gbnf): Gbnf | undefined {
    if (!isNullable(gbnf, this.#nullable)) return this.#walk(gbnf)
    switch (gbnf.type) {
      case 'rule': {
        const own = this.#filled.get(gbnf.name) ?? this.#nameFor(gbnf.name)
        this.#filled.set(gbnf.name, own)
        return { type: 'rule', name: own }
      }
      case 'choice':
        return choice(gbnf.of.map((part) => this.#filledOf(part)))
      case 'sequence': {
        // Each may be empty, so the text begins with one of them that is not.
        const forms = gbnf.of.map((part, at) => {
          const filled = this.#filledOf(part)
          return filled && sequence(filled, ...gbnf.of.slice(at + 1).map((one) => this.#walk(one)))
        })
        return choice(forms)
      }
      case 'repeat': {
        const of = this.#filledOf(gbnf.of)
        return of && repeat(of, 1, gbnf.max)
      }
      default:
        return undefined
    }
  }

  #nameFor(name: string): string {
    let own = `${name}-filled`
    while (this.#rules.has(own)) own += '-x'
    return own
  }
}
