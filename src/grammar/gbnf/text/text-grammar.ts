import type { Gbnf } from '../gbnf.ts'

/** A grammar from outside: an expression, and the rules that it refers to. No rule is left-recursive. */
export interface TextGrammar {
  root: Gbnf
  rules: ReadonlyMap<string, Gbnf>
}

/** Thrown for a grammar that cannot be expressed; the message continues a sentence about it: "it has …". */
export class UnreadableGrammar extends Error {}

export function unreadable(why: string): never {
  throw new UnreadableGrammar(why)
}
