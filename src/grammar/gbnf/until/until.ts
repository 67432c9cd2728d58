import type { Gbnf } from '../gbnf.ts'
import { RuleFamily } from '../rule-family.ts'
import type { GbnfRules } from '../rules.ts'
import { UntilAutomaton } from './automaton.ts'
import { type Automaton, AutomatonCache } from './automaton-cache.ts'
import type { Mistaken } from './text-kind.ts'

/** Text up to a closing marker, as its reader finds it. */
export interface Until {
  /** The text that ends it, as it is written; if it is empty, the text may end anywhere. */
  closer: string
  /**
   * Texts that it must not contain, in any case: the beginnings of its own closing marker and of the markers around it.
   * The text counts as the beginning of a line when they are searched for.
   */
  marks: readonly string[]
  /** True if the text begins on its own line. */
  isLineStart: boolean
  not: readonly Mistaken[]
  isNonEmpty?: boolean
}

/** The states of automata that are kept: 48 chat templates of all families have 4700. */
const maxStates = 5000
const made = new AutomatonCache(maxStates)

/** The text followed by its closer: a deterministic automaton, a rule for each of its states. */
export function textUntil(until: Until, rules: GbnfRules): Gbnf {
  const key = keyOf(until)
  const { start, states } = made.of(key, () => makeAutomaton(key, until))
  rules.addFamily(states)
  return { type: 'rule', name: start }
}

function makeAutomaton(key: string, until: Until): Automaton {
  // Short, and the states are numbered in base 36: the names of states are up to half of the text of a large structural tag.
  const label = `t-${hashOf(key)}`
  return { start: `${label}-0`, states: new RuleFamily(new UntilAutomaton(until, label).build()) }
}

function keyOf({ closer, marks, isLineStart, not, isNonEmpty }: Until): string {
  return `${closer}\u0000${marks.join('\u0000')}\u0001${isLineStart} ${not.join()} ${isNonEmpty === true}`
}

/** A short name for a text: FNV-1a in 64 bits. It is the same in each grammar, so that equal grammars are equal texts. */
export function hashOf(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325]
  for (let at = 0; at < text.length; at++) {
    low = (low ^ text.charCodeAt(at)) >>> 0
    // Times 2^40 + 0x1b3, in two halves.
    const product = low * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + low * 2 ** 8) % 2 ** 32
    low = product >>> 0
  }
  return ((BigInt(high) << 32n) | BigInt(low)).toString(36).slice(-8)
}
