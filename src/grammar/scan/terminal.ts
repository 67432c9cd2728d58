import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import * as pattern from '../tree/pattern.ts'
import { type Captures, longestName, type Pattern } from '../tree/pattern.ts'
import { firstChars, isNullable, searchableHead } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import { begunSource } from './begun-pattern.ts'
import type { Sought } from './scanner.ts'

/** A compiled pattern or tag that the machine matches at a place. */
export interface Terminal {
  /** Sticky: all of it. */
  whole: LazyRegExp
  /** Sticky: text up to the end that may become the terminal. */
  begun: LazyRegExp
  /** No match is longer, so that text in hand beyond this needs no look at `begun`. */
  longest: number
  /** Returns the captured text. Undefined if the match is not the terminal after all. */
  read(match: RegExpExecArray): Captures | undefined
  /** For a tag that names a tool: its attributes that the format does not define. */
  others?(match: RegExpExecArray): readonly [key: string, value: string][]
  /** True for a tag that closes itself: `<invoke name="f"/>`. */
  isEmpty(match: RegExpExecArray): boolean
  /** True for a closing marker. */
  closes: boolean
  /** True if the end of the text may replace a part of it. In a reply that was cut, that proves nothing. */
  mayEndText: boolean
  /** For a tag that has a vendor's prefix: the same without it, and the beginning of one that opens. */
  plain?: { is: LazyRegExp; opener: Sought }
  /** For a closing tag: the beginning of one that opens an element of the same name. */
  opening?: Sought
  /** Sources of expressions for the beginning by which it is found in a text. */
  opener: { whole: string; begun: string }
  /** The characters with which it may begin; undefined when it may begin with any. */
  firstChars: readonly string[] | undefined
  /** The characters that it can begin with. Undefined if it may be empty, or begin with white space. */
  mustBegin: readonly string[] | undefined
  /** The search for its beginning, if it begins a block. White space before its first marker is not part of it. */
  beginning: Sought
}

export function patternTerminal(pattern: Pattern): Terminal {
  const opener = searchableHead(pattern)
  const whole = wholeSource(pattern)
  const opening = openingOf(pattern)
  return {
    // The place of a name is reported; its letters may occur before it as well, `call:a`.
    whole: new LazyRegExp(whole, whole.includes('(?<name>') ? 'diy' : 'iy'),
    begun: new LazyRegExp(begunSource(pattern), 'iy'),
    longest: longestMatch(pattern),
    read: (match) => ({ ...match.groups }),
    isEmpty: (match) => match[0].endsWith('/>'),
    closes: false,
    mayEndText: holdsTextEnd(pattern),
    ...(opening && { opening }),
    opener: { whole: wholeSource(opener).replace(/\(\?<[a-z]+>/g, '(?:'), begun: begunSource(opener) },
    firstChars: firstChars(pattern),
    mustBegin: mustBegin(pattern),
    beginning: beginningOf(pattern),
  }
}

function holdsTextEnd(one: Pattern): boolean {
  if (one === pattern.textEnd) return true
  switch (one.type) {
    case 'sequence':
    case 'choice':
      return one.of.some(holdsTextEnd)
    case 'optional':
    case 'capture':
    case 'ahead':
      return holdsTextEnd(one.of)
    default:
      return false
  }
}

/** Returns the search for `<value>` and `<value key="a">` if the pattern is `</value>`. */
function openingOf(closing: Pattern): Sought | undefined {
  const [first, ...rest] = closing.type === 'sequence' ? closing.of : [closing]
  if (first?.type !== 'literal' || !first.text.startsWith('</')) return undefined
  const parts = [pattern.sequence(`<${first.text.slice(2)}`), ...rest]
  const last = parts.at(-1)
  if (last?.type !== 'literal' || !last.text.endsWith('>')) return undefined
  const opening = pattern.sequence(...parts.slice(0, -1), last.text.slice(0, -1), pattern.chars('\\s=>', 1, 1))
  return { whole: wholeSource(opening), begun: begunSource(opening), pattern: opening, firstChars: ['<'] }
}

function mustBegin(pattern: Pattern): readonly string[] | undefined {
  const chars = firstChars(pattern)
  return isNullable(pattern) || chars?.some((char) => char.trim() === '') ? undefined : chars
}

function beginningOf(pattern: Pattern): Sought {
  const bare = withoutSpace(pattern)
  const opener = searchableHead(bare)
  return {
    whole: wholeSource(opener).replace(/\(\?<[a-z]+>/g, '(?:'),
    begun: begunSource(opener),
    pattern: opener,
    firstChars: firstChars(bare),
  }
}

/** The pattern without white space at its beginning that may as well be missing. */
function withoutSpace(pattern: Pattern): Pattern {
  if (pattern.type !== 'sequence') return pattern
  const [first, ...rest] = pattern.of
  if (!first || rest.length === 0) return pattern
  if (first.type === 'chars' && first.min === 0 && /^\s*$/.test(first.set.replaceAll('\\s', ''))) {
    return withoutSpace({ type: 'sequence', of: rest })
  }
  if (first.type === 'optional' && first.of.type === 'literal' && first.of.text.trim() === '') {
    return withoutSpace({ type: 'sequence', of: rest })
  }
  return { type: 'sequence', of: [withoutSpace(first), ...rest] }
}

function longestMatch(pattern: Pattern): number {
  switch (pattern.type) {
    case 'literal':
      return pattern.text.length
    case 'chars':
      return pattern.max
    case 'captured':
      return longestName
    case 'sequence':
      return pattern.of.reduce((sum, part) => sum + longestMatch(part), 0)
    case 'choice':
      return Math.max(...pattern.of.map(longestMatch))
    case 'optional':
    case 'capture':
    case 'ahead':
    case 'not':
      return longestMatch(pattern.of)
  }
}
