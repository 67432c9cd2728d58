import { bareKeyAt } from './bare-keys.ts'
import { maxToken, spaceEnd } from './lexical.ts'

/**
 * The role of a delimiter: it ends its string, or it is part of the string (also if it opens another string after a
 * missing delimiter before `,key:`).
 */
export type DelimiterRole = 'end' | 'inner' | 'more'

/** The number of characters after a delimiter inside a string in which the end of the string is searched. */
const longestSearch = 500
/** The maximum length of a key between delimiters, with its colon. */
const longestKey = 200
/** A member without quotes around its key, before the delimiter that opens its value. */
const memberBefore = /,\s{0,16}[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,16}:\s{0,16}$/u
const memberBegun = /,\s{0,16}(?:[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,16}(?::\s{0,16})?)?$/u
const longestMember = 116
/** Tokens as calls begin and end with. */
const marker = /<\|\w|\w\|>|<\w[^\W_]*_\w+>/

/**
 * Returns the place between `from` and `to` at which a member begins that ends at `to`; with `isOpen`, also one that
 * more text may complete.
 */
export function memberUpTo(text: string, from: number, to: number, isOpen: boolean): number | undefined {
  const start = Math.max(from, to - longestMember)
  const found = (isOpen ? memberBegun : memberBefore).exec(text.slice(start, to))
  return found ? start + found.index : undefined
}

/**
 * Returns the role of a delimiter in an object's string, judged by the text after it. `after` is the place after the
 * delimiter.
 */
export function delimiterRole(text: string, after: number, final: boolean, delimiter: string): DelimiterRole {
  const end = endsString(text, after, final)
  if (end !== false) return end === 'more' ? 'more' : 'end'
  const place = spaceEnd(text, after, maxToken)
  const isKey = text.startsWith(delimiter, place)
    ? delimitedKeyAt(text, place, final, delimiter)
    : bareKeyAt(text, place, final)
  if (isKey === 'more') return 'more'
  // Text that begins with a bracket, and is not the delimiter, closes the call: the call's own brackets were left out.
  if (isKey || (text[place] === '<' && !mayBe(text, place, final, delimiter))) return 'end'
  const closed = closesLater(text, after, final, delimiter)
  return closed === 'more' ? 'more' : closed ? 'inner' : 'end'
}

/** Returns true if the text at `at` can follow a string. */
function endsString(text: string, at: number, final: boolean): boolean | 'more' {
  const place = spaceEnd(text, at, maxToken)
  const next = text[place]
  if (next === undefined) return final || place - at >= maxToken ? true : 'more'
  return ',}]'.includes(next)
}

function mayBe(text: string, place: number, final: boolean, delimiter: string): boolean {
  const rest = text.slice(place, place + delimiter.length)
  return rest === delimiter || (!final && delimiter.startsWith(rest))
}

/** Returns true if a key between delimiters begins at `place`: only a comma was left out. */
function delimitedKeyAt(text: string, place: number, final: boolean, delimiter: string): boolean | 'more' {
  const from = place + delimiter.length
  const window = text.slice(from, from + longestKey)
  const isOpen = !final && window.length < longestKey
  const end = window.indexOf(delimiter)
  if (end < 0) return isOpen && 'more'
  const after = window.slice(end + delimiter.length).trimStart()
  return after === '' ? isOpen && 'more' : end > 0 && after.startsWith(':')
}

/** Returns true if a later delimiter ends the string before another call can begin. */
function closesLater(text: string, from: number, final: boolean, delimiter: string): boolean | 'more' {
  const window = text.slice(from, from + longestSearch)
  const isWhole = window.length === longestSearch
  for (let at = window.indexOf(delimiter); at >= 0; at = window.indexOf(delimiter, at + delimiter.length)) {
    const end = endsString(window, at + delimiter.length, final && !isWhole)
    if (end === 'more') break
    if (end) return !marker.test(window.slice(0, at).replaceAll(delimiter, ''))
  }
  return !final && !isWhole && 'more'
}
