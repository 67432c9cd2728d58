import { memoize } from '../../../conversation/index.ts'
import { TooManyStates } from '../../language/automaton.ts'
import type { Language } from '../../language/language.ts'
import { choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { languageOf } from '../language.ts'
import { recognise } from './recognise.ts'
import type { TextGrammar } from './text-grammar.ts'

/**
 * `at`: the offset from which on the text cannot be continued to one of the grammar, or its length if it ends too
 * early. `unjudged`: it takes more steps than it may.
 */
export type TextVerdict = { type: 'match' } | { type: 'mismatch'; at: number } | { type: 'unjudged' }

const defaultSteps = 3_000_000
/** Expressions of a grammar with its rules in their places. */
const mostInlined = 2000

/**
 * Judges a text by a grammar, in a bounded number of steps.
 *
 * @example
 * matchText({ root: text('ab'), rules: new Map() }, 'ax') // { type: 'mismatch', at: 1 }
 */
export function matchText(grammar: TextGrammar, text: string, steps: number = defaultSteps): TextVerdict {
  const { language } = automatonOf(grammar)
  return language ? matchLanguage(language, text) : recognise(grammar, text, steps)
}

/** The grammar as an automaton, which takes one step for a character; none if its rules refer to themselves. */
const automatonOf = memoize(({ root, rules }: TextGrammar): { language?: Language } => {
  try {
    return { language: languageOf(new Inliner(rules).inline(root)) }
  } catch (error) {
    if (error instanceof TooManyStates) return {}
    throw error
  }
})

class Inliner {
  readonly #rules: ReadonlyMap<string, Gbnf>
  readonly #open = new Set<string>()
  #left = mostInlined

  constructor(rules: ReadonlyMap<string, Gbnf>) {
    this.#rules = rules
  }

  inline(gbnf: Gbnf): Gbnf {
    if (--this.#left < 0) throw new TooManyStates()
    switch (gbnf.type) {
      case 'rule': {
        if (this.#open.has(gbnf.name)) throw new TooManyStates()
        this.#open.add(gbnf.name)
        const body = this.inline(this.#rules.get(gbnf.name) ?? empty)
        this.#open.delete(gbnf.name)
        return body
      }
      case 'sequence':
        return sequence(...gbnf.of.map((part) => this.inline(part)))
      case 'choice':
        return choice(gbnf.of.map((part) => this.inline(part))) ?? empty
      case 'repeat':
        return repeat(this.inline(gbnf.of), gbnf.min, gbnf.max)
      default:
        return gbnf
    }
  }
}

function matchLanguage({ states }: Language, text: string): TextVerdict {
  let state = states[0]
  let at = 0
  for (const char of text) {
    const edge = state?.edges.find(({ set }) => set.has(char))
    if (!edge) return { type: 'mismatch', at }
    state = states[edge.to]
    at += char.length
  }
  return state?.accepts ? { type: 'match' } : { type: 'mismatch', at }
}
