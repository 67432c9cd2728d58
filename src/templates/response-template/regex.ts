/**
 * The regular expressions of response templates, as trees. They are Python's (the `regex` module, with `.` for any
 * character), come from a model's repository, and are never run: they are only analysed by this tree.
 */
export type RegexNode =
  /** One character of a set, which is the inside of a bracket expression, rebuilt from the parsed one. */
  | { type: 'set'; set: string }
  | { type: 'literal'; text: string }
  | { type: 'sequence'; of: readonly RegexNode[] }
  | { type: 'choice'; of: readonly RegexNode[] }
  /** `max` is undefined for no upper bound. */
  | { type: 'repeat'; of: RegexNode; min: number; max: number | undefined; lazy: boolean }
  /** `name` is empty for a group without one. */
  | { type: 'group'; name: string; of: RegexNode }
  | { type: 'look'; isNegative: boolean; of: RegexNode }
  | { type: 'reference'; name: string }
  /** The beginning or the end of all text. */
  | { type: 'anchor'; at: 'start' | 'end' }

export type ParsedRegex = { type: 'regex'; node: RegexNode } | { type: 'error'; why: string }

/** The longest that is known has 500 characters, for the values of Python calls. */
const longestSource = 2000
const maxDepth = 20

export function parseRegex(source: string): ParsedRegex {
  if (source.length > longestSource) return { type: 'error', why: `it has ${source.length} characters` }
  try {
    return { type: 'regex', node: new RegexParser(source).parse() }
  } catch (error) {
    if (error instanceof Unsupported) return { type: 'error', why: error.message }
    throw error
  }
}

/** Any character at all. */
export const anySet = '\\s\\S'
/** Python's words may be of any alphabet. */
const wordSet = '\\w\\u00c0-\\u1fff\\u3040-\\ud7a3'

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
])
const classes: ReadonlyMap<string, string> = new Map([
  ['s', '\\s'],
  ['d', '\\d'],
  ['w', wordSet],
])

class Unsupported extends Error {}

class RegexParser {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): RegexNode {
    // Flags for the whole: dots match line breaks already, and readers take letters of either case.
    this.#takeMatch(/\(\?[simu]+\)/y)
    const node = this.#choice()
    if (this.#at < this.#source.length) throw new Unsupported('a closing bracket has no opening one')
    return node
  }

  #choice(): RegexNode {
    if (++this.#depth > maxDepth) throw new Unsupported('its groups are nested too deep')
    const of = [this.#sequence()]
    while (this.#take('|')) of.push(this.#sequence())
    this.#depth--
    return of.length === 1 && of[0] ? of[0] : { type: 'choice', of }
  }

  #sequence(): RegexNode {
    const of: RegexNode[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const atom = this.#atom()
      if (atom) of.push(this.#quantified(atom))
    }
    return of.length === 1 && of[0] ? of[0] : { type: 'sequence', of }
  }

  #quantified(of: RegexNode): RegexNode {
    const match = this.#takeMatch(/([*+?]|\{(\d{1,4})\}|\{(\d{0,4}),(\d{0,4})\})([?+]?)/y)
    if (!match) return of
    const [, sign, exact, from, to, mode] = match
    if (this.#takeMatch(/[*+?]|\{\d/y)) throw new Unsupported('a quantifier follows a quantifier')
    if (of.type === 'anchor' || of.type === 'look') return of
    const lazy = mode === '?'
    if (sign === '*') return { type: 'repeat', of, min: 0, max: undefined, lazy }
    if (sign === '+') return { type: 'repeat', of, min: 1, max: undefined, lazy }
    if (sign === '?') return { type: 'repeat', of, min: 0, max: 1, lazy }
    const min = Number(exact ?? from ?? 0)
    const max = exact !== undefined ? min : to ? Number(to) : undefined
    if (max !== undefined && max < min) throw new Unsupported('a quantifier has no number between its bounds')
    return { type: 'repeat', of, min, max, lazy }
  }

  /** Undefined for an atom that matches nothing. */
  #atom(): RegexNode | undefined {
    const char = this.#next()
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '.':
        return { type: 'set', set: anySet }
      case '^':
        return { type: 'anchor', at: 'start' }
      case '$':
        return { type: 'anchor', at: 'end' }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        throw new Unsupported('a quantifier has nothing before it')
      default:
        return { type: 'literal', text: char }
    }
  }

