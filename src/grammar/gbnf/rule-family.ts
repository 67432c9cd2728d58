import { type Gbnf, printGbnf } from './gbnf.ts'

/** A rule as it is printed too, and the rules that it refers to. */
export interface PrintedRule {
  body: Gbnf
  text: string
  names: readonly string[]
}

export function printedRule(body: Gbnf): PrintedRule {
  const names: string[] = []
  return { body, text: printGbnf(body, names), names }
}

/**
 * Rules that are made together, and are the same in each grammar: the states of an automaton. They are printed once for
 * all grammars. Each must be reached from the first, as a grammar that has one has all.
 */
export class RuleFamily {
  readonly rules: ReadonlyMap<string, PrintedRule>
  /** All of them, a line each. */
  readonly text: string
  /** The rules that they refer to beside each other. */
  readonly others: readonly string[]

  constructor(rules: ReadonlyMap<string, PrintedRule>) {
    this.rules = rules
    const names = new Set([...rules.values()].flatMap((rule) => rule.names))
    this.others = [...names].filter((name) => !rules.has(name))
    this.text = [...rules].map(([name, { text }]) => `${name} ::= ${text}\n`).join('')
  }
}
