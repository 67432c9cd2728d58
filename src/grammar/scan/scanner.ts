import { isBlank, type Steps } from '../../json/index.ts'
import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import { never } from './begun-pattern.ts'
import { prepareSources, type Sought, sourceGroups } from './sought.ts'

export type Found = { type: 'found' | 'held'; index: number } | undefined

/** The candidates that may begin with a character. */
interface Beginnings {
  anywhere: readonly Pair[]
  atLine: readonly Pair[]
}

/** Expressions for all of a beginning and for a part of it at the end of a text. */
interface Pair {
  whole: LazyRegExp
  begun: LazyRegExp
}

/** The maximum length of a beginning: an incomplete one can only be this close to the end of the text. */
const longestBeginning = 2048

/** Additional candidates of a single reader. */
export interface Extra {
  /**
   * A literal in any case: one conversation's own, which is compared by hand, because to make expressions for each
   * conversation takes longer than to read a short reply.
   */
  literal?: string
  sought?: readonly Sought[]
}

/** The length of a part of a text in which each character is searched for itself, and how many are. */
const window = 1024
const mostSearched = 4

const lineFeed = 0x0a
const anyChar = new LazyRegExp('[\\s\\S]', 'g')

/**
 * Searches for the first place where one of several parts begins, or may begin with more text. Native search finds
 * their first characters; only there is more compared, and only with the parts that begin with that character.
 */
export class Scanner {
  readonly #sought: readonly Sought[]
  readonly #base: Scanner | undefined
  /** Made when a character is first met. */
  readonly #beginnings = new Map<string, Beginnings>()
  /** Undefined in a scanner that only looks for a literal more, as those of readers do: there are many. */
  #all: Map<string, Beginnings> | undefined
  readonly #chars: ReadonlySet<string>
  /** Those that count anywhere on a line. */
  readonly #anywhere: ReadonlySet<string>
  readonly #isAny: boolean
  /** The one character that all begin with, or an expression for those they may. */
  readonly #first: string | LazyRegExp
  /** In lower case. */
  readonly #literal: string

