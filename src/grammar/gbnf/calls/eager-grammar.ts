import { optional, sequence } from '../gbnf.ts'
import { GbnfRules } from '../rules.ts'
import { textUntil } from '../until.ts'
import type { GbnfGrammar } from './grammar.ts'
import { textsOf } from './trigger-texts.ts'

export interface EagerGrammar {
  /** In GBNF. */
  grammar: string
  /** From the first of these texts on, the reply taken to begin on a new line, all is part of a call; empty: from the beginning on. */
  triggers: readonly string[]
}

/**
 * A lazy grammar for an engine that has no triggers: text is free until a trigger stands in it, and from the trigger's first
 * character on the grammar holds. The text may not hold a whole trigger (in whatever case), so behind one only the grammar goes on;
 * before that both are open, and the reply may end without one. Undefined where a trigger is no choice of plain texts.
 */
export function eagerGrammar({ grammar, triggers, isLazy }: GbnfGrammar): EagerGrammar | undefined {
  if (!isLazy) return { grammar, triggers: [] }
  const found = triggers.map(textsOf)
  const texts = bounded(found.flatMap((some) => some ?? []))
  if (texts.length === 0 || found.includes(undefined)) return undefined
  const rules = new GbnfRules()
  const until = { closer: '', marks: texts, isLineStart: true, not: [] }
  const free = rules.add('free-text', textUntil(until, rules))
  const name = freeName(grammar)
  const root = sequence(free, optional({ type: 'rule', name }))
  return { grammar: rules.print(root) + grammar.replace(/^root ::=/m, () => `${name} ::=`), triggers: texts }
}

/** Text is kept free of as many characters of triggers: each takes a rule. */
const mostCharacters = 20_000
/** Shorter beginnings stand in all kinds of text. */
const shortestBeginning = 4

/**
 * The texts; of so many tools that the grammar would be too large for an engine, what all that begin alike share, where that is long enough to tell
 * a call from text: `\n<function=`. None where nothing is.
 */
function bounded(texts: readonly string[]): string[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  if (total <= mostCharacters) return [...texts]
  const groups = new Map<string, string[]>()
  for (const text of texts) {
    const head = /^\s*/.exec(text)?.[0] ?? ''
    groups.set(head, [...(groups.get(head) ?? []), text])
  }
  const shared = [...groups.values()].map(sharedBeginning)
  return shared.every((text) => text.trim().length >= shortestBeginning) ? shared : []
}

function sharedBeginning(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** A name for what was the root; names of rules are free for tools and their arguments to use. */
function freeName(grammar: string): string {
  let name = 'from-trigger'
  while (grammar.includes(name)) name += '-x'
  return name
}
