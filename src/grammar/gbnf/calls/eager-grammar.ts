import { type Gbnf, optional, sequence } from '../gbnf.ts'
import { GbnfRules } from '../rules.ts'
import { textUntil } from '../until/until.ts'
import type { GbnfGrammar } from './grammar.ts'
import type { GrammarTrigger } from './trigger.ts'
import { textsOf } from './trigger-texts.ts'

export interface EagerGrammar {
  /** In GBNF. */
  grammar: string
  /** From the first of these texts on, the reply taken to begin on a new line, all is part of a call; empty: from the beginning on. */
  triggers: readonly string[]
}

/**
 * A lazy grammar for an engine without triggers: text is free up to a trigger, and from the trigger's first character
 * on the grammar applies. Text must not contain a complete trigger (in any case), so after one only the grammar
 * continues; before that both are possible, and the reply may end without one. Undefined if a trigger is not a choice
 * of plain texts.
 */
export function eagerGrammar({ grammar, triggers, isLazy }: GbnfGrammar): EagerGrammar | undefined {
  if (!isLazy) return { grammar, triggers: [] }
  const rules = new GbnfRules()
  const found = textBefore(triggers, rules)
  if (!found) return undefined
  const name = freeName(grammar)
  const root = sequence(found.free, optional({ type: 'rule', name }))
  return {
    grammar: rules.print(root) + grammar.replace(/^root ::=/m, () => `${name} ::=`),
    triggers: found.texts,
  }
}

/** Text without any of the triggers, and the triggers as texts. Undefined if a trigger is not a choice of plain texts. */
export function textBefore(
  triggers: readonly GrammarTrigger[],
  rules: GbnfRules,
): { free: Gbnf; texts: readonly string[] } | undefined {
  const found = triggers.map(textsOf)
  const texts = bounded(found.flatMap((some) => some ?? []))
  if (texts.length === 0 || found.includes(undefined)) return undefined
  return { free: textUntil({ closer: '', marks: texts, isLineStart: true, not: [] }, rules), texts }
}

/** The maximum length of all triggers that are kept out of text: each character takes a rule. */
const mostCharacters = 20_000
/** Shorter beginnings occur in all kinds of text. */
const shortestBeginning = 4

/**
 * The texts, if their grammar is not too large for an engine. Otherwise the beginnings that similar ones share, such as
 * `\n<function=`; empty if one of them is too short to distinguish a call from text.
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

/** A name for the former root; tools and their arguments may use any name of a rule. */
function freeName(grammar: string): string {
  let name = 'from-trigger'
  while (grammar.includes(name)) name += '-x'
  return name
}
