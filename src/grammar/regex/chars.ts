type Range = readonly [first: number, last: number]

const lastChar = 0x10ffff

/** A set of code points, as sorted ranges that do not touch. */
export class CharSet {
  readonly ranges: readonly Range[]
  #text: string | undefined

  private constructor(ranges: readonly Range[]) {
    this.ranges = ranges
  }

  static readonly none: CharSet = new CharSet([])
  /** All code points of text. Surrogates are not text, and NUL ends strings in engines. */
  static readonly all: CharSet = CharSet.from([
    [1, 0xd7ff],
    [0xe000, lastChar],
  ])

  static from(ranges: readonly Range[]): CharSet {
    const sorted = [...ranges].filter(([first, last]) => first <= last).sort((one, other) => one[0] - other[0])
    const merged: [number, number][] = []
    for (const [first, last] of sorted) {
      const top = merged.at(-1)
      if (top && first <= top[1] + 1) top[1] = Math.max(top[1], last)
      else merged.push([first, last])
    }
    return new CharSet(merged)
  }

  /** The characters of a text. */
  static of(characters: string): CharSet {
    if (characters.length === 1) return ofChar(characters)
    const ranges = [...characters].map((char): Range => [char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0])
    return CharSet.from(ranges)
  }

  static range(first: string, last: string): CharSet {
    return CharSet.from([[first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0]])
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0
  }

  has(char: string): boolean {
    const code = char.codePointAt(0) ?? -1
    return this.ranges.some(([first, last]) => first <= code && code <= last)
  }

  or(other: CharSet): CharSet {
    if (other.isEmpty) return this
    return this.isEmpty ? other : CharSet.from([...this.ranges, ...other.ranges])
  }

  and(other: CharSet): CharSet {
    const found: Range[] = []
    // The range that ends first is finished. The ranges found are sorted, and do not touch.
    for (let mine = 0, theirs = 0; ; ) {
      const [one, two] = [this.ranges[mine], other.ranges[theirs]]
      if (!one || !two) return new CharSet(found)
      const [first, last] = [Math.max(one[0], two[0]), Math.min(one[1], two[1])]
      if (first <= last) found.push([first, last])
      if (one[1] < two[1]) mine++
      else theirs++
    }
  }

  /** All others. */
  not(): CharSet {
    const found: Range[] = []
    let next = 0
    for (const [first, last] of this.ranges) {
      if (first > next) found.push([next, first - 1])
      next = last + 1
    }
    if (next <= lastChar) found.push([next, lastChar])
    return new CharSet(found)
  }

  without(other: CharSet): CharSet {
    return this.and(other.not())
  }

  /** Returns a bracket expression of GBNF. A set of nearly all characters is written by the missing ones. */
  toString(): string {
    this.#text ??= this.#print()
    return this.#text
  }

  #print(): string {
    // llama.cpp refuses a set of nothing, and takes one without everything.
    if (this.ranges.length === 0) return '[^\\x00-\\U0010FFFF]'
    const isNegative = this.ranges.at(-1)?.[1] === lastChar
    if (!isNegative) return `[${printed(this.ranges)}]`
    return `[^${printed(this.not().and(nameable).ranges)}]`
  }
}

/** Sets of one character, which most literals are taken apart into: those of ASCII are made once. */
const single = new Map<string, CharSet>()

function ofChar(char: string): CharSet {
  const known = single.get(char)
  if (known) return known
  const code = char.charCodeAt(0)
  const made = CharSet.from([[code, code]])
  if (code < 0x80) single.set(char, made)
  return made
}

/** Characters that no text contains need not be named. */
const nameable = CharSet.all.or(CharSet.from([[0, 0]]))

function printed(ranges: readonly Range[]): string {
  return ranges
    .map(([first, last]) => {
      if (first === last) return printChar(first)
      return `${printChar(first)}${last === first + 1 ? '' : '-'}${printChar(last)}`
    })
    .join('')
}

const named: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x2d, '\\-'],
  [0x5b, '\\['],
  [0x5c, '\\\\'],
  [0x5d, '\\]'],
])

/**
 * A character in brackets or quotes; written as an escape if it is not plain. A `^` at the beginning would negate the
 * set.
 */
function printChar(code: number): string {
  const name = named.get(code)
  if (name !== undefined) return name
  if (code > 0x20 && code < 0x7f && code !== 0x5e) return String.fromCharCode(code)
  if (code === 0x20) return ' '
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`
  return `\\U${code.toString(16).padStart(8, '0').toUpperCase()}`
}

/** A text as a literal of GBNF. */
export function printLiteral(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  return `"${text.replace(/[^ !#-[\]-~]/gu, printLiteralChar)}"`
}

function printLiteralChar(char: string): string {
  const code = char.codePointAt(0) ?? 0
  // Letters of all alphabets are not escaped, so that grammars stay readable.
  return code > 0x7f && /[\p{L}\p{N}\p{S}\p{P}]/u.test(char) ? char : printChar(code)
}
