import type { Tool, ToolChoice } from '../../../conversation/index.ts'
import type { Expression } from '../../tree/expression.ts'
import { printBounded } from '../bounded-request.ts'
import { type Gbnf, sequence, withoutPrefix } from '../gbnf.ts'
import { GrammarCache } from '../grammar-cache.ts'
import { GbnfRules } from '../rules.ts'
import { textUntil } from '../until/until.ts'
import { stopsOf, tokensOf } from './tokens.ts'
import { TreeGrammar } from './tree.ts'
import { type GrammarTrigger, triggerOf, triggers } from './trigger.ts'

/** The part of a request that concerns calls. */
export interface GrammarRequest {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  /** False if a reply may have one call at most. */
  parallelCalls: boolean
  /** True if text may come before calls that are required. */
  textBefore?: boolean
  /** The text between two calls if the tree describes a single call; a line break by default. */
  separator?: string
}

/** A grammar in llama.cpp's notation, with the settings that an engine needs for it. */
export interface GbnfGrammar {
  grammar: string
  root: 'root'
  /** True if the grammar applies from its first trigger on; text before it is unconstrained. */
  isLazy: boolean
  triggers: GrammarTrigger[]
  /** True if the whole reply is text without an end that the grammar knows: a stop sequence ends it. */
  isText?: boolean
  /** Markers of the format that may be tokens, which an engine must show as text. */
  preservedTokens: string[]
  /** Markers that end the reply. */
  stops: string[]
  /** Descriptions of where the grammar is looser than the tools' schemas, and of constraints that it cannot express. */
  widened: string[]
  /** The tools that take any arguments in it, as their schemas are too large for a grammar. */
  tooLarge?: readonly string[]
}

/** The calls of a request, and the beginning that they share. */
export interface RequestedCalls {
  calls: Gbnf
  tools: readonly Tool[]
  /** The text that all calls begin with; empty if they share none. */
  word: string
  /** False if the word is so short that it occurs in ordinary text. */
  isStrong: boolean
  /** Calls of each tool separately, if another marker of the reply contains the word. */
  firsts?: readonly FirstCall[] | undefined
}

/** The beginning of a first call of one tool. */
export interface FirstCall {
  /** The call's text up to the end of the tool's name. */
  word: string
  /** The call from there on, the word being a part of it. */
  call: Gbnf
}

/** The calls that a request is about; undefined if no call is possible. */
export function requestedCalls(
  tree: Expression,
  request: GrammarRequest,
  rules: GbnfRules,
): RequestedCalls | undefined {
  const { toolChoice, parallelCalls, separator = '\n' } = request
  const tools =
    toolChoice.type === 'named' ? request.tools.filter(({ name }) => name === toolChoice.name) : request.tools
  const options = { isParallel: parallelCalls && toolChoice.type !== 'none', separator }
  const calls = new TreeGrammar(tools, options, rules).print(tree)
  return calls && { calls, tools, ...triggerOf(tree, calls, rules) }
}

const recent = new GrammarCache<GbnfGrammar>()

/** The grammar of the calls that a request may be answered with; undefined if there is nothing to constrain. */
export function makeCallsGrammar(tree: Expression, request: GrammarRequest): GbnfGrammar | undefined {
  return recent.of(tree, request.tools, requestOf(request), () =>
    printBounded(request, (bounded) => printCalls(tree, bounded)),
  )
}

/** All that a grammar depends on in a request beside its tools. */
function requestOf({ toolChoice, parallelCalls, textBefore, separator }: GrammarRequest): object {
  return { toolChoice, parallelCalls, textBefore, separator }
}

function printCalls(tree: Expression, request: GrammarRequest): GbnfGrammar | undefined {
  const rules = new GbnfRules({ isLoose: true, isShared: true, tools: request.tools.length })
  const found = requestedCalls(tree, request, rules)
  if (!found) return undefined
  const { calls, word, isStrong, tools } = found
  const isNone = request.toolChoice.type === 'none'
  const isLazy = request.toolChoice.type === 'auto'
  const hasText = !isLazy && request.textBefore === true && word !== ''
  const begun = isLazy ? triggers(word, isStrong, tools, calls, rules) : []
  // An engine takes no lazy grammar that nothing triggers.
  if (isLazy && begun.length === 0) return undefined
  const root = isNone ? textWithout([word], rules) : hasText ? afterText(word, calls, rules) : calls
  return {
    grammar: rules.print(root),
    root: 'root',
    isLazy,
    triggers: begun,
    preservedTokens: tokensOf(tree),
    stops: isNone ? [] : stopsOf(tree),
    widened: rules.notices,
  }
}

/** Text that ends in a word, followed by the rest of a call that begins with the word. */
function afterText(word: string, calls: Gbnf, rules: GbnfRules): Gbnf {
  const until = { closer: word, marks: [word], isLineStart: false, not: [] }
  return sequence(textUntil(until, rules), withoutPrefix(calls, word.length, rules.all))
}

/** Any text without some words. */
export function textWithout(words: readonly string[], rules: GbnfRules): Gbnf {
  return textUntil({ closer: '', marks: words.filter((word) => word !== ''), isLineStart: false, not: [] }, rules)
}
