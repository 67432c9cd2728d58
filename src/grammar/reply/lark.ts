import { printBounded } from '../gbnf/bounded-request.ts'
import { textBefore } from '../gbnf/calls/eager-grammar.ts'
import { printLark, printLarkAfter } from '../gbnf/lark/print.ts'
import { makeReply } from './grammar.ts'
import type { ReplyRequest, ReplyShape } from './shape.ts'

/** The grammar of a whole reply in Lark, for llguidance. */
export interface LarkGrammar {
  /** Begins with `%llguidance {}`, by which engines tell it from GBNF. */
  grammar: string
  /** Calls begin at the first of these texts; for this search the reply counts as the beginning of a line. Empty: all of it is held. */
  triggers: readonly string[]
  isText?: boolean
  preservedTokens: string[]
  stops: string[]
  widened: string[]
  tooLarge?: readonly string[]
}

/**
 * Prints the grammar of a reply in Lark. llguidance has no triggers, so that it applies from the beginning on: text is free up to a call.
 * Undefined if there is nothing to constrain, or if calls cannot be told from text.
 */
export function printReplyLark(shape: ReplyShape, request: ReplyRequest): LarkGrammar | undefined {
  return printBounded(request, (bounded) => {
    const made = makeReply(shape, bounded)
    if (!made) return undefined
    const { start, rules, isLazy, triggers, ...others } = made
    if (!isLazy) return { grammar: printLark(start, rules.all), triggers: [], ...others }
    const before = textBefore(triggers, rules)
    if (!before) return undefined
    const longest = Math.max(...before.texts.map((text) => text.length))
    return { grammar: printLarkAfter(before.free, start, rules.all, longest), triggers: before.texts, ...others }
  })
}
