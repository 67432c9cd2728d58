import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import * as pattern from '../tree/pattern.ts'
import { type Captures, longestName, noCaptures, type Pattern } from '../tree/pattern.ts'
import { firstChars, holdsCapture, isNullable, leadingLiteral, searchableHead } from '../tree/pattern-queries.ts'
import { patternSources, type Sought, soughtPattern } from './sought.ts'

/** A compiled pattern or tag that the machine matches at a place. */
export interface Terminal {
  /** Sticky: all of it. */
  readonly whole: LazyRegExp
  /** Sticky: text up to the end that may become the terminal. */
  readonly begun: LazyRegExp
  /** No match is longer, so that text in hand beyond this needs no look at `begun`. */
  readonly longest: number
  /** Returns the captured text. Undefined if the match is not the terminal after all. */
  read(match: RegExpExecArray): Captures | undefined
  /** For a tag that names a tool: its attributes that the format does not define; for others, none. */
  others(match: RegExpExecArray): readonly [key: string, value: string][]
  /** True for a tag that closes itself: `<invoke name="f"/>`. */
  isEmpty(match: RegExpExecArray): boolean
  /** True for a closing marker. */
  readonly closes: boolean
  /** True if the end of the text may replace a part of it. In a reply that was cut, that proves nothing. */
  readonly mayEndText: boolean
  /** For a tag that has a vendor's prefix: the same without it, and the beginning of one that opens. */
  readonly plain: { is: LazyRegExp; opener: Sought } | undefined
  /** For a closing tag: the beginning of one that opens an element of the same name. */
  readonly opening: Sought | undefined
  /** The search for the beginning by which it is found in a text. */
  readonly opener: Sought
  /** The characters with which it may begin; undefined when it may begin with any. */
  readonly firstChars: readonly string[] | undefined
  /** The characters that it can begin with. Undefined if it may be empty, or begin with white space. */
  readonly mustBegin: readonly string[] | undefined
  /** The literal that it begins with, in lower case, as far as that is ASCII: most terminals that are looked for are not there. */
  readonly prefix: string
  /** The characters of which one follows that literal, in either case; empty if any may, or nothing. */
  readonly next: string
  /** The search for its beginning, if it begins a block. White space before its first marker is not part of it. */
  readonly beginning: Sought
  /** Returns the terminal as a closing marker. */
  asCloser(): Terminal
}

/** A terminal for a pattern. What is asked of it is made when it is first asked for: many are never met in a reply. */
class PatternTerminal implements Terminal {
  readonly whole: LazyRegExp
  readonly begun: LazyRegExp
  readonly closes: boolean
  readonly firstChars: readonly string[] | undefined
  readonly mustBegin: readonly string[] | undefined
  readonly prefix: string
  readonly next: string
  readonly #pattern: Pattern
  #longest: number | undefined
  #mayEndText: boolean | undefined
  #opener: Sought | undefined
  #opening: Sought | 'none' | undefined
  #beginning: Sought | undefined

  constructor(pattern: Pattern, closes: boolean) {
    this.#pattern = pattern
    this.closes = closes
    const sources = patternSources(pattern)
    // The place of a name is reported; its letters may occur before it as well, `call:a`.
    this.whole = new LazyRegExp(() => sources.whole, holdsCapture(pattern, 'name') ? 'diy' : 'iy')
    this.begun = new LazyRegExp(() => sources.begun, 'iy')
    this.firstChars = firstChars(pattern)
    this.prefix = asciiPrefix(leadingLiteral(pattern))
    this.next = nextChars(pattern, this.prefix)
    this.mustBegin =
      isNullable(pattern) || this.firstChars?.some((char) => char.trim() === '') ? undefined : this.firstChars
  }

  get plain(): undefined {
    return undefined
  }

  get longest(): number {
    this.#longest ??= longestMatch(this.#pattern)
    return this.#longest
  }

  get mayEndText(): boolean {
    this.#mayEndText ??= holdsTextEnd(this.#pattern)
    return this.#mayEndText
  }

  get opener(): Sought {
    this.#opener ??= soughtPattern(searchableHead(this.#pattern), this.firstChars)
    return this.#opener
  }

  get opening(): Sought | undefined {
    this.#opening ??= openingOf(this.#pattern) ?? 'none'
    return this.#opening === 'none' ? undefined : this.#opening
  }

  get beginning(): Sought {
    this.#beginning ??= beginningOf(this.#pattern)
    return this.#beginning
  }

  read(match: RegExpExecArray): Captures {
    return match.groups === undefined ? noCaptures : { ...match.groups }
  }

  others(): [] {
    return []
  }

  isEmpty(match: RegExpExecArray): boolean {
    return match[0].endsWith('/>')
  }

  asCloser(): Terminal {
    return this.closes ? this : new PatternTerminal(this.#pattern, true)
  }
}

/** Returns the terminal for a pattern; `closes` if it is a closing marker. */
export function patternTerminal(pattern: Pattern, closes: boolean = false): Terminal {
  return new PatternTerminal(pattern, closes)
}

/** Returns the beginning of a literal that matches in any case, in lower case: only letters of ASCII differ by one bit. */
export function asciiPrefix(literal: string): string {
  return (/^[\0-\x7f]*/.exec(literal)?.[0] ?? '').toLowerCase()
}

/** The characters that may follow the prefix of a choice of literals: `ts` for `</tool_call>` or `</seed:tool_call>`. */
function nextChars(pattern: Pattern, prefix: string): string {
  if (pattern.type !== 'choice') return ''
  const next = pattern.of.map((one) => asciiPrefix(leadingLiteral(one)).charAt(prefix.length))
  return next.includes('') ? '' : next.join('') + next.join('').toUpperCase()
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
  return soughtPattern(opening, ['<'])
}

function beginningOf(pattern: Pattern): Sought {
  const bare = withoutSpace(pattern)
  return soughtPattern(searchableHead(bare), firstChars(bare))
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
