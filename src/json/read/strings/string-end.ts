import { matchEnd, maxToken, spaceEnd } from './lexical.ts'
import { isQuote, type StringKind } from './string-kinds.ts'

/** The place of a string. */
export interface StringPlace {
  kind: StringKind
  isKey: boolean
  /** The container that it is a member of; `top` if it has none. */
  parent: 'top' | 'array' | 'object'
  isPython: boolean
  /** True when a quote within it was found unescaped. */
  sawInnerQuote: boolean
}

/**
 * The role of a quote of the string's own kind. `end`: ends the string; `inner`: is unescaped content; `join`: ends a
 * part, and another part of the same string follows; `stop`: ends the string, and text follows that cannot belong to
 * the value.
 */
export type QuoteRole = 'end' | 'inner' | 'join' | 'stop' | 'more'

const lineComment = /\/\/[^\n]{0,500}\n[ \t\r\n]{0,400}/y
const nextPart = /(?:[rR][bBfF]?|[bBfFuU][rR]?)?["']/y
const lineStart = /[\]},"'“]/

/**
 * Distinguishes the end of a string from a quote that the model did not escape, by the text after it. `at` is the place
 * after the quote.
 */
export function quoteRole(text: string, at: number, final: boolean, string: StringPlace): QuoteRole {
  if (string.parent === 'top' && !string.isPython) return 'end'
  const place = spaceEnd(text, at, maxToken)
  if (place - at >= maxToken) return 'end'
  const next = text[place]
  if (next === undefined) return final ? 'end' : 'more'
  if (string.isKey) return ':=：'.includes(next) ? 'end' : 'inner'
  if (',]}'.includes(next)) return 'end'
  if (string.isPython) {
    const role = pythonRole(text, at, place, final, string)
    if (role) return role
  }
  if (isQuote(next)) {
    // The next member after a line break: only a comma was left out.
    return text.slice(at, place).includes('\n') ? 'end' : memberRole(text, place, final, string)
  }
  const after = text[place + 1]
  switch (next) {
    case '<':
      // The closing tag of a call, or the token that ends it: only brackets were forgotten.
      return after === undefined && !final
        ? 'more'
        : after !== undefined && '/|\uff5c'.includes(after)
          ? 'end'
          : 'inner'
    case '`':
      return fenceRole(text, at, place, final)
    case '/':
      return commentRole(text, place, final)
    case '，':
    case '｝':
    case '］':
      // Within ordinary quotes these are prose; within others they are the style of all of the text.
      return string.kind.closers === '"' ? 'inner' : next === '，' ? wideCommaRole(text, place + 1, final) : 'end'
    default:
      return 'inner'
  }
}

function pythonRole(
  text: string,
  at: number,
  place: number,
  final: boolean,
  string: StringPlace,
): QuoteRole | undefined {
  const next = text.charAt(place)
  if (next === ')') return string.sawInnerQuote ? parenthesisRole(text, place, final) : 'end'
  if (next === '#' && string.parent !== 'top') return 'end'
  if (string.parent === 'object' || string.sawInnerQuote) return undefined
  if (next === '+') return 'stop'
  const isPart = matchEnd(nextPart, text, place) > place
  if (isPart && (place > at || isQuote(next))) return 'join'
  const isBegun = !final && place > at && text.length - place < 3 && /^[rRbBfFuU]+$/.test(text.slice(place))
  return isBegun ? 'more' : undefined
}

const closers = /[)\]}]{1,20}/y
/** Text that cannot follow a call: the rest of a string of code, as in `bash(command='python3 -c "f('a')"')`. */
const restOfCode = /["'\\]|[ \t]{0,40}[&|>*%=-]|\.[A-Za-z_]/y
const longestRest = 42

/**
 * Returns the role of a quote before a closing parenthesis, in a string with other parentheses: the parenthesis ends
 * the call, or is part of the code in the string.
 */
function parenthesisRole(text: string, place: number, final: boolean): QuoteRole {
  const after = matchEnd(closers, text, place)
  if (matchEnd(restOfCode, text, after) > after) return 'inner'
  const rest = text.slice(after, after + longestRest)
  return !final && /^[ \t.]*$/.test(rest) && rest.length < longestRest ? 'more' : 'end'
}

const nextMember = /"[\p{L}_][\p{L}\p{N}_.-]{0,63}"\s{0,16}:/uy
const nextMemberBegun = /"(?:[\p{L}_][\p{L}\p{N}_.-]{0,63}(?:"\s{0,16})?)?$/uy

/**
 * Returns true if a member of an object begins at `place`: a key in quotes and its colon. No value continues with a
 * colon.
 */
export function memberAt(text: string, place: number, final: boolean): boolean | 'more' {
  if (matchEnd(nextMember, text, place) > place) return true
  return !final && matchEnd(nextMemberBegun, text, place) > place ? 'more' : false
}

/** The next member on the same line: only the comma was forgotten. */
function memberRole(text: string, place: number, final: boolean, string: StringPlace): QuoteRole {
  if (string.parent !== 'object' || string.kind.closers !== '"') return 'inner'
  const isMember = memberAt(text, place, final)
  return isMember === 'more' ? 'more' : isMember ? 'end' : 'inner'
}

/** Returns the role of a quote before a comment: after a real comment, a line continues the JSON. */
function commentRole(text: string, place: number, final: boolean): QuoteRole {
  const end = matchEnd(lineComment, text, place)
  if (end > place && end < text.length) return lineStart.test(text.charAt(end)) ? 'end' : 'inner'
  const isOpen = text.length - place < maxToken && '//'.startsWith(text.slice(place, place + 2))
  return isOpen && !final ? 'more' : 'inner'
}

/** Returns the role of a quote before a fence: a fence that closes after a string ends the JSON in it. */
function fenceRole(text: string, at: number, place: number, final: boolean): QuoteRole {
  if (!text.slice(at, place).includes('\n')) return 'inner'
  const run = text.slice(place, place + 3)
  return run === '```' ? 'end' : !final && '```'.startsWith(run) ? 'more' : 'inner'
}

function wideCommaRole(text: string, at: number, final: boolean): QuoteRole {
  const place = spaceEnd(text, at, maxToken)
  const next = text[place]
  if (next === undefined && !final && place - at < maxToken) return 'more'
  return isQuote(next) || next === '｛' || next === '{' ? 'end' : 'inner'
}
