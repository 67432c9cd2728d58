import { type State, TooManyStates } from '../language/automaton.ts'
import type { Language } from '../language/language.ts'
import { wholeLanguage } from '../language/pattern.ts'
import { CharSet } from '../regex/chars.ts'
import type { RegexTree } from '../regex/tree.ts'
import { charsOf, choice, empty, type Gbnf, printGbnf, repeat, sequence } from './gbnf.ts'
import { printedRule } from './rule-family.ts'
import type { GbnfRules } from './rules.ts'

/** States in each other that are printed in one rule. */
const deepest = 12
/** The longest printed set of characters that is written in place. */
const longestSet = 24

/**
 * The texts of a language: a rule for each state that several others lead to; the other states are written in place.
 * `charsOf` determines how a set of characters is written. Undefined if the language is empty.
 */
export function languageGbnf(
  language: Language,
  label: string,
  rules: GbnfRules,
  write: (set: CharSet) => Gbnf = charsOf,
): Gbnf | undefined {
  return language.isEmpty ? undefined : new LanguagePrinter(language.states, label, rules, write).print()
}

class LanguagePrinter {
  readonly #states: readonly State[]
  readonly #label: string
  readonly #rules: GbnfRules
  readonly #write: (set: CharSet) => Gbnf
  readonly #entries: number[]
  readonly #names = new Map<number, string>()
  readonly #open: number[] = []

  constructor(states: readonly State[], label: string, rules: GbnfRules, write: (set: CharSet) => Gbnf) {
    this.#states = states
    this.#label = label
    this.#rules = rules
    this.#write = write
    this.#entries = states.map(() => 0)
    for (const [from, { edges }] of states.entries()) {
      for (const { to } of edges) if (to !== from) this.#entries[to] = (this.#entries[to] ?? 0) + 1
    }
  }

  print(): Gbnf {
    const start = this.#entries[0] === 0 ? this.#body(0, 0) : this.#reference(0)
    for (let state = this.#open.pop(); state !== undefined; state = this.#open.pop()) {
      this.#rules.addPrinted(this.#names.get(state) ?? '', printedRule(this.#body(state, 0)))
    }
    return start
  }

  #reference(state: number): Gbnf {
    let name = this.#names.get(state)
    if (name === undefined) {
      name = this.#rules.reserve(this.#label)
      this.#names.set(state, name)
      this.#open.push(state)
    }
    return { type: 'rule', name }
  }

  /** A long set becomes a rule, because many states use the same one. */
  #chars(set: CharSet): Gbnf {
    const written = this.#write(set)
    return printGbnf(written).length > longestSet ? this.#rules.add(`${this.#label}-char`, written) : written
  }

  #body(at: number, depth: number): Gbnf {
    const { accepts = false, edges = [] } = this.#states[at] ?? {}
    const loop = edges.find(({ to }) => to === at)
    const nexts = edges
      .filter(({ to }) => to !== at)
      .map(({ set, to }) => sequence(this.#chars(set), this.#next(to, depth)))
    const next = choice([...nexts, accepts ? empty : undefined]) ?? empty
    return loop ? sequence(repeat(this.#chars(loop.set), 0), next) : next
  }

  #next(state: number, depth: number): Gbnf {
    const { edges = [], accepts = false } = this.#states[state] ?? {}
    if (edges.length === 0 && accepts) return empty
    const isOnly = this.#entries[state] === 1 && state !== 0
    return isOnly && depth < deepest ? this.#body(state, depth + 1) : this.#reference(state)
  }
}

/** The language of an expression without rules. Throws `TooManyStates` if it needs too many states. */
export function languageOf(gbnf: Gbnf): Language {
  return wholeLanguage(treeOf(gbnf))
}

function treeOf(gbnf: Gbnf): RegexTree {
  switch (gbnf.type) {
    case 'literal':
      return { type: 'sequence', of: [...gbnf.text].map((char) => ({ type: 'set', set: CharSet.of(char) })) }
    case 'chars':
      return { type: 'set', set: gbnf.set }
    case 'sequence':
    case 'choice':
      return { type: gbnf.type, of: gbnf.of.map(treeOf) }
    case 'repeat':
      return {
        type: 'repeat',
        of: treeOf(gbnf.of),
        min: gbnf.min,
        max: gbnf.max ?? Number.POSITIVE_INFINITY,
        isLazy: false,
      }
    case 'rule':
      throw new TooManyStates()
  }
}
