import { type ClosingMark, markBefore, marksEnd, mayBeAt, mayBeginMark } from './closing-marks.ts'
import { isBlank, matchEnd } from './lexical.ts'

/** The place of a string: what closes the containers that are open there, and the members of its object. */
export interface UnclosedPlace {
  /** The marks that close the text around the JSON. */
  readonly marks: readonly ClosingMark[]
  /** True if these brackets, from the inside out, close all open containers. */
  isClosedBy(brackets: string): boolean
  /** True if a parenthesis may be among those brackets, as in Python. */
  readonly isPython: boolean
  hasMember(key: string): boolean
}

/** The sign with which a string opens: a quote, or a delimiter of the format's own. */
type OpeningSign = '"' | { delimiter: string }

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
 * that name. `endBeforeCall` finds a third. `hasMark` is false if `firstMark` finds none.
 */
export function unclosedAt(
  text: string,
  at: number,
  end: number,
  final: boolean,
  open: UnclosedPlace,
  hasMark: boolean,
): Unclosed | undefined {
  if (text[end] === '"') {
    const place = commaBefore(text, at, end)
    if (place < 0) return undefined
    nextKey.lastIndex = end + 1
    const key = nextKey.exec(text)?.[1]
    if (key !== undefined) return open.hasMember(key) ? { type: 'end', place } : undefined
    nextKeyBegun.lastIndex = end + 1
    return !final && nextKeyBegun.test(text) ? { type: 'hold', place } : undefined
  }
  if (text.length - end > longestTail) return undefined
  if (!hasMark && !final && end === text.length) {
    const tail = bracketsBefore(text, at, end, open.isPython)
    return tail < end ? { type: 'hold', place: tail } : undefined
  }
  // A line break ends the run: the brackets and the mark may be on the next lines.
  const after = isBlank(text.charCodeAt(end)) ? tailEnd(text, end, open.isPython) : end
  const isLast = after === text.length
  const from = isLast ? Math.max(at, text.length - longestTail) : after
  const mark = markBefore(text, from, isLast ? end : after + 1, final, open.marks)
  if (!isLast && mark === undefined) return undefined
  const tail = bracketsBefore(text, at, Math.min(mark ?? end, end), open.isPython)
  // White space at the end of the text waits as well: the mark may follow.
  const mayEnd = tail < end || mark !== undefined || (isLast && end < text.length)
  if (!final) return mayEnd ? { type: 'hold', place: tail } : undefined
  if (mark === undefined) return undefined
  const closed = text.slice(tail, mark).replace(/[\s,]/g, '')
  return closed === '' || open.isClosedBy(closed) ? { type: 'end', place: tail } : undefined
}

