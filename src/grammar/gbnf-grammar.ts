import type { Tool, ToolChoice } from '../conversation/index.ts'
import type { Expression } from './expression.ts'
import { type Gbnf, inOrder, withoutPrefix } from './gbnf.ts'
import { GbnfRules } from './gbnf-rules.ts'
import { stopsOf, tokensOf } from './gbnf-tokens.ts'
import { TreeGrammar } from './gbnf-tree.ts'
import { type GrammarTrigger, triggerOf, triggers } from './gbnf-trigger.ts'
import { textUntil } from './gbnf-until.ts'

/** What a request says of calls. */
export interface GrammarRequest {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  /** False where a reply may have one call at most. */
  parallelCalls: boolean
  /** Text may stand before calls that are demanded. */
  textBefore?: boolean
  /** What stands between two calls where the tree holds one; a line break where nothing else is said. */
  separator?: string
}

/** A grammar in llama.cpp's notation, with what an engine needs beside it. */
export interface GbnfGrammar {
  grammar: string
  root: 'root'
  /** The grammar holds from its first trigger on; what stands before is free. */
  isLazy: boolean
  triggers: GrammarTrigger[]
  /** Markers of the format that may be tokens, which an engine must show as text. */
  preservedTokens: string[]
  /** Markers that end the reply. */
  stops: string[]
  /** What the grammar admits beyond the tools' schemas, and what of them it has no place for. */
  widened: string[]
}

/** The grammar of the calls that a request may be answered with; undefined where there is nothing to constrain. */
export function printGbnf(tree: Expression, request: GrammarRequest): GbnfGrammar | undefined {
  const { toolChoice } = request
  const rules = new GbnfRules()
  const isNone = toolChoice.type === 'none'
  const tools =
    toolChoice.type === 'named' ? request.tools.filter(({ name }) => name === toolChoice.name) : request.tools
  const options = { isParallel: request.parallelCalls && !isNone, separator: request.separator ?? '\n' }
  const calls = new TreeGrammar(tools, options, rules).print(tree)
  if (!calls) return undefined
  const { word, isStrong } = triggerOf(tree, calls, rules)
  const isLazy = toolChoice.type === 'auto'
  const hasText = !isLazy && request.textBefore === true && word !== ''
  const root = isNone ? textWithout(word, rules) : hasText ? afterText(word, calls, rules) : calls
  const markers = tokensOf(tree)
  return {
    grammar: rules.print(root),
    root: 'root',
    isLazy,
    triggers: isLazy ? triggers(word, isStrong, tools, calls, rules) : [],
    preservedTokens: markers,
    stops: isNone ? [] : stopsOf(tree),
    widened: rules.notices,
  }
}

/** Text that ends in a word, and the rest of what begins with it. */
function afterText(word: string, calls: Gbnf, rules: GbnfRules): Gbnf {
  const until = { closer: word, marks: [word], isLineStart: false, not: [] }
  return inOrder(textUntil(until, rules), withoutPrefix(calls, word.length, rules.all))
}

/** Any text without a word. */
function textWithout(word: string, rules: GbnfRules): Gbnf {
  return textUntil({ closer: '', marks: word === '' ? [] : [word], isLineStart: false, not: [] }, rules)
}
