import { type GbnfGrammar, textWithout } from './gbnf-grammar.ts'
import { GbnfRules } from './gbnf-rules.ts'
import type { GrammarTrigger } from './gbnf-trigger.ts'

export interface EagerGrammar {
  /** In GBNF. */
  grammar: string
  /** From the first of these texts on all that comes is part of a call; empty: from the beginning on. */
  triggers: readonly string[]
}

/**
 * A lazy grammar for an engine that has no triggers: text is free until a trigger stands in it, and from the trigger's first
 * character on the grammar holds. The text may not hold a whole trigger (in whatever case), so behind one only the grammar goes on;
 * before that both are open, and the reply may end without one. Undefined where a trigger is no choice of plain texts.
 */
export function eagerGrammar({ grammar, triggers, isLazy }: GbnfGrammar): EagerGrammar | undefined {
  if (!isLazy) return { grammar, triggers: [] }
  const words = triggers.flatMap((trigger) => wordsOf(trigger) ?? [''])
  if (words.length === 0 || words.includes('')) return undefined
  const rules = new GbnfRules()
  const free = rules.add(
    'free-text',
    textWithout(
      words.flatMap((some) => some ?? []),
      rules,
    ),
  )
  const name = freeName(grammar)
  const lines = rules.print({
    type: 'sequence',
    of: [free, { type: 'repeat', of: { type: 'rule', name }, min: 0, max: 1 }],
  })
  return { grammar: lines + grammar.replace(/^root ::=/m, () => `${name} ::=`), triggers: words }
}

/** A name for what was the root; names of rules are free for tools and their arguments to use. */
function freeName(grammar: string): string {
  let name = 'from-trigger'
  while (grammar.includes(name)) name += '-x'
  return name
}

/** The texts that a trigger stands for. */
function wordsOf({ type, value }: GrammarTrigger): string[] | undefined {
  if (type === 'word') return [value]
  const [, inner] = /^\(([\s\S]*)\)$/.exec(value) ?? []
  if (inner === undefined) return undefined
  const words = ['']
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at)
    if (char === '|') {
      words.push('')
      continue
    }
    if (/[.*+?^${}()[\]]/.test(char)) return undefined
    let literal = char
    if (char === '\\') {
      at++
      const escaped = inner.charAt(at)
      if (escaped !== 'n' && /^\w?$/.test(escaped)) return undefined
      literal = escaped === 'n' ? '\n' : escaped
    }
    words.push((words.pop() ?? '') + literal)
  }
  return words
}
