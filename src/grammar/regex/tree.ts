import { RecentMap } from '../../conversation/index.ts'
import { CharSet } from './chars.ts'

/** A JavaScript regular expression, taken apart. */
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
const digits = CharSet.range('0', '9')
const lower = CharSet.range('a', 'z')
const upper = CharSet.range('A', 'Z')
const wordChars: CharSet = digits.or(lower).or(upper).or(CharSet.of('_'))
export const lineEnds: CharSet = CharSet.of('\n\r\u2028\u2029')
const blanks = CharSet.of('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff').or(
  CharSet.range('\u2000', '\u200a'),
)
const classes: ReadonlyMap<string, CharSet> = new Map([
  ['d', digits],
  ['D', digits.not()],
  ['w', wordChars],
  ['W', wordChars.not()],
  ['s', blanks],
  ['S', blanks.not()],
])
const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['b', '\b'],
])

/**
 * Parses the source of a regular expression; `flags` are those of the expression. A Unicode class (`\p{L}`) is treated
 * as wider than it is: it includes all characters beyond the first 65,536. Throws if the source has syntax that no
 * expression of the project uses.
 *
 * @example
 * parseRegexTree('[ab]{2}', 'i') // { type: 'repeat', of: { type: 'set', … }, min: 2, max: 2, isLazy: false }
 */
export function parseRegexTree(source: string, flags: string = ''): RegexTree {
  return new RegexTreeParser(source, flags).parse()
}