  #group(): RegexNode {
    const named = this.#takeMatch(/\?P?<([A-Za-z_]\w*)>/y)
    const reference = named ? undefined : this.#takeMatch(/\?P=(\w+)\)/y)
    if (reference) return { type: 'reference', name: reference[1] ?? '' }
    const look = named ? undefined : this.#takeMatch(/\?[=!]/y)
    const isPlain = named || look || this.#takeMatch(/\?(?:[simu]*:|>)/y) || this.#source[this.#at] !== '?'
    if (!isPlain) throw new Unsupported(`it has a group of the kind ${this.#source.slice(this.#at - 1, this.#at + 2)}`)
    const of = this.#choice()
    if (!this.#take(')')) throw new Unsupported('a group is not closed')
    if (look) return { type: 'look', isNegative: look[0] === '?!', of }
    return { type: 'group', name: named?.[1] ?? '', of }
  }

  #escape(): RegexNode | undefined {
    const char = this.#next()
    if (char === 'A') return { type: 'anchor', at: 'start' }
    if (char === 'Z' || char === 'z') return { type: 'anchor', at: 'end' }
    // The ends of words do not matter here: the text around a name determines its end.
    if (char === 'b') return undefined
    const reference = char === 'g' ? this.#takeMatch(/<(\w+)>/y) : undefined
    if (reference) return { type: 'reference', name: reference[1] ?? '' }
    const own = classes.get(char.toLowerCase())
    if (own !== undefined) return { type: 'set', set: char === char.toLowerCase() ? own : `^${own}` }
    return { type: 'literal', text: this.#escaped(char) }
  }

  /** A character as it is escaped, in brackets or out of them. */
  #escaped(char: string): string {
    const control = controls.get(char)
    if (control !== undefined) return control
    const code = 'xu'.includes(char) ? this.#takeMatch(char === 'x' ? /[\da-f]{2}/iy : /[\da-f]{4}/iy) : undefined
    if (code) return String.fromCharCode(Number.parseInt(code[0], 16))
    if (/[A-Za-z0-9]/.test(char)) throw new Unsupported(`it has the escape \\${char}`)
    return char
  }

  #set(): RegexNode {
    const isNegative = this.#take('^')
    let items = ''
    for (let first = true; first || this.#source[this.#at] !== ']'; first = false) {
      if (this.#takeMatch(/\[:|--|&&|\|\||~~/y)) throw new Unsupported('it has sets made of sets')
      const from = this.#member()
      const isRange = typeof from === 'object' && /^-[^\]]/.test(this.#source.slice(this.#at, this.#at + 2))
      if (isRange) this.#at++
      const to = isRange ? this.#member() : from
      if (typeof from === 'string' || typeof to === 'string') {
        if (isRange) throw new Unsupported('a range has a class at its end')
        items += from
        continue
      }
      if (from.char > to.char) throw new Unsupported('a range has its ends in the wrong order')
      items += isRange ? `${member(from.char)}-${member(to.char)}` : member(from.char)
    }
    this.#at++
    return { type: 'set', set: isNegative ? `^${items}` : items }
  }

  /** One character of a set, or the source of a class. */
  #member(): { char: string } | string {
    const char = this.#next()
    if (char !== '\\') return { char }
    const escaped = this.#next()
    const own = classes.get(escaped.toLowerCase())
    if (own === undefined) return { char: escaped === 'b' ? '\b' : this.#escaped(escaped) }
    return escaped === escaped.toLowerCase() ? own : `\\${escaped}`
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

  #next(): string {
    const char = this.#source[this.#at++]
    if (char === undefined) throw new Unsupported('it ends too early')
    return char
  }
}

/** A character inside brackets. */
export function member(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20 || code > 0x7e) return `\\u${code.toString(16).padStart(4, '0')}`
  return /[\w ]/.test(char) ? char : `\\${char}`
}
