import { bareKeyAt } from './bare-keys.ts'
import { matchEnd, maxToken, shortSpace } from './lexical.ts'

/** A delimiter ends its string, stands in it for a quote, or opens another where its own was left out before `,key:`. */
export type DelimiterRole = 'end' | 'inner' | 'more'

/** How far the string's end is looked for behind a delimiter that seems to stand in it. */
const longestSearch = 500
/** How far a key between delimiters may reach, with its colon. */
const longestKey = 200
/** A member without quotes around its key, whose value a delimiter opens. */
const memberBefore = /,\s{0,16}[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,16}:\s{0,16}$/u
const memberBegun = /,\s{0,16}(?:[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,16}(?::\s{0,16})?)?$/u
const longestMember = 116
/** Tokens as calls begin and end with. */
const marker = /<\|\w|\w\|>|<\w[^\W_]*_\w+>/

/** The place between `from` and `to` from which on a member stands, or with `isOpen` may come to stand, up to `to`. */
export function memberUpTo(text: string, from: number, to: number, isOpen: boolean): number | undefined {
  const start = Math.max(from, to - longestMember)
  const found = (isOpen ? memberBegun : memberBefore).exec(text.slice(start, to))
  return found ? start + found.index : undefined
}

/** Tells what a delimiter in an object's string is, by what follows it; `behind` is the place behind it. */
export function delimiterRole(text: string, after: number, final: boolean, delimiter: string): DelimiterRole {
  const end = endsString(text, after, final)
  if (end !== false) return end === 'more' ? 'more' : 'end'
  const place = matchEnd(shortSpace, text, after)
  const isKey = text.startsWith(delimiter, place)
    ? delimitedKeyAt(text, place, final, delimiter)
    : bareKeyAt(text, place, final)
  if (isKey === 'more') return 'more'
  // What begins with a bracket closes the call, where it is no delimiter: the call's own brackets were left out.
  if (isKey || (text[place] === '<' && !mayBe(text, place, final, delimiter))) return 'end'
  const closed = closesLater(text, after, final, delimiter)
  return closed === 'more' ? 'more' : closed ? 'inner' : 'end'
}

/** Whether at `at` what stands behind a string follows. */
function endsString(text: string, at: number, final: boolean): boolean | 'more' {
  const place = matchEnd(shortSpace, text, at)
  const next = text[place]
  if (next === undefined) return final || place - at >= maxToken ? true : 'more'
  return ',}]'.includes(next)
}

function mayBe(text: string, place: number, final: boolean, delimiter: string): boolean {
  const rest = text.slice(place, place + delimiter.length)
  return rest === delimiter || (!final && delimiter.startsWith(rest))
}

/** Whether a key between delimiters begins at `place`: only a comma was left out. */
function delimitedKeyAt(text: string, place: number, final: boolean, delimiter: string): boolean | 'more' {
  const from = place + delimiter.length
  const window = text.slice(from, from + longestKey)
  const isOpen = !final && window.length < longestKey
  const end = window.indexOf(delimiter)
  if (end < 0) return isOpen && 'more'
  const after = window.slice(end + delimiter.length).trimStart()
  return after === '' ? isOpen && 'more' : end > 0 && after.startsWith(':')
}

/** Whether a delimiter behind this one ends the string before another call can begin. */
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