class RegexTreeParser {
  readonly #source: string
  readonly #isUnicode: boolean
  readonly #ignoresCase: boolean
  readonly #isMultiline: boolean
  readonly #dot: CharSet
  /** The groups' names, by their numbers less one. */
  readonly #names: string[] = []
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#isUnicode = /[uv]/.test(flags)
    this.#ignoresCase = flags.includes('i')
    this.#isMultiline = flags.includes('m')
    this.#dot = flags.includes('s') ? every : lineEnds.not()
  }

  parse(): RegexTree {
    const tree = this.#choice()
    if (this.#at < this.#source.length) this.#fail('a bracket closes that was not opened')
    return tree
  }

  #choice(): RegexTree {
    const of = [this.#sequence()]
    while (this.#take('|')) of.push(this.#sequence())
    return of.length === 1 && of[0] ? of[0] : { type: 'choice', of }
  }

  #sequence(): RegexTree {
    const of: RegexTree[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) of.push(this.#quantified(this.#atom()))
    return of.length === 1 && of[0] ? of[0] : { type: 'sequence', of }
  }

  #quantified(of: RegexTree): RegexTree {
    const match = this.#takeMatch(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y)
    if (!match) return of
    const [, sign, from, comma, to, lazy] = match
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
    const most = comma === undefined ? min : to ? Number(to) : Number.POSITIVE_INFINITY
    const max = sign === undefined ? most : sign === '?' ? 1 : Number.POSITIVE_INFINITY
    return { type: 'repeat', of, min, max, isLazy: lazy === '?' }
  }

  #atom(): RegexTree {
    const char = this.#next()
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { type: 'set', set: this.#set() }
      case '.':
        return { type: 'set', set: this.#dot }
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
    const look = this.#takeMatch(/\?(<?)([=!])/y)
    const isPlain = !look && this.#takeMatch(/\?:/y) !== undefined
    const name = look || isPlain ? undefined : this.#takeMatch(/\?<([\w$]+)>/y)
    if (this.#peek() === '?') this.#fail('it has a group of an unknown kind')
    const index = look || isPlain ? 0 : this.#names.push(name?.[1] ?? '')
    const of = this.#choice()
    if (!this.#take(')')) this.#fail('a group is not closed')
    return look
      ? { type: 'look', isAfter: look[1] === '<', isNegative: look[2] === '!', of }
      : { type: 'group', index, of }
  }

  #escape(): RegexTree {
    const char = this.#peek()
    if (char === 'b' || char === 'B') {
      this.#at++
      return { type: 'edge', at: char === 'b' ? 'word' : 'no-word' }
    }
    const back = this.#takeMatch(/([1-9]\d*)|k<([\w$]+)>/y)
    if (back) return { type: 'back', index: back[1] ? Number(back[1]) : this.#names.indexOf(back[2] ?? '') + 1 }
    const found = this.#escaped()
    return { type: 'set', set: typeof found === 'string' ? this.#folded(CharSet.of(found)) : found }
  }

  #set(): CharSet {
    const isNegative = this.#take('^')
    let set = CharSet.none
    while (!this.#take(']')) {
      const from = this.#member()
      const isRange = this.#peek() === '-' && this.#source[this.#at + 1] !== ']' && typeof from === 'string'
      if (!isRange) {
        set = set.or(typeof from === 'string' ? CharSet.of(from) : from)
        continue
      }
      this.#at++
      const to = this.#member()
      if (typeof to !== 'string') this.#fail('a range ends with a class')
      set = set.or(CharSet.range(from, to))
    }
    const folded = this.#folded(set)
    return isNegative ? folded.not() : folded
  }

  #member(): string | CharSet {
    const char = this.#next()
    return char === '\\' ? this.#escaped() : char
  }

  /** Reads the text after a backslash, in brackets or outside: a character, or a class. */
  #escaped(): string | CharSet {
    const char = this.#next()
    const known = classes.get(char)
    if (known) return known
    const property = 'pP'.includes(char) ? this.#takeMatch(/\{([\w=]+)\}/y) : undefined
    if (property) return unicodeClass(property[1] ?? '', char === 'P')
    const code = char === 'x' ? this.#takeMatch(/([\da-f]{2})/iy) : undefined
    const unit = char === 'u' ? this.#takeMatch(/([\da-f]{4})|\{([\da-f]+)\}/iy) : undefined
    const digits = code?.[1] ?? unit?.[1] ?? unit?.[2]
    if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16))
    return controls.get(char) ?? char
  }

  /** Both cases of ASCII letters, if case is ignored. */
  #folded(set: CharSet): CharSet {
    if (!this.#ignoresCase) return set
    const shift = (letters: CharSet, by: number) =>
      CharSet.from(set.and(letters).ranges.map(([first, last]) => [first + by, last + by]))
    return set.or(shift(lower, -32)).or(shift(upper, 32))
  }

  #peek(): string {
    return this.#source[this.#at] ?? ''
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false
    this.#at++
    return true
  }

  #takeMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at
    const match = sticky.exec(this.#source)
    if (match) this.#at += match[0].length
    return match ?? undefined
  }

  /** A code unit or, with the flag `u`, a code point. */
  #next(): string {
    const code = this.#isUnicode ? this.#source.codePointAt(this.#at) : this.#source.charCodeAt(this.#at)
    if (code === undefined || Number.isNaN(code)) this.#fail('it ends too early')
    const char = String.fromCodePoint(code)
    this.#at += char.length
    return char
  }

  #fail(why: string): never {
    throw new SyntaxError(`The expression /${this.#source}/ cannot be taken apart: ${why}, at ${this.#at}.`)
  }
}

const unicodeClasses = new RecentMap<string, CharSet>(100)

/** Returns the class's characters among the first 65,536; all others count as in it. */
function unicodeClass(name: string, isNegative: boolean): CharSet {
  const source = `^\\${isNegative ? 'P' : 'p'}{${name}}$`
  return unicodeClasses.of(source, () => {
    const test = new RegExp(source, 'u')
    const codes = Array.from({ length: 0x10000 }, (_, code) => code)
    const ranges = codes.flatMap((code): [number, number][] =>
      test.test(String.fromCharCode(code)) ? [[code, code]] : [],
    )
    return CharSet.from([...ranges, [0x10000, 0x10ffff]])
  })
}
