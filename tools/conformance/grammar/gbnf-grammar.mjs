// @ts-check
/** @import { Rules, Slot, Symbols } from './types.ts' */

/** llama.cpp refuses more repetitions than this. */
const mostRepetitions = 2000

/** @type {Readonly<Record<string, string>>} */
const escapes = { t: '\t', r: '\r', n: '\n' }
const hexLengths = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/**
 * Reads a grammar in GBNF, llama.cpp's notation: rules, literals, sets of characters, `.`, groups, `|`, `?`, `*`, `+`, `{m,n}`, comments.
 * Written here anew, and not shared with what prints grammars, so that the two do not agree in an error.
 * @param {string} source
 * @returns {Rules}
 * @throws {Error} where it is no grammar: the message says why, and where
 */
export function parseGbnf(source) {
  const parser = new GbnfParser(source)
  const rules = parser.rules()
  for (const name of parser.asked) if (!rules.has(name)) throw new Error(`the grammar has no rule ${name}`)
  if (!rules.has('root')) throw new Error('the grammar has no rule root')
  return new Map([...rules].map(([name, alternatives]) => [name, alternatives.map(chain)]))
}

/**
 * The places in an alternative, from its first on.
 * @param {Symbols} symbols
 * @returns {Slot}
 */
function chain(symbols) {
  return symbols.reduceRight((next, symbol) => ({ symbol, next }), /** @type {Slot} */ ({}))
}

class GbnfParser {
  /** @param {string} source */
  constructor(source) {
    this.source = source
    this.at = 0
    this.count = 0
    /** @type {Set<string>} */
    this.asked = new Set()
    /** @type {Map<string, Symbols[]>} */
    this.found = new Map()
  }

  rules() {
    this.space(true)
    while (this.at < this.source.length) {
      const name = this.take(/[A-Za-z0-9_-]+/y) ?? this.fail('a rule has no name')
      if (this.found.has(name)) this.fail(`the rule ${name} comes twice`)
      this.space(false)
      if (!this.takes('::=')) this.fail('a rule has no ::=')
      this.space(true)
      this.found.set(name, this.alternatives(name, false))
      if (this.at < this.source.length && this.take(/\r?\n/y) === undefined) this.fail('a rule does not end')
      this.space(true)
    }
    return this.found
  }

  /**
   * @param {string} rule
   * @param {boolean} isNested in a group, lines may break anywhere
   */
  alternatives(rule, isNested) {
    const found = [this.sequence(rule, isNested)]
    while (this.takes('|')) {
      this.space(true)
      found.push(this.sequence(rule, isNested))
    }
    return found
  }

  /**
   * @param {string} rule
   * @param {boolean} isNested
   */
  sequence(rule, isNested) {
    /** @type {Symbols} */
    const all = []
    for (;;) {
      const one = this.item(rule)
      if (!one) return all
      all.push(...this.repeated(rule, one))
      this.space(isNested)
    }
  }

  /**
   * @param {string} rule
   * @returns {Symbols | undefined}
   */
  item(rule) {
    if (this.takes('"')) return this.literal()
    if (this.takes('[')) return [this.set()]
    if (this.takes('.')) return [{ type: 'chars', ranges: [], isNegated: true }]
    if (this.takes('(')) {
      this.space(true)
      const name = this.add(rule, this.alternatives(rule, true))
      if (!this.takes(')')) this.fail('a group has no end')
      return [name]
    }
    const name = this.take(/[A-Za-z0-9_-]+/y)
    if (name === undefined) return undefined
    this.asked.add(name)
    return [{ type: 'rule', name }]
  }

  /** @returns {Symbols} */
  literal() {
    /** @type {Symbols} */
    const all = []
    while (!this.takes('"')) {
      const code = this.character()
      all.push({ type: 'chars', ranges: [[code, code]], isNegated: false })
    }
    return all
  }

  /** @returns {Symbols[number]} */
  set() {
    const isNegated = this.takes('^')
    /** @type {[number, number][]} */
    const ranges = []
    while (!this.takes(']')) {
      const first = this.character()
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']'
      if (isRange) this.at++
      ranges.push([first, isRange ? this.character() : first])
    }
    return { type: 'chars', ranges, isNegated }
  }

  /**
   * The item as often as what comes after it says.
   * @param {string} rule
   * @param {Symbols} one
   * @returns {Symbols}
   */
  repeated(rule, one) {
    const [, written, min, comma, max] =
      /^(?:([?*+])|\{([0-9]+)(,([0-9]*))?\})/.exec(this.source.slice(this.at, this.at + 20)) ?? []
    if (written === undefined && min === undefined) return one
    this.at = written === undefined ? this.source.indexOf('}', this.at) + 1 : this.at + 1
    const least = min === undefined ? (written === '+' ? 1 : 0) : Number(min)
    const most = written === '?' ? 1 : min === undefined || max === '' ? undefined : comma ? Number(max) : least
    if (Math.max(least, most ?? 0) > mostRepetitions) this.fail('too many repetitions')
    return [...Array.from({ length: least }, () => one).flat(), ...this.more(rule, one, least, most)]
  }

  /**
   * Rules that go on at their end cost nothing to come back from, however long they go on.
   * @param {string} rule
   * @param {Symbols} one
   * @param {number} least
   * @param {number | undefined} most
   * @returns {Symbols}
   */
  more(rule, one, least, most) {
    if (most === undefined) {
      const again = this.add(rule, [])
      this.found.set(again.name, [[...one, again], []])
      return [again]
    }
    /** @type {Symbols} */
    let rest = []
    for (let count = least; count < most; count++) rest = [this.add(rule, [[...one, ...rest], []])]
    return rest
  }

  /**
   * A rule without a name of its own.
   * @param {string} rule
   * @param {Symbols[]} alternatives
   */
  add(rule, alternatives) {
    const name = `${rule} ${++this.count}`
    this.found.set(name, alternatives)
    return { type: /** @type {const} */ ('rule'), name }
  }

  character() {
    const code = this.source.codePointAt(this.at)
    if (code === undefined) return this.fail('the grammar ends too early')
    if (code !== 0x5c) {
      this.at += code > 0xffff ? 2 : 1
      return code
    }
    const kind = this.source.charAt(this.at + 1)
    const length = hexLengths.get(kind)
    this.at += 2
    if (length === undefined) {
      if (!/^[trn\\"[\]-]$/.test(kind)) this.fail(`\\${kind} is not known`)
      return (escapes[kind] ?? kind).codePointAt(0) ?? 0
    }
    const digits = this.source.slice(this.at, this.at + length)
    if (digits.length < length || !/^[0-9A-Fa-f]+$/.test(digits)) this.fail(`\\${kind} has too few digits`)
    this.at += length
    return Number.parseInt(digits, 16)
  }

  /** @param {boolean} overLines */
  space(overLines) {
    this.take(overLines ? /(?:[ \t\r\n]|#[^\n]*)+/y : /(?:[ \t]|#[^\n]*)+/y)
  }

  /** @param {string} text */
  takes(text) {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** @param {RegExp} pattern a sticky one */
  take(pattern) {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.source) ?? []
    if (found !== undefined) this.at += found.length
    return found
  }

  /**
   * @param {string} what
   * @returns {never}
   */
  fail(what) {
    throw new Error(`${what}, at ${JSON.stringify(this.source.slice(this.at, this.at + 40))}`)
  }
}
