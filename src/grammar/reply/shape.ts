import type { JsonObject } from '../../conversation/index.ts'
import { type GrammarRequest, type RequestedCalls, requestedCalls } from '../gbnf/calls/grammar.ts'
import { firstMarker } from '../gbnf/calls/trigger.ts'
import type { GbnfRules } from '../gbnf/rules.ts'
import type { Expression } from '../tree/expression.ts'
import { nameChar } from '../tree/pattern.ts'
import { firstsOf } from './begun-calls.ts'

/** The texts around a part of a reply. */
export interface Wrapping {
  open: string
  close: string
}

export interface ReasoningShape extends Wrapping {
  /** The prompt has opened it: the reply begins inside of it. */
  isOpen: boolean
  /** No reasoning may be written. */
  isOff: boolean
}

export interface OtherCalls {
  tree: Expression
  separator?: string | undefined
  /** True if their beginning may occur in prose: they then count only at the beginning of a line. */
  beginLine: boolean
}

/** The notation of the parts of a whole reply. White space around its markers has no meaning. */
export interface ReplyShape {
  /** The tree of the calls. Undefined if the format has no calls. */
  calls: Expression | undefined
  /**
   * Other forms of calls that a free model may write: without the marker of their section, or those of its family. They
   * are always the same for the same `calls`.
   */
  otherCalls?: readonly OtherCalls[] | undefined
  /** The text between two blocks of calls. Default: a line break. */
  separator?: string | undefined
  /**
   * The part of the first call's opening marker that the prompt contains. Other parts of the reply begin after it too.
   */
  begun?: string | undefined
  /** True if no marker distinguishes calls from text, so that they count at the beginning of a line only. */
  callsBeginLine?: boolean
  /** The notation of reasoning. Without an opening marker, the reply begins with reasoning. */
  reasoning?: ReasoningShape | undefined
  /** The texts around text, if the format wraps it. */
  content?: Wrapping | undefined
  /** The texts around text before calls, if they differ. */
  contentBefore?: Wrapping | undefined
  /** The texts that may be around text after reasoning. The reader removes them only there. */
  answers?: readonly Wrapping[] | undefined
  /**
   * The markers that end the turn after a text next to calls and open the results of the calls. Set if such text is
   * written after calls.
   */
  endsAfter?: readonly string[] | undefined
  /** Other marks that the reader does not take for text: other forms of reasoning and of calls. */
  marks?: readonly string[]
}

/** The parts of a request that concern the reply. */
export interface ReplyRequest extends GrammarRequest {
  /** The reply's text is JSON of that schema; `true`: any object. If calls are demanded, there is no text. */
  responseSchema?: JsonObject | true
}

/** White space of a marker is optional, so that only the rest of it is looked for. */
export function trimmedWrapping({ open, close }: Wrapping): Wrapping {
  return { open: open.trim(), close: close.trim() }
}

/** Returns the notation of reasoning. Undefined if none may be written. */
export function writableReasoning({ reasoning }: ReplyShape): ReasoningShape | undefined {
  if (!reasoning || (reasoning.isOff && !reasoning.isOpen)) return undefined
  const { open, close } = trimmedWrapping(reasoning)
  return close === '' ? undefined : { ...reasoning, open, close }
}

/** Returns the marks that text and reasoning may not contain. The beginning of calls is a mark if it is long enough. */
export function marksOf(
  shape: ReplyShape,
  calls: Pick<RequestedCalls, 'word' | 'isStrong' | 'firsts'> | undefined,
): string[] {
  const all = [...(calls ? callWordsOf(shape, calls) : []), ...wrappingMarkersOf(shape), ...(shape.marks ?? [])]
  return [...new Set(all)].filter((mark) => mark !== '')
}

/** Returns the calls of a request in replies of this shape. Undefined if there are no calls. */
export function callsOfShape(shape: ReplyShape, request: GrammarRequest, rules: GbnfRules): RequestedCalls | undefined {
  const { calls: tree } = shape
  const found = tree && requestedCalls(tree, request, rules)
  if (!found || !isInMarker(shape, found.word)) return found
  return { ...found, isStrong: false, firsts: firstsOf(tree, '', found, request, rules) }
}

/**
 * Returns the words that distinguish calls from the rest of a reply. Empty if no beginning of a call is long enough.
 */
export function callWordsOf(
  shape: ReplyShape,
  { word, isStrong, firsts }: Pick<RequestedCalls, 'word' | 'isStrong' | 'firsts'>,
): string[] {
  if (!firsts) return isStrong ? [word] : []
  return firsts.flatMap((first) => (isInMarker(shape, first.word) ? [] : [first.word]))
}

/**
 * Returns true for a word that is also in a marker around text or reasoning: `for=` begins calls and is part of
 * `for=user`.
 */
export function isInMarker(shape: ReplyShape, word: string): boolean {
  return word !== '' && wrappingMarkersOf(shape).some((marker) => marker.toLowerCase().includes(word.toLowerCase()))
}

/**
 * Returns true for a marker that begins like calls and ends like a tool's name, so that its reader takes a longer name
 * for a call: `>>>selfish` is not `>>>self`. White space must follow it. The prompt may have begun the marker.
 */
export function isNameLike({ calls, begun = '' }: ReplyShape, marker: string): boolean {
  const first = calls ? firstMarker(calls) : ''
  if (first === '' || !nameChar.test(marker.slice(-1))) return false
  return [marker, begun + marker].some((one) => one.trimStart().toLowerCase().startsWith(first.toLowerCase()))
}

/** Returns the texts around reasoning and text. */
export function wrappingMarkersOf({ reasoning, content, contentBefore }: ReplyShape): string[] {
  const wrappings = [reasoning, content, contentBefore].flatMap((one) => (one ? [one.open, one.close] : []))
  return wrappings.map((marker) => marker.trim()).filter((marker) => marker !== '')
}

/** Returns the required content of the reply: calls, JSON, or one of both. Undefined if its text is free. */
export function demandsOf(shape: ReplyShape, request: ReplyRequest): { calls: boolean; json: boolean } | undefined {
  const { toolChoice, tools, responseSchema } = request
  const mayCall = shape.calls !== undefined && tools.length > 0 && toolChoice.type !== 'none'
  if (mayCall && toolChoice.type !== 'auto') return { calls: true, json: false }
  return responseSchema === undefined ? undefined : { calls: mayCall, json: true }
}

/** Returns the request with the shape's separator. After a marker that the prompt has begun, no text precedes calls. */
export function separatedFor({ separator, begun }: ReplyShape, request: ReplyRequest): ReplyRequest {
  return { ...request, ...(separator !== undefined && { separator }), ...(begun && { textBefore: false }) }
}

/** Returns the shape without the part of the texts around text that the prompt has begun. */
export function afterBegun(shape: ReplyShape): ReplyShape {
  const { content, begun = '' } = shape
  return content?.open.startsWith(begun)
    ? { ...shape, content: { ...content, open: content.open.slice(begun.length) } }
    : shape
}

/** Returns the shape after reasoning, if one marker closes reasoning and opens text. */
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
