import { eagerGrammar } from '../../grammar/index.ts'
import type { Constraint } from '../upstream.ts'

/** A grammar that holds from the first character of a reply on. */
export interface HeldGrammar {
  /** In GBNF, or in Lark. */
  text: string
  /**
   * Calls begin at the first of these texts; for this search the reply counts as the beginning of a line. Empty: all of
   * the reply is held to the grammar. Undefined: no part is.
   */
  triggers: readonly string[] | undefined
}

/**
 * The grammar for an engine. A lazy grammar is converted to one that applies from the beginning on and leaves text
 * free: node-llama-cpp has no triggers, and llama-server's admit any token that completes one. If the grammar does not
 * admit the rest of such a token, the server fails in the middle of the reply (`Unexpected empty grammar stack after
 * accepting piece`). Undefined if it cannot be converted.
 */
export function heldGrammar(constraint: Constraint | undefined): HeldGrammar | undefined {
  if (constraint?.type === 'lark') {
    const { grammar, triggers, isText } = constraint.grammar
    return { text: grammar, triggers: isText ? undefined : triggers }
  }
  if (constraint?.type !== 'gbnf') return undefined
  const eager = eagerGrammar(constraint.grammar)
  return eager && { text: eager.grammar, triggers: constraint.grammar.isText ? undefined : eager.triggers }
}
