import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence, text } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import { stringWithout } from '../until/string-automaton.ts'

/** The rules for the content of a string in quotes. */
export interface Quoting {
  quote: '"' | "'"
  /** JSON has `\/`, and pairs of escapes for a character; Python has neither. */
  isPython: boolean
  /** Texts that must not occur in the string because they would end the surrounding text. */
  marks: readonly string[]
  /** True if control characters are written without an escape. */
  isRaw?: boolean
  /**
   * True if its own quotes are also written without an escape, because the following text distinguishes them from its
   * end.
   */
  hasRawQuotes?: boolean
}

export const jsonQuoting: Quoting = { quote: '"', isPython: false, marks: [] }

const control = CharSet.from([[0, 0x1f]])
const hex = CharSet.of('0123456789abcdefABCDEF')

function hexDigits(count: number): Gbnf {
  return repeat(charsOf(hex), count, count)
}

const plainEscape = sequence('u', charsOf('0123456789abcefABCEF'), hexDigits(3))
const lowEscape = sequence('u', charsOf('dD'), charsOf('01234567'), hexDigits(2))
const escapedPair = sequence(
  'u',
  charsOf('dD'),
  charsOf('89abAB'),
  hexDigits(2),
  '\\u',
  charsOf('dD'),
  charsOf('cdefCDEF'),
  hexDigits(2),
)

/** Escapes of one character. Surrogates occur in pairs only. */
function escapesOf(quote: '"' | "'", isPython: boolean): Gbnf {
  const simple = charsOf(`${isPython ? `"'` : `${quote}/`}\\bfnrt`)
  const byte = sequence('x', hexDigits(2))
  const all = choice([simple, plainEscape, lowEscape, ...(isPython ? [byte] : [escapedPair])]) ?? simple
  return sequence('\\', all)
}

const jsonEscapes = { '"': escapesOf('"', false), "'": escapesOf("'", false) }
const pythonEscapes = { '"': escapesOf('"', true), "'": escapesOf("'", true) }

/** Characters that are written without an escape. */
const plainIn = {
  '"': CharSet.all.without(control.or(CharSet.of('"\\'))),
  "'": CharSet.all.without(control.or(CharSet.of("'\\"))),
}

/** The same if control characters are written without an escape too. */
const rawIn = {
  '"': CharSet.all.without(CharSet.of('"\\')),
  "'": CharSet.all.without(CharSet.of("'\\")),
}

/** After a quote these make it one of the text: no value is followed by them. */
const goesOn = CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(CharSet.range('0', '9')).or(CharSet.of('_.!?;-'))

/** A string with any content, or with any that is not empty. */
export function anyString(quoting: Quoting, rules: GbnfRules, isNonEmpty: boolean = false): Gbnf {
  const key = `string ${isNonEmpty} ${JSON.stringify(quoting)}`
  return rules.once(key, () => makeAnyString(quoting, rules, isNonEmpty)) ?? text('""')
}

function makeAnyString(quoting: Quoting, rules: GbnfRules, isNonEmpty: boolean): Gbnf {
  const { quote, isPython, isRaw = false, hasRawQuotes = false } = quoting
  const escapedChar = rules.addFixed('escape', (isPython ? pythonEscapes : jsonEscapes)[quote])
  const plain = (isRaw ? rawIn : plainIn)[quote]
  const marks = quoting.marks.filter((mark) => [...mark].every((char) => plain.has(char)))
  if (marks.length > 0 && escapedChar.type === 'rule') {
    const afterQuote = hasRawQuotes ? goesOn : CharSet.none
    return rules.add(
      'string',
      stringWithout({ quote, plain, escaped: escapedChar, afterQuote, marks, isNonEmpty }, rules),
    )
  }
  const inner = hasRawQuotes ? sequence(quote, charsOf(goesOn)) : undefined
  const char = rules.add('char', choice([charsOf(plain), escapedChar, inner]) ?? empty)
  return rules.add('string', sequence(quote, repeat(char, isNonEmpty ? 1 : 0), quote))
}

/** The first characters of marks, each with those that may come second. */
function beginnings(marks: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const mark of marks) {
    const [first = '', second = ''] = [...mark]
    if (first === '' || second === '' || first < ' ') continue
    found.set(first, (found.get(first) ?? '') + second.toLowerCase() + second.toUpperCase())
  }
  return found
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
])

