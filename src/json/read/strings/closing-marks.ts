import { matchEnd } from './lexical.ts'

/** A mark that ends the text around the JSON: sticky expressions for the whole mark, and for a part of it at the end of the text. */
export interface ClosingMark {
  whole: Compiling
  begun: Compiling
  /** The characters with which it begins. Undefined if it may begin with any, or with white space. */
  mustBegin: readonly string[] | undefined
  /** The ASCII with which it begins, in lower case; empty if its beginning varies. */
  prefix: string
  /** The characters of which one follows the prefix, in either case; empty if any may, or nothing. */
  next: string
}

/** An expression that is compiled when it is used. */
interface Compiling {
  readonly compiled: RegExp
}

/** The maximum number of consecutive marks: of a call, its section and the turn. */
const mostMarks = 4

/** True for the characters with which marks begin, after white space: `<` and `[`. */
export function mayBeginMark(code: number): boolean {
  return code === 0x3c || code === 0x5b
}

/**
 * False if a mark cannot be, or begin, at a place: the text there begins in another way. An expression takes longer to start than this does, and
 * nearly all that is looked for is not there.
 */
export function mayBeAt(
  { mustBegin, prefix, next }: Pick<ClosingMark, 'mustBegin' | 'prefix' | 'next'>,
  text: string,
  at: number,
): boolean {
  const left = text.length - at
  if (left <= 0) return true
  if (prefix === '') return !mustBegin || mustBegin.includes(text.charAt(at))
  const length = prefix.length < left ? prefix.length : left
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(at + index)
    const wanted = prefix.charCodeAt(index)
    // The capital letters of ASCII lack this bit.
    if (code !== wanted && (code | 0x20) !== wanted) return false
  }
  return next === '' || left <= prefix.length || next.includes(text.charAt(at + prefix.length))
}

/** True if a mark is at a place; `more` if more text may complete one. */
export function markAt(text: string, place: number, final: boolean, marks: readonly ClosingMark[]): boolean | 'more' {
  if (!mayBeginMark(text.charCodeAt(place))) return false
  if (oneEnd(text, place, marks) > place) return true
  return !final && isBegun(text, place, marks) && 'more'
}

/** The end of the marks at a place. Undefined if there are none. */
export function marksEnd(text: string, place: number, marks: readonly ClosingMark[]): number | undefined {
  let end: number | undefined
  for (let count = 0; count < mostMarks; count++) {
    const from = end === undefined ? place : matchEnd(/\s{0,16}/y, text, end)
    const after = oneEnd(text, from, marks)
    if (after <= from) break
    end = after
  }
  return end
}

/** Returns the place of the marks, or of their beginning, at the end of the text. */
export function markBefore(
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

/** True if the text ends, or may end, with marks from `place` on and nothing but white space between them. */
function endsWithMarks(text: string, place: number, final: boolean, marks: readonly ClosingMark[]): boolean {
  let at = place
  for (let count = 0; count < mostMarks; count++) {
    const after = oneEnd(text, at, marks)
    if (!final && isBegun(text, at, marks)) return true
    if (after <= at) return false
    at = text.length - text.slice(after).trimStart().length
    if (at === text.length) return true
  }
  return false
}

/** The end of the longest mark at a place, and the place itself if there is none. */
function oneEnd(text: string, at: number, marks: readonly ClosingMark[]): number {
  let end = at
  for (const mark of marks) {
    // A part of the prefix is no mark yet.
    if (text.length - at < mark.prefix.length || !mayBeAt(mark, text, at)) continue
    end = Math.max(end, matchEnd(mark.whole.compiled, text, at))
  }
  return end
}

/** True if all text from a place on may be the beginning of a mark. */
function isBegun(text: string, at: number, marks: readonly ClosingMark[]): boolean {
  return marks.some((mark) => mayBeAt(mark, text, at) && matchEnd(mark.begun.compiled, text, at) === text.length)
}