/** The maximum length of the beginning of a call, from its marker to the first key of its arguments. */
const longestHead = 240
/** Longer than marks and the beginning of a call after them. */
const longestCallStart = 1024
const keyStart = /[\p{L}_]/u
/** The first key of a call's arguments, before the delimiter that opens its value. */
const firstKey = /\{\s{0,16}[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,16}[:=]\s{0,16}$/u
/** The beginning of a call's marker that is a token, in formats without a mark between two calls: `[TOOL_CALLS]`. */
const token = /<[|\uff5c]|\[[A-Z_]{4,24}\]/y
const tokenBegun = /(?:<|\[[A-Z_]{0,24})$/y

/**
 * Finds the end of a string without a closing quote whose call others follow, in text from `at` to `end` that contains no quote:
 * `"a}}</tool_call>\n<tool_call>{"name"`. The quote of the key proves it, as in a string it would be escaped, and after a string no letter
 * comes. With delimiters that of the first value proves it: no string holds them. `first` is that of `firstMark`.
 */
export function endBeforeCall(
  text: string,
  at: number,
  end: number,
  final: boolean,
  open: UnclosedPlace,
  sign: OpeningSign,
  first: number,
): Unclosed | undefined {
  const last = sign === '"' ? Math.min(text.length, end + longestBrackets) : end
  for (let mark = first < 0 ? end : first; mark < last; mark++) {
    if (!mayBeMark(text, at, mark, open.marks)) continue
    const place = bracketsBefore(text, at, mark, false)
    if (place > end) return undefined
    const closed = place === mark ? '' : text.slice(place, mark).replace(/[\s,]/g, '')
    const isClosed = closed !== '' && open.isClosedBy(closed)
    if (closed !== '' && !isClosed) continue
    const next = callAfter(text, mark, isClosed, open.marks, sign)
    if (next === 'whole' || (next === 'begun' && !final)) return { type: next === 'whole' ? 'end' : 'hold', place }
  }
  return undefined
}

type Head = 'whole' | 'begun' | 'none'

/** Tells if a call follows marks, or begins with a token directly after `isClosed` brackets. */
function callAfter(
  text: string,
  place: number,
  isClosed: boolean,
  marks: readonly ClosingMark[],
  sign: OpeningSign,
): Head {
  const after = marksEnd(text, place, marks)
  if (after !== undefined) return headAt(text, after, sign)
  if (!isClosed) return 'none'
  if (matchEnd(token, text, place) > place) return headAt(text, place, sign)
  return matchEnd(tokenBegun, text, place) === text.length ? 'begun' : 'none'
}

/** Tells if a call begins at a place, with a marker and JSON up to the first key, whose quote is not escaped, or up to its delimiter. */
function headAt(text: string, place: number, sign: OpeningSign): Head {
  const window = text.slice(place, place + longestHead)
  const head = window.trimStart()
  const open = window.length < longestHead ? 'begun' : 'none'
  if (head === '') return open
  if (!mayBeginMark(head.charCodeAt(0))) return 'none'
  if (sign !== '"') {
    const value = head.indexOf(sign.delimiter)
    if (value < 0) return open
    return firstKey.test(head.slice(0, value)) ? 'whole' : 'none'
  }
  const end = head.search(/["\\]/)
  if (end < 0) return open
  if (head[end] === '\\' || !head.slice(0, end).trimEnd().endsWith('{')) return 'none'
  const first = head[end + 1]
  if (first === undefined) return open
  return keyStart.test(first) ? 'whole' : 'none'
}

/**
 * Returns the place of the brackets, commas and white space that end before `end`. White space before them belongs to
 * the string: words are followed by it all the time, so it would wait, or be lost if the reply is cut.
 */
function bracketsBefore(text: string, at: number, end: number, isPython: boolean): number {
  const first = Math.max(at, end - longestBrackets)
  let place = end
  while (place > first && isTail(text.charCodeAt(place - 1), isPython)) place--
  while (place < end && isSpace(text.charCodeAt(place))) place++
  return place
}

/** Returns the end of the brackets, commas and white space at a place. */
function tailEnd(text: string, at: number, isPython: boolean): number {
  let place = at
  while (place < text.length && isTail(text.charCodeAt(place), isPython)) place++
  return place
}

function isTail(code: number, isPython: boolean): boolean {
  return code === comma || isBracket(code) || (isPython && code === 0x29) || isBlank(code)
}

function isBracket(code: number): boolean {
  return code === 0x7d || code === 0x5d
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** True for a bracket, a comma or a line break, at which a string without a closing quote may end: not for blanks, which words are followed by. */
export function mayEndUnclosed(code: number, isPython: boolean): boolean {
  return isTail(code, isPython) && !isSpace(code)
}

/**
 * The first place of marks, or of a token after brackets, that a call may follow whose first quote is at `end`, or comes later; -1 without one.
 */
export function firstMark(text: string, at: number, end: number, marks: readonly ClosingMark[]): number {
  for (let place = Math.max(at, end - longestCallStart); place < end; place++)
    if (mayBeMark(text, at, place, marks)) return place
  return -1
}

/** False if no mark begins at a place, and no token after a bracket. Nearly no bracket in source code begins one. */
function mayBeMark(text: string, at: number, place: number, marks: readonly ClosingMark[]): boolean {
  if (!mayBeginMark(text.charCodeAt(place))) return false
  for (const mark of marks) if (mayBeAt(mark, text, place)) return true
  return mayBeToken(text, place) && followsBracket(text, at, place)
}

function mayBeToken(text: string, place: number): boolean {
  const next = text.charCodeAt(place + 1)
  const isBar = next === 0x7c || next === 0xff5c
  return place + 1 === text.length || (text[place] === '<' ? isBar : (next >= 0x41 && next <= 0x5a) || next === 0x5f)
}

function followsBracket(text: string, at: number, end: number): boolean {
  let place = end - 1
  while (place > at && (text.charCodeAt(place) === comma || isBlank(text.charCodeAt(place)))) place--
  return place >= at && isBracket(text.charCodeAt(place))
}

/** The comma with which the text before `end` ends; -1 without one. */
export function commaBefore(text: string, at: number, end: number): number {
  let place = end - 1
  while (place > at && place > end - 16 && isBlank(text.charCodeAt(place))) place--
  return place >= at && text.charCodeAt(place) === comma ? place : -1
}

/**
 * False if `unclosedAt` finds no end in text from `at` to `end`, which no quote follows; `hasMark` if `firstMark` finds one in it.
 * The text in hand ends there, in no mark and in no bracket, comma or line break; or neither white space nor a mark follows. Nearly all
 * pieces of a string are so, and each is asked: looking for the marks in each took more than the rest of the reader.
 */
export function mayBeUnclosed(text: string, at: number, end: number, isPython: boolean, hasMark: boolean): boolean {
  if (end < text.length) {
    const next = text.charCodeAt(end)
    return isBlank(next) || mayBeginMark(next)
  }
  if (hasMark) return true
  let place = end - 1
  // Words are followed by blanks.
  while (place > at && isSpace(text.charCodeAt(place))) place--
  const last = text.charCodeAt(place)
  return place >= at && !isSpace(last) && isTail(last, isPython)
}
