import { inOrder, perhaps } from './gbnf.ts'
import type { GbnfGrammar } from './gbnf-grammar.ts'
import { GbnfRules } from './gbnf-rules.ts'
import { textUntil } from './gbnf-until.ts'
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
  const texts = found.flatMap((some) => some ?? [])
  if (texts.length === 0 || found.includes(undefined)) return undefined
  const rules = new GbnfRules()
  const until = { closer: '', marks: texts, isLineStart: true, not: [] }
  const free = rules.add('free-text', textUntil(until, rules))
  const name = freeName(grammar)
  const root = inOrder(free, perhaps({ type: 'rule', name }))
  return { grammar: rules.print(root) + grammar.replace(/^root ::=/m, () => `${name} ::=`), triggers: texts }
}

/** A name for what was the root; names of rules are free for tools and their arguments to use. */
function freeName(grammar: string): string {
  let name = 'from-trigger'
  while (grammar.includes(name)) name += '-x'
  return name
}