/** True for words, as keys nearly always are: they are themselves in any string. */
function isPlain(text: string, marks: readonly string[]): boolean {
  return /^[\w -]*$/.test(text) && marks.every(([first = '']) => first === '' || !text.includes(first))
}

/**
 * Contents that were escaped before, by the marks that must not occur in them: the contents of string formats are the
 * same in all grammars, and so are most formats' marks.
 */
const known = new WeakMap<readonly string[], Map<string, WeakMap<Gbnf, Gbnf>>>()
const noMarks: readonly string[] = []

/** Text in quotes; characters that are not allowed there are escaped. */
export function quotedContent(content: Gbnf, quoting: Quoting): Gbnf {
  const { quote, isPython } = quoting
  const marks = quoting.marks.length === 0 ? noMarks : quoting.marks
  const ofMarks = known.get(marks) ?? new Map<string, WeakMap<Gbnf, Gbnf>>()
  known.set(marks, ofMarks)
  const made = ofMarks.get(`${quote}${isPython}`) ?? new WeakMap<Gbnf, Gbnf>()
  ofMarks.set(`${quote}${isPython}`, made)
  const found = made.get(content) ?? sequence(quote, escaped(content, quoting), quote)
  made.set(content, found)
  return found
}

/** Text as the content of a string; characters that are not allowed there are escaped. */
export function escaped(gbnf: Gbnf, quoting: Quoting): Gbnf {
  switch (gbnf.type) {
    case 'literal':
      if (isPlain(gbnf.text, quoting.marks)) return gbnf
      return sequence(...[...gbnf.text].map((char) => escaped(charsOf(char), quoting)))
    case 'chars':
      return escapedChars(gbnf.set, quoting)
    case 'sequence':
      return sequence(...gbnf.of.map((part) => escaped(part, quoting)))
    case 'choice':
      return { ...gbnf, of: gbnf.of.map((part) => escaped(part, quoting)) }
    case 'repeat':
      return { ...gbnf, of: escaped(gbnf.of, quoting) }
    case 'rule':
      return gbnf
  }
}

const unsafeIn = new WeakMap<Quoting, CharSet>()

/** Characters that are escaped in quotes. Of what may begin a mark the escape says the same. */
function unsafeOf(quoting: Quoting): CharSet {
  const known = unsafeIn.get(quoting)
  if (known) return known
  const { quote, marks } = quoting
  const hidden = CharSet.of([...beginnings(marks).keys()].join(''))
  const unsafe = control.or(CharSet.of(`${quote}\\`)).or(hidden)
  unsafeIn.set(quoting, unsafe)
  return unsafe
}

function escapedChars(set: CharSet, quoting: Quoting): Gbnf {
  const { quote } = quoting
  const unsafe = unsafeOf(quoting)
  const plain = set.without(unsafe)
  const others = set.and(unsafe)
  const forms: (Gbnf | undefined)[] = [plain.isEmpty ? undefined : charsOf(plain)]
  for (const [first, last] of others.ranges) {
    for (let code = first; code <= last; code++) {
      const char = String.fromCodePoint(code)
      const isOwnQuote = char === quote && quote === "'"
      forms.push(text(isOwnQuote ? "\\'" : (shortEscapes.get(char) ?? `\\u${code.toString(16).padStart(4, '0')}`)))
    }
  }
  const one = choice(forms) ?? empty
  return isLiteralSet(set) && one.type === 'chars' ? text(String.fromCodePoint(set.ranges[0]?.[0] ?? 0)) : one
}

function isLiteralSet(set: CharSet): boolean {
  const [range] = set.ranges
  return set.ranges.length === 1 && range !== undefined && range[0] === range[1]
}
