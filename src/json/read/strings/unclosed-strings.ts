import { isBlank, matchEnd } from './lexical.ts'

/**
 * A mark that ends the text around the JSON: sticky expressions for the whole mark, and for a part of it at the end of
 * the text.
 */
export interface ClosingMark {
  whole: Compiling
  begun: Compiling
}

/** An expression that is compiled when it is used. */
interface Compiling {
  readonly compiled: RegExp
}

/**
 * The place of a string: the brackets that close all open containers, from the inside out, and the members of its
 * object.
 */
export interface UnclosedPlace {
  brackets: () => string
  hasMember: (key: string) => boolean
}

/** `hold`: the text from the place waits for more; `end`: the string ended there, without its quote. */
export interface Unclosed {
  type: 'hold' | 'end'
  place: number
}

/** The maximum length of the brackets, the mark and the white space at the end of a text. */
const longestTail = 160
const longestBrackets = 32
const comma = 0x2c
const nextKey = /([\p{L}_][\p{L}\p{N}_.-]{0,63})"\s{0,16}:\s{0,16}[-0-9tfn[{"]/uy
const nextKeyBegun = /(?:[\p{L}_][\p{L}\p{N}_.-]{0,63}(?:"\s{0,16}(?::\s{0,16})?)?)?$/uy

/**
 * Finds the end of a string without a closing quote, in text from `at` to `end` that contains no quote. Two things
 * prove it: the reply ends with marks that close the call, its section or the turn, `"a}}</tool_call>`, with all brackets
 * before them or without any; or a comma and the next member's key follow, `"a, "n": 3`, and the tool has an argument of
 * that name.
 */
export function unclosedAt(
  text: string,
  at: number,
  end: number,
  final: boolean,
  marks: readonly ClosingMark[],
  { brackets, hasMember }: UnclosedPlace,
): Unclosed | undefined {
  if (text[end] === '"') {
    const place = commaBefore(text, at, end)
    if (place < 0) return undefined
    nextKey.lastIndex = end + 1
    const key = nextKey.exec(text)?.[1]
    if (key !== undefined) return hasMember(key) ? { type: 'end', place } : undefined
    nextKeyBegun.lastIndex = end + 1
    return !final && nextKeyBegun.test(text) ? { type: 'hold', place } : undefined
  }
  if (text.length - end > longestTail) return undefined
  // A line break ends the run: the mark may be on the next line.
  const after = text.length - text.slice(end).trimStart().length
  const isLast = after === text.length
  const from = isLast ? Math.max(at, text.length - longestTail) : after
  const mark = markBefore(text, from, isLast ? end : after + 1, final, marks)
  if (!isLast && mark === undefined) return undefined
  const tail = bracketsBefore(text, at, Math.min(mark ?? end, end))
  // White space at the end of the text waits as well: the mark may follow.
  const mayEnd = tail < end || mark !== undefined || (isLast && end < text.length)
  if (!final) return mayEnd ? { type: 'hold', place: tail } : undefined
  if (mark === undefined) return undefined
  const closed = text.slice(tail, mark).replace(/[\s,]/g, '')
  return closed === '' || closed === brackets() ? { type: 'end', place: tail } : undefined
}

/** Returns the place of the marks, or of their beginning, at the end of the text. */
function markBefore(
  text: string,
  from: number,
  end: number,
  final: boolean,
  marks: readonly ClosingMark[],
): number | undefined {
  for (let place = from; place < end; place++) {
    if (!mayBeginMark(text.charCodeAt(place))) continue
    if (endsWithMarks(text, place, final, marks)) return place
  }
  return undefined
}

/** The maximum number of consecutive marks: of a call, its section and the turn. */
const mostMarks = 4

/** True if the text ends, or may end, with marks from `place` on and nothing but white space between them. */
function endsWithMarks(text: string, place: number, final: boolean, marks: readonly ClosingMark[]): boolean {
  let at = place
  for (let count = 0; count < mostMarks; count++) {
    const after = Math.max(...marks.map(({ whole }) => matchEnd(whole.compiled, text, at)))
    if (!final && marks.some(({ begun }) => matchEnd(begun.compiled, text, at) === text.length)) return true
    if (after <= at) return false
    at = text.length - text.slice(after).trimStart().length
    if (at === text.length) return true
  }
  return false
}

/**
 * Returns the place of the brackets, commas and white space that end before `end`. White space before them belongs to
 * the string: words are followed by it all the time, so it would wait, or be lost if the reply is cut.
 */
function bracketsBefore(text: string, at: number, end: number): number {
  const first = Math.max(at, end - longestBrackets)
  let place = end
  while (place > first && isTail(text.charCodeAt(place - 1))) place--
  while (place < end && isSpace(text.charCodeAt(place))) place++
  return place
}

function isTail(code: number): boolean {
  return code === comma || code === 0x7d || code === 0x5d || isBlank(code)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function mayBeginMark(code: number): boolean {
  return code === 0x3c || code === 0x5b
}

/** 1 for each character of ASCII at which a string without a closing quote may end, except white space other than blanks; 0 for others. */
export const unclosedMarks: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, code) =>
  mayBeginMark(code) || (isTail(code) && !isSpace(code)) ? 1 : 0,
)

/** The comma with which the text before `end` ends; -1 without one. */
export function commaBefore(text: string, at: number, end: number): number {
  let place = end - 1
  while (place > at && place > end - 16 && isBlank(text.charCodeAt(place))) place--
  return place >= at && text.charCodeAt(place) === comma ? place : -1
}

/**
 * False if `unclosedAt` finds no end in text from `at` to `end`, which no quote follows. The text in hand ends there, in no mark and in no
 * bracket, comma or line break; or neither white space nor a mark follows. Nearly all pieces of a string are so, and each is asked:
 * looking for the marks in each took more than the rest of the reader.
 */
export function mayBeUnclosed(text: string, at: number, end: number): boolean {
  const next = text.charCodeAt(end)
  if (end < text.length) return isBlank(next) || mayBeginMark(next)
  let place = end - 1
  // Words are followed by blanks.
  while (place > at && isSpace(text.charCodeAt(place))) place--
  if (place >= at && !isSpace(text.charCodeAt(place)) && isTail(text.charCodeAt(place))) return true
  for (place = Math.max(at, end - longestTail); place < end; place++)
    if (mayBeginMark(text.charCodeAt(place))) return true
  return false
}
