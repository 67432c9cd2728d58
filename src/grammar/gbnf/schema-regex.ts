import { CharSet } from '../regex/chars.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence } from './gbnf.ts'
import { repetitionLimit } from './rules.ts'

const digits = CharSet.range('0', '9')
const words = digits.or(CharSet.range('a', 'z')).or(CharSet.range('A', 'Z')).or(CharSet.of('_'))
const spaces = CharSet.of(' \t\n\r\f\u000b\u00a0\ufeff\u2028\u2029\u3000')
const lineEnds = CharSet.of('\n\r\u2028\u2029')
const classes: ReadonlyMap<string, CharSet> = new Map([
  ['d', digits],
  ['w', words],
  ['s', spaces],
  ['D', CharSet.all.without(digits)],
  ['W', CharSet.all.without(words)],
  ['S', CharSet.all.without(spaces)],
])
const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\u000b'],
])
/** Groups in each other make grammars of any size. */
const maxDepth = 20

/**
 * Reads a regular expression of a JSON schema: alternatives, groups, classes, quantifiers, and anchors at its ends.
 * Without an anchor, any text may come before or after the match. Undefined if it uses anything else, such as
 * lookarounds and back references.
 */
export function regexOf(source: string, longest: number = 1000): Gbnf | undefined {
  if (source.length > longest) return undefined
  try {
    return new RegexParser(source).parse()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

class Unsupported extends Error {}

const anything: Gbnf = repeat(charsOf(CharSet.all), 0)

class RegexParser {
  readonly #source: readonly string[]
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = [...source]
  }

  parse(): Gbnf | undefined {
    const branches: (Gbnf | undefined)[] = []
    do {
      const isAnchored = this.#take('^')
      const body = this.#sequence()
      const isClosed = this.#take('$')
      branches.push(sequence(isAnchored ? empty : anything, body, isClosed ? empty : anything))
    } while (this.#take('|'))
    if (this.#at < this.#source.length) throw new Unsupported()
    return choice(branches)
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false
    this.#at++
    return true
  }

  #next(): string {
    const char = this.#source[this.#at++]
    if (char === undefined) throw new Unsupported()
    return char
  }

  #alternatives(): Gbnf {
    if (++this.#depth > maxDepth) throw new Unsupported()
    const branches = [this.#sequence()]
    while (this.#take('|')) branches.push(this.#sequence())
    this.#depth--
    return choice(branches) ?? empty
  }

  #sequence(): Gbnf {
    const parts: Gbnf[] = []
    for (
      let char = this.#source[this.#at];
      char !== undefined && !'|)$'.includes(char);
      char = this.#source[this.#at]
    ) {
      parts.push(this.#quantified(this.#atom()))
    }
    return sequence(...parts)
  }

  #quantified(atom: Gbnf): Gbnf {
    const char = this.#source[this.#at]
    const bounds =
      char === '*' ? [0] : char === '+' ? [1] : char === '?' ? [0, 1] : char === '{' ? this.#bounds() : undefined
    if (!bounds) return atom
    if (char !== '{') this.#at++
    // A lazy quantifier admits the same texts.
    this.#take('?')
    const [min = 0, max] = bounds
    if (Math.max(min, max ?? 0) > repetitionLimit(atom) || (max !== undefined && max < min)) throw new Unsupported()
    return repeat(atom, min, max)
  }

  #bounds(): number[] | undefined {
    const rest = this.#source.slice(this.#at, this.#at + 16).join('')
    const [whole, min, comma, max] = /^\{([0-9]{1,4})(,([0-9]{1,4})?)?\}/.exec(rest) ?? []
    if (whole === undefined) throw new Unsupported()
    this.#at += whole.length
    if (comma === undefined) return [Number(min), Number(min)]
    return max === undefined ? [Number(min)] : [Number(min), Number(max)]
  }

  #atom(): Gbnf {
    const char = this.#next()
    switch (char) {
      case '(': {
        if (this.#take('?') && !this.#take(':')) this.#groupName()
        const group = this.#alternatives()
        if (!this.#take(')')) throw new Unsupported()
        return group
      }
      case '[':
        return charsOf(this.#set())
      case '.':
        return charsOf(CharSet.all.without(lineEnds))
      case '\\': {
        const found = this.#escape()
        return typeof found === 'string' ? { type: 'literal', text: found } : charsOf(found)
      }
      case '^':
      case '*':
      case '+':
      case '?':
      case '{':
      case ')':
        throw new Unsupported()
      default:
        return { type: 'literal', text: char }
    }
  }

  /** `(?<name>...)` is read like any other group; lookarounds are not supported. */
  #groupName(): void {
    if (!this.#take('<') || '=!'.includes(this.#source[this.#at] ?? '=')) throw new Unsupported()
    while (this.#next() !== '>');
  }

  #set(): CharSet {
    const isNegated = this.#take('^')
    let found = CharSet.none
    while (!this.#take(']')) {
      const first = this.#member()
      if (typeof first === 'string' && this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++
        const last = this.#member()
        if (typeof last !== 'string' || last < first) throw new Unsupported()
        found = found.or(CharSet.range(first, last))
      } else {
        found = found.or(typeof first === 'string' ? CharSet.of(first) : first)
      }
    }
    const set = isNegated ? CharSet.all.without(found) : found.and(CharSet.all)
    if (set.isEmpty) throw new Unsupported()
    return set
  }

  #member(): string | CharSet {
    const char = this.#next()
    if (char !== '\\') return char
    return this.#take('b') ? '\b' : this.#escape()
  }

  #escape(): string | CharSet {
    const char = this.#next()
    const known = classes.get(char) ?? controls.get(char)
    if (known !== undefined) return known
    if (char === 'x') return this.#hex(2)
    if (char === 'u') return this.#hex(4)
    if (/[A-Za-z0-9]/.test(char)) throw new Unsupported()
    return char
  }

  #hex(length: number): string {
    const digits = this.#source.slice(this.#at, this.#at + length).join('')
    this.#at += length
    const code = Number.parseInt(digits, 16)
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length || (code >= 0xd800 && code <= 0xdfff) || code === 0) {
      throw new Unsupported()
    }
    return String.fromCodePoint(code)
  }
}
