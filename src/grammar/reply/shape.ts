import type { JsonObject } from '../../conversation/index.ts'
import { type GrammarRequest, type RequestedCalls, requestedCalls } from '../gbnf/calls/grammar.ts'
import { firstMarker } from '../gbnf/calls/trigger.ts'
import type { GbnfRules } from '../gbnf/rules.ts'
import type { Expression } from '../tree/expression.ts'
import { firstsOf } from './begun-calls.ts'

/** A character of tools' names. */
export const nameChar: RegExp = /[\w.-]/

/** What stands around something in a reply. */
export interface Wrapping {
  open: string
  close: string
}

export interface ReasoningShape extends Wrapping {
  /** The prompt has opened it: the reply begins inside of it. */
  isOpen: boolean
  /** None may be written. */
  isOff: boolean
}

export interface OtherCalls {
  tree: Expression
  separator?: string | undefined
  /** What they begin with may stand in prose as well: they count at the beginning of a line only. */
  beginLine: boolean
}

/** How the parts of a whole reply are written. White space around its markers says nothing. */
export interface ReplyShape {
  /** The tree of the calls; undefined where the format has none. */
  calls: Expression | undefined
  /**
   * How calls are written as well, where the model is free to: without the marker of their section, or as its family does. They are always the
   * same for the same `calls`.
   */
  otherCalls?: readonly OtherCalls[] | undefined
  /** What stands between two blocks of calls; a line break where nothing else is said. */
  separator?: string | undefined
  /** What the prompt has written of the first call's opening marker, which begins other parts of the reply as well. */
  begun?: string | undefined
  /** No marker tells calls from text, so that they count at the beginning of a line only. */
  callsBeginLine?: boolean
  /** How reasoning is written. Without an opening marker it begins with the reply. */
  reasoning?: ReasoningShape | undefined
  /** What stands around text where the format wraps it. */
  content?: Wrapping | undefined
  /** What stands around text before calls, where that is something else. */
  contentBefore?: Wrapping | undefined
  /** What may stand around text after reasoning: the reader takes it off there alone. */
  answers?: readonly Wrapping[] | undefined
  /** Where a text beside calls is written behind them: what ends the turn there, and opens the results of the calls. */
  endsAfter?: readonly string[] | undefined
  /** What else its reader takes for no text: other forms of reasoning, other ways to call. */
  marks?: readonly string[]
}

/** What a request says of the reply. */
export interface ReplyRequest extends GrammarRequest {
  /** The reply's text is JSON of that schema; `true`: any object. Where calls are demanded there is no text. */
  responseSchema?: JsonObject | true
}

/** White space of a marker is optional, so that only the rest of it is looked for. */
export function trimmed({ open, close }: Wrapping): Wrapping {
  return { open: open.trim(), close: close.trim() }
}

/** The reasoning that may be written; undefined where there is none. */
export function writableReasoning({ reasoning }: ReplyShape): ReasoningShape | undefined {
  if (!reasoning || (reasoning.isOff && !reasoning.isOpen)) return undefined
  const { open, close } = trimmed(reasoning)
  return close === '' ? undefined : { ...reasoning, open, close }
}

/** What may not stand in text or reasoning; what calls begin with is a mark where it is long enough to be one. */
export function marksOf(
  shape: ReplyShape,
  calls: Pick<RequestedCalls, 'word' | 'isStrong' | 'firsts'> | undefined,
): string[] {
  const all = [...(calls ? wordsOf(shape, calls) : []), ...markersOf(shape), ...(shape.marks ?? [])]
  return [...new Set(all)].filter((mark) => mark !== '')
}

/** The calls of a request in replies of a shape; undefined where there are none. */
export function callsOfShape(shape: ReplyShape, request: GrammarRequest, rules: GbnfRules): RequestedCalls | undefined {
  const { calls: tree } = shape
  const found = tree && requestedCalls(tree, request, rules)
  if (!found || !isInMarker(shape, found.word)) return found
  return { ...found, isStrong: false, firsts: firstsOf(tree, '', found, request, rules) }
}

/** What tells calls from all else in a reply; empty where nothing that they begin with is long enough. */
export function wordsOf(
  shape: ReplyShape,
  { word, isStrong, firsts }: Pick<RequestedCalls, 'word' | 'isStrong' | 'firsts'>,
): string[] {
  if (!firsts) return isStrong ? [word] : []
  return firsts.flatMap((first) => (isInMarker(shape, first.word) ? [] : [first.word]))
}

/** True for a word that stands in a marker around text or reasoning as well: `for=` is one of calls, and of `for=user`. */
export function isInMarker(shape: ReplyShape, word: string): boolean {
  return word !== '' && markersOf(shape).some((marker) => marker.toLowerCase().includes(word.toLowerCase()))
}

/**
 * True for a marker that begins as calls do and ends like a tool's name, so that its reader takes what goes on with a name for a call:
 * `>>>selfish` is not `>>>self`. White space must follow it. The prompt may have begun the marker.
 */
export function isNameLike({ calls, begun = '' }: ReplyShape, marker: string): boolean {
  const first = calls ? firstMarker(calls) : ''
  if (first === '' || !nameChar.test(marker.slice(-1))) return false
  return [marker, begun + marker].some((one) => one.trimStart().toLowerCase().startsWith(first.toLowerCase()))
}

/** What stands around reasoning and text. */
export function markersOf({ reasoning, content, contentBefore }: ReplyShape): string[] {
  const wrappings = [reasoning, content, contentBefore].flatMap((one) => (one ? [one.open, one.close] : []))
  return wrappings.map((marker) => marker.trim()).filter((marker) => marker !== '')
}

/** What the reply is: calls, or JSON, or one of both; or undefined where its text is free. */
export function demandsOf(shape: ReplyShape, request: ReplyRequest): { calls: boolean; json: boolean } | undefined {
  const { toolChoice, tools, responseSchema } = request
  const mayCall = shape.calls !== undefined && tools.length > 0 && toolChoice.type !== 'none'
  if (mayCall && toolChoice.type !== 'auto') return { calls: true, json: false }
  return responseSchema === undefined ? undefined : { calls: mayCall, json: true }
}

/** The request with what the shape says of it: behind a marker that the prompt has begun comes no text before calls. */
export function separatedFor({ separator, begun }: ReplyShape, request: ReplyRequest): ReplyRequest {
  return { ...request, ...(separator !== undefined && { separator }), ...(begun && { textBefore: false }) }
}

/** What stands around text, without what the prompt has begun of it. */
export function afterBegun(shape: ReplyShape): ReplyShape {
  const { content, begun = '' } = shape
  return content?.open.startsWith(begun)
    ? { ...shape, content: { ...content, open: content.open.slice(begun.length) } }
    : shape
}

/** The same behind reasoning, where one marker closes that and opens text. */
export function afterReasoning(shape: ReplyShape): ReplyShape {
  const { content, reasoning } = shape
  return content?.open.trim() === reasoning?.close.trim() ? { ...shape, content: undefined } : shape
}

export function schemaOf(request: ReplyRequest): JsonObject {
  return isSchema(request.responseSchema) ? request.responseSchema : { type: 'object' }
}

function isSchema(schema: JsonObject | true | undefined): schema is JsonObject {
  return schema !== undefined && schema !== true
}
