import { CharSet } from './chars.ts'
import {
  javascriptClasses,
  lineEnds,
  lowerLetters,
  posixClasses,
  rustClass,
  unicodeClass,
  upperLetters,
} from './classes.ts'
import { RegexSource } from './source.ts'

/** A regular expression, taken apart. */
export type RegexTree =
  | { type: 'set'; set: CharSet }
  | { type: 'sequence'; of: readonly RegexTree[] }
  | { type: 'choice'; of: readonly RegexTree[] }
  | { type: 'repeat'; of: RegexTree; min: number; max: number; isLazy: boolean }
  /** `index` is the group's number; 0 for a group that captures nothing. */
  | { type: 'group'; index: number; of: RegexTree }
  | { type: 'look'; isAfter: boolean; isNegative: boolean; of: RegexTree }
  /** `line-start` and `line-end` are `^` and `$` with the flag `m`. */
  | { type: 'edge'; at: 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'no-word' }
  | { type: 'back'; index: number }

const every = CharSet.none.not()
const lineFeed = CharSet.of('\n')
const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['b', '\b'],
])

/** Groups and sets in each other: each is a call on the stack. */
const maxDepth = 200

export type RegexSyntax = 'javascript' | 'rust'

/**
 * Parses the source of a regular expression; `flags` are those of the expression. Case is ignored for ASCII letters
 * alone. Throws a SyntaxError if the source has syntax that is not read.
 *
 * @param syntax `rust` for that of Rust's crate `regex`: other classes, sets in each other, flags in groups
 * @example
 * parseRegexTree('[ab]{2}', 'i') // { type: 'repeat', of: { type: 'set', … }, min: 2, max: 2, isLazy: false }
 */
export function parseRegexTree(source: string, flags: string = '', syntax: RegexSyntax = 'javascript'): RegexTree {
  return new RegexTreeParser(source, flags, syntax).parse()
}

class RegexTreeParser {
  readonly #source: RegexSource
  readonly #isRust: boolean
  #ignoresCase = false
  #isMultiline = false
  #isDotAll = false
  /** The groups' names, by their numbers less one. */
  readonly #names: string[] = []
  #depth = 0

  constructor(source: string, flags: string, syntax: RegexSyntax) {
    this.#isRust = syntax === 'rust'
    this.#source = new RegexSource(source, this.#isRust || /[uv]/.test(flags))
    this.#setFlags(flags, true)
  }