  constructor(sought: readonly Sought[], base?: Scanner, literal = '') {
    this.#sought = sought
    this.#base = base
    this.#literal = literal.toLowerCase()
    const [first = ''] = this.#literal
    const charsOf = (some: readonly Sought[]) => some.flatMap((one) => one.firstChars ?? [])
    const unbound = charsOf(sought.filter(({ atLine }) => !atLine))
    const anywhere = new Set([...unbound, first, first.toUpperCase(), ...(base ? base.#anywhere : [])])
    anywhere.delete('')
    const chars = new Set([...anywhere, ...charsOf(sought), ...(base ? base.#chars : [])])
    this.#anywhere = anywhere
    this.#chars = chars
    this.#isAny = (base ? base.#isAny : false) || sought.some((one) => one.firstChars === undefined)
    this.#first =
      base && base.#chars.size === chars.size && base.#anywhere.size === anywhere.size && base.#isAny === this.#isAny
        ? base.#first
        : this.#findFirst()
  }

  /** This scanner, which looks for more. */
  with(extra: Extra): Scanner {
    if (extra.literal === undefined && (extra.sought ?? []).length === 0) return this
    return new Scanner(extra.sought ?? [], this, extra.literal)
  }

  /**
   * Finds the first beginning of a block. `isFinal` means that no more text follows, so that nothing is held back. The
   * text before `from` is unknown here: `beginsLine` is true if a line begins there or is blank so far.
   */
  find(text: string, from: number, isFinal: boolean, beginsLine = true): Found {
    // The text before `from` says nothing of the line.
    const first = this.#chars.has(text[from] ?? '') ? from : this.#next(text, from)
    for (let index = first; index >= 0; index = this.#next(text, index + 1)) {
      const type = this.#at(text, index, isFinal, from, beginsLine)
      if (type) return { type, index }
    }
    return undefined
  }

  /** The characters with which something that is searched may begin. */
  get chars(): Iterable<string> {
    return this.#chars
  }

  /** Makes what the expressions for this character are made of, in steps. */
  *prepare(char: string): Steps<void> {
    if (this.#base) yield* this.#base.prepare(char)
    if (!this.#beginnings.has(char)) yield* prepareSources(this.#soughtWith(char))
  }

  /**
   * Yields the expressions that a search in this text may use. The sources of some are long: each is made when it is
   * asked for.
   */
  *expressionsFor(text: string): Generator<LazyRegExp, void, undefined> {
    if (this.#base) yield* this.#base.expressionsFor(text)
    for (const char of this.#chars) {
      if (!text.includes(char)) continue
      const { anywhere, atLine } = this.#beginningsWith(char)
      for (const pair of [...anywhere, ...atLine]) yield* [pair.begun, pair.whole]
    }
  }

  #at(text: string, index: number, isFinal: boolean, from: number, beginsLine: boolean): 'found' | 'held' | undefined {
    if (this.#literal !== '') {
      const there = text.slice(index, index + this.#literal.length).toLowerCase()
      if (there === this.#literal) return 'found'
      if (!isFinal && index + there.length === text.length && this.#literal.startsWith(there)) return 'held'
    }
    const { anywhere, atLine } = this.#allWith(text[index] ?? '')
    const onLine = atLine.length > 0 && mayBeginLine(text, index, from, beginsLine) ? atLine : none
    if (anywhere.length === 0 && onLine.length === 0) return undefined
    // Checked first, because the match may be the beginning of a longer one.
    const isNearEnd = !isFinal && text.length - index < longestBeginning
    if (isNearEnd && (matches(anywhere, 'begun', text, index) || matches(onLine, 'begun', text, index))) return 'held'
    return matches(anywhere, 'whole', text, index) || matches(onLine, 'whole', text, index) ? 'found' : undefined
  }

  #next(text: string, from: number): number {
    if (typeof this.#first === 'string') return this.#first === '' ? -1 : text.indexOf(this.#first, from)
    if (!this.#isAny && this.#chars.size <= mostSearched && text.length - from > window)
      return this.#nextInWindows(text, from)
    const first = this.#first.compiled
    first.lastIndex = from
    return first.test(text) ? first.lastIndex - 1 : -1
  }

  /** In a long text a native search for each of a few characters takes less time than an expression for all, if none is searched beyond a window. */
  #nextInWindows(text: string, from: number): number {
    for (let start = from; start < text.length; start += window) {
      let part = text.slice(start, start + window)
      let found = -1
      for (const char of this.#chars) {
        const index = part.indexOf(char)
        if (index < 0) continue
        found = index
        part = part.slice(0, index)
      }
      if (found >= 0) return start + found
    }
    return -1
  }

  #findFirst(): string | LazyRegExp {
    const [only = ''] = this.#chars
    if (this.#isAny) return anyChar
    if (this.#chars.size === 1) return only
    return expressionOf(this.#anywhere, new Set([...this.#chars].filter((char) => !this.#anywhere.has(char))))
  }

  /** Those of the scanners that this one was made from as well. */
  #allWith(char: string): Beginnings {
    // A reader's own scanner may look for a literal alone.
    if (this.#base && this.#sought.length === 0) return this.#base.#allWith(char)
    this.#all ??= new Map()
    let all = this.#all.get(char)
    if (!all) {
      const { anywhere, atLine } = this.#beginningsWith(char)
      const base = this.#base ? this.#base.#allWith(char) : undefined
      all = {
        anywhere: [...anywhere, ...(base?.anywhere ?? none)],
        atLine: [...atLine, ...(base?.atLine ?? none)],
      }
      this.#all.set(char, all)
    }
    return all
  }

  #soughtWith(char: string): readonly Sought[] {
    return this.#sought.filter(({ firstChars }) => firstChars?.includes(char) ?? true)
  }

  #beginningsWith(char: string): Beginnings {
    let beginnings = this.#beginnings.get(char)
    if (!beginnings) {
      const here = this.#soughtWith(char)
      beginnings = {
        anywhere: pairsOf(here.filter(({ atLine }) => !atLine)),
        atLine: pairsOf(here.filter(({ atLine }) => atLine)),
      }
      this.#beginnings.set(char, beginnings)
    }
    return beginnings
  }
}

const none: readonly Pair[] = []

/** Returns true if only white space precedes `index` on its line. */
function mayBeginLine(text: string, index: number, from: number, beginsLine: boolean): boolean {
  let before = index - 1
  while (before >= from && text.charCodeAt(before) !== lineFeed && isBlank(text.charCodeAt(before))) before--
  return before < from ? beginsLine : text.charCodeAt(before) === lineFeed
}

function matches(pairs: readonly Pair[], key: keyof Pair, text: string, at: number): boolean {
  for (const pair of pairs) if (pair[key].testAt(text, at)) return true
  return false
}

function pairsOf(sought: readonly Sought[]): Pair[] {
  return sourceGroups(sought).map((sources) => ({
    whole: new LazyRegExp(() => sources.whole, 'iy'),
    begun: new LazyRegExp(() => sources.begun, 'iy'),
  }))
}

/**
 * The expression for characters that count anywhere and others that count at the beginning of a line. The latter are
 * letters, a third of all text: only those after white space are found.
 */
function expressionOf(anywhere: ReadonlySet<string>, atLine: ReadonlySet<string>): LazyRegExp {
  const sources = [
    ...(anywhere.size > 0 ? [classOf(anywhere)] : []),
    ...(atLine.size > 0 ? [`${classOf(atLine)}(?<!\\S[\\s\\S])`] : []),
  ]
  return new LazyRegExp(sources.length === 0 ? never : sources.join('|'), 'g')
}

function classOf(chars: ReadonlySet<string>): string {
  return `[${[...chars].map((char) => char.replace(/[\\\]^-]/g, '\\$&')).join('')}]`
}