  #setFlags(flags: string, isOn: boolean): void {
    if (flags.includes('i')) this.#ignoresCase = isOn
    if (flags.includes('m')) this.#isMultiline = isOn
    if (flags.includes('s')) this.#isDotAll = isOn
  }

  parse(): RegexTree {
    const tree = this.#choice()
    if (!this.#source.isAtEnd) this.#source.fail('a closing bracket has no opening one')
    return tree
  }

  #choice(): RegexTree {
    if (++this.#depth > maxDepth) this.#source.fail('it has too many groups in each other')
    const of = [this.#sequence()]
    while (this.#source.take('|')) of.push(this.#sequence())
    this.#depth--
    return of.length === 1 && of[0] ? of[0] : { type: 'choice', of }
  }

  #sequence(): RegexTree {
    const of: RegexTree[] = []
    while (!this.#source.isAtEnd && !'|)'.includes(this.#source.peek())) of.push(this.#quantified(this.#atom()))
    return of.length === 1 && of[0] ? of[0] : { type: 'sequence', of }
  }

  #quantified(of: RegexTree): RegexTree {
    const match = this.#source.takeMatch(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y)
    if (!match) return of
    const [, sign, from, comma, to, lazy] = match
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
    const most = comma === undefined ? min : to ? Number(to) : Number.POSITIVE_INFINITY
    const max = sign === undefined ? most : sign === '?' ? 1 : Number.POSITIVE_INFINITY
    return { type: 'repeat', of, min, max, isLazy: lazy === '?' }
  }

  #atom(): RegexTree {
    const char = this.#source.next()
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { type: 'set', set: this.#set() }
      case '.':
        return { type: 'set', set: this.#isDotAll ? every : (this.#isRust ? lineFeed : lineEnds).not() }
      case '^':
        return { type: 'edge', at: this.#isMultiline ? 'line-start' : 'start' }
      case '$':
        return { type: 'edge', at: this.#isMultiline ? 'line-end' : 'end' }
      case '\\':
        return this.#escape()
      default:
        return { type: 'set', set: this.#folded(CharSet.of(char)) }
    }
  }

  #group(): RegexTree {
    const flags = [this.#ignoresCase, this.#isMultiline, this.#isDotAll] as const
    const own = this.#source.takeMatch(
      this.#isRust ? /\?([ims]*)(?:-([ims]+))?([:)])/y : /\?([ims]*)(?:-([ims]+))?(:)/y,
    )
    if (own) {
      this.#setFlags(own[1] ?? '', true)
      this.#setFlags(own[2] ?? '', false)
      // Without a colon they are those of the group around them, up to its end.
      if (own[3] === ')') return { type: 'sequence', of: [] }
    }
    const look = own ? undefined : this.#source.takeMatch(/\?(<?)([=!])/y)
    const name = own || look ? undefined : this.#source.takeMatch(/\?P?<([\w$]+)>/y)
    if (!own && this.#source.peek() === '?') this.#source.fail('it has a group of an unknown kind')
    const index = own || look ? 0 : this.#names.push(name?.[1] ?? '')
    const outer = own ? flags : ([this.#ignoresCase, this.#isMultiline, this.#isDotAll] as const)
    const of = this.#choice()
    if (!this.#source.take(')')) this.#source.fail('a group is not closed')
    ;[this.#ignoresCase, this.#isMultiline, this.#isDotAll] = outer
    return look
      ? { type: 'look', isAfter: look[1] === '<', isNegative: look[2] === '!', of }
      : { type: 'group', index, of }
  }

  #escape(): RegexTree {
    const char = this.#source.peek()
    if (char === 'b' || char === 'B') {
      this.#source.next()
      return { type: 'edge', at: char === 'b' ? 'word' : 'no-word' }
    }
    const edge = this.#isRust ? this.#source.takeMatch(/[Az]/y) : undefined
    if (edge) return { type: 'edge', at: edge[0] === 'A' ? 'start' : 'end' }
    const back = this.#source.takeMatch(/([1-9]\d*)|k<([\w$]+)>/y)
    if (back) return { type: 'back', index: back[1] ? Number(back[1]) : this.#names.indexOf(back[2] ?? '') + 1 }
    const found = this.#escaped()
    return { type: 'set', set: typeof found === 'string' ? this.#folded(CharSet.of(found)) : found }
  }

  #set(): CharSet {
    if (++this.#depth > maxDepth) this.#source.fail('it has too many sets in each other')
    const isNegative = this.#source.take('^')
    let set = this.#isRust && this.#source.take(']') ? CharSet.of(']') : CharSet.none
    set = set.or(this.#members())
    for (let sign = this.#setSign(); sign !== undefined; sign = this.#setSign()) {
      const other = this.#members()
      set = sign === '&&' ? set.and(other) : set.without(other)
    }
    if (!this.#source.take(']')) this.#source.fail('a set is not closed')
    this.#depth--
    const folded = this.#folded(set)
    return isNegative ? folded.not() : folded
  }

  /** In Rust's syntax sets are intersected, `&&`, and subtracted, `--`. */
  #setSign(): string | undefined {
    return this.#isRust ? this.#source.takeMatch(/&&|--/y)?.[0] : undefined
  }

  #members(): CharSet {
    const sets: CharSet[] = []
    while (!this.#source.isAtEnd && this.#source.peek() !== ']') {
      if (this.#isRust && this.#source.looksAt(/&&|--/y)) break
      const from = this.#member()
      const isRange = this.#source.looksAt(this.#isRust ? /-[^\]-]/y : /-[^\]]/y)
      if (!isRange || typeof from !== 'string') {
        sets.push(typeof from === 'string' ? CharSet.of(from) : from)
        continue
      }
      this.#source.next()
      const to = this.#member()
      if (typeof to !== 'string') this.#source.fail('a range ends with a class')
      sets.push(CharSet.range(from, to))
    }
    return sets.length === 1 && sets[0] ? sets[0] : CharSet.from(sets.flatMap(({ ranges }) => ranges))
  }

  #member(): string | CharSet {
    const posix = this.#isRust ? this.#source.takeMatch(/\[:(\^?)(\w+):\]/y) : undefined
    if (posix) {
      const found = posixClasses.get(posix[2] ?? '') ?? this.#source.fail(`it has no class [:${posix[2]}:]`)
      return posix[1] ? found.not() : found
    }
    const char = this.#source.next()
    if (this.#isRust && char === '[') return this.#set()
    return char === '\\' ? this.#escaped() : char
  }

  /** Reads the text after a backslash, in brackets or outside: a character, or a class. */
  #escaped(): string | CharSet {
    const char = this.#source.next()
    const known = this.#isRust ? rustClass(char) : javascriptClasses.get(char)
    if (known) return known
    const property = 'pP'.includes(char) ? this.#source.takeMatch(/\{(\^?)([\w=]+)\}|([A-Z])/y) : undefined
    if (property) {
      const found = unicodeClass(this.#property(property[2] ?? property[3] ?? ''))
      return (char === 'P') !== (property[1] === '^') ? found.not() : found
    }
    const hex = this.#isRust ? /([\da-f]{2})|\{([\da-f]{1,6})\}/iy : /([\da-f]{2})/iy
    const code = char === 'x' ? this.#source.takeMatch(hex) : undefined
    const unit = char === 'u' ? this.#source.takeMatch(/([\da-f]{4})|\{([\da-f]{1,6})\}/iy) : undefined
    const digits = code?.[1] ?? code?.[2] ?? unit?.[1] ?? unit?.[2]
    if (digits !== undefined) return this.#charOf(Number.parseInt(digits, 16))
    const control = controls.get(char)
    if (control !== undefined) return control
    if (this.#isRust && /[A-Za-z0-9]/.test(char)) this.#source.fail(`it has an unknown escape, \\${char}`)
    return char
  }

  /** Rust's names of scripts need no `Script=`. */
  #property(name: string): string {
    for (const one of [name, `Script=${name}`]) {
      try {
        new RegExp(`\\p{${one}}`, 'u')
        return one
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
    }
    return this.#source.fail(`there is no Unicode property ${name}`)
  }

  #charOf(code: number): string {
    return code <= 0x10ffff ? String.fromCodePoint(code) : this.#source.fail('a character is beyond Unicode')
  }

  /** Both cases of ASCII letters, if case is ignored. */
  #folded(set: CharSet): CharSet {
    if (!this.#ignoresCase) return set
    const shift = (letters: CharSet, by: number) =>
      CharSet.from(set.and(letters).ranges.map(([first, last]) => [first + by, last + by]))
    return set.or(shift(lowerLetters, -32)).or(shift(upperLetters, 32))
  }
}
