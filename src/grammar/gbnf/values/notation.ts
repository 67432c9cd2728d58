import { type JsonStyle, sidesOf } from '../../../json/index.ts'
import { orUndefined } from '../../language/language.ts'
import { patternLanguage } from '../../language/pattern.ts'
import { CharSet } from '../../regex/chars.ts'
import { pythonLiterals, writeJson } from '../../write/value.ts'
import { withCounts } from '../counted.ts'
import { charsOf, choice, empty, type Gbnf, optional, repeat, sequence, text } from '../gbnf.ts'
import { languageGbnf } from '../language.ts'
import type { Notation } from '../made-once.ts'
import type { GbnfRules } from '../rules.ts'
import { textUntil } from '../until/until.ts'
import { rewritten } from './encoded.ts'
import { anyString, escaped, type Quoting, quotedContent } from './strings.ts'

/** Objects in objects in a call that is indented itself. */
const longestIndent = 40
const letters = CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(CharSet.of('_'))
const wordChars = letters.or(CharSet.range('0', '9'))

const noControl = CharSet.all.without(CharSet.from([[0, 0x1f]]))
const spaceInJson = choice([empty, text(' '), sequence('\n', repeat(charsOf(' \t'), 0, longestIndent))]) ?? empty
const colonInJson = sequence(':', optional(text(' ')))

/** `marks` must not occur in the text of the values. */
export function notationOf(style: JsonStyle, marks: readonly string[], rules: GbnfRules): Notation {
  const known = rules.notations
  const key = `${JSON.stringify(style)} ${marks.join('\u0000')}`
  const notation = known.get(key) ?? makeNotation(style, { marks, id: `n${known.size}` }, rules)
  known.set(key, notation)
  return notation
}

interface Kept {
  marks: readonly string[]
  id: string
}

function makeNotation(style: JsonStyle, { marks, id }: Kept, rules: GbnfRules): Notation {
  const [delimiter] = style.delimiters ?? []
  const quotings = quotingsOf(style, marks)
  let hidden: readonly HiddenMark[] | undefined
  const [quoting = { quote: '"', isPython: false, marks } as const] = quotings
  let any: Gbnf | undefined
  const quoted = (content: Gbnf | undefined): Gbnf => {
    if (!content) {
      any ??= choice(quotings.map((one) => anyString(one, rules))) ?? empty
      return any
    }
    // If marks are given, characters that may begin one are escaped. This applies only if characters are counted or a
    // pattern determines them.
    if (marks.length > 0 && isNonEmpty(content))
      return choice(quotings.map((one) => anyString(one, rules, true))) ?? empty
    return content.type === 'repeat' || hasRules(content)
      ? sequence(quoting.quote, writtenContent(content, quoting, id, rules), quoting.quote)
      : quotedContent(content, quoting)
  }
  const constant = (json: string): Gbnf => {
    const written = writeJson(json, style)
    hidden ??= marks.flatMap(hiddenMark)
    const other = style.bothWords ? otherWords.get(written) : undefined
    return choice([text(hideMarks(written, hidden)), other === undefined ? undefined : text(other)]) ?? empty
  }
  if (delimiter !== undefined) {
    const [open, close] = sidesOf(delimiter)
    const until = { closer: close, marks: [close, ...marks], isLineStart: false, not: [] }
    return {
      id,
      constant,
      // A string that contains the delimiter is written in quotes.
      string: (content) => {
        const hasText = content !== undefined && isNonEmpty(content)
        const plain = content && !hasText ? withoutChar(content, close) : undefined
        const delimited = plain
          ? sequence(open, withCounts(plain, rules), close)
          : !content || hasText
            ? sequence(open, textUntil({ ...until, isNonEmpty: hasText }, rules))
            : undefined
        return choice([delimited, quoted(content)]) ?? empty
      },
      key: (name) => text(writeJson(`{${JSON.stringify(name)}:0}`, style).slice(1, -2)),
      otherKey: (except) => sequence(otherWord(except, { first: letters, rest: wordChars, end: ':' }, rules)),
      keyIn: (names) => {
        const words = orUndefined(() => patternLanguage('^[A-Za-z_][A-Za-z0-9_]*$')?.and(names))
        const found = words && languageGbnf(words, 'key', rules)
        return found && sequence(found, ':')
      },
      colon: empty,
      comma: text(','),
      inside: empty,
    }
  }
  const isPython = style.python === true
  const space = isPython ? empty : rules.addFixed('space', spaceInJson)
  return {
    id,
    constant,
    string: quoted,
    // In a word is nothing that is written otherwise, and no mark.
    key: (name) => (/^\w+$/.test(name) ? text(quoting.quote + name + quoting.quote) : constant(JSON.stringify(name))),
    otherKey: (except) => {
      const plain = noControl.without(CharSet.of(`${quoting.quote}\\${marks.map((mark) => mark[0]).join('')}`))
      const escapeOf = sequence('\\', charsOf(`${quoting.quote}\\nrt`))
      return sequence(
        quoting.quote,
        otherWord(except, { first: plain, rest: plain, end: quoting.quote, escape: escapeOf }, rules),
      )
    },
    keyIn: (names) => {
      const found = languageGbnf(names, 'key', rules, (set) => escaped(charsOf(set), quoting))
      return found && sequence(quoting.quote, found, quoting.quote)
    },
    colon: isPython
      ? text(': ')
      : isSpaced(style.signs?.colon)
        ? sequence(optional(text(' ')), colonInJson)
        : colonInJson,
    comma: isPython ? text(', ') : sequence(isSpaced(style.signs?.comma) ? optional(text(' ')) : '', ',', space),
    inside: space,
  }
}

/** Text of rules, or of a length that engines do not count to, as the content of a string. */
function writtenContent(content: Gbnf, quoting: Quoting, id: string, rules: GbnfRules): Gbnf {
  return withCounts(
    rewritten(content, (leaf) => escaped(leaf, quoting), rules, { suffix: `quoted-${id}` }),
    rules,
  )
}

function hasRules(gbnf: Gbnf): boolean {
  switch (gbnf.type) {
    case 'rule':
      return true
    case 'sequence':
    case 'choice':
      return gbnf.of.some(hasRules)
    case 'repeat':
      return hasRules(gbnf.of)
    default:
      return false
  }
}

/** True for a sign that has white space before it, which may be left out then. */
export function isSpaced(sign: string | undefined): boolean {
  return sign !== undefined && /^\s/.test(sign)
}

/** True for content that is any text but the empty one. */
function isNonEmpty(content: Gbnf): boolean {
  return content.type === 'repeat' && content.min === 1 && content.max === undefined && isAnyChar(content.of)
}

function isAnyChar(gbnf: Gbnf): boolean {
  return gbnf.type === 'chars' && CharSet.all.without(gbnf.set).isEmpty
}

/** The content without the character that a delimiter begins with; undefined if the content needs that character. */
function withoutChar(gbnf: Gbnf, delimiter: string): Gbnf | undefined {
  switch (gbnf.type) {
    case 'literal':
      return gbnf.text.includes(delimiter) ? undefined : gbnf
    case 'chars': {
      const set = gbnf.set.without(CharSet.of(delimiter.charAt(0)))
      return set.isEmpty ? undefined : charsOf(set)
    }
    case 'sequence': {
      const parts = gbnf.of.map((part) => withoutChar(part, delimiter))
      return parts.every((part) => part !== undefined) ? sequence(...parts) : undefined
    }
    case 'choice':
      return choice(gbnf.of.map((part) => withoutChar(part, delimiter)))
    case 'repeat': {
      const of = withoutChar(gbnf.of, delimiter)
      return of && { ...gbnf, of }
    }
    case 'rule':
      return undefined
  }
}

/** Each literal of JSON's in Python's word, and each of Python's in JSON's. */
const otherWords: ReadonlyMap<string, string> = new Map(
  [...pythonLiterals].flatMap(([json, python]) => [
    [json, python],
    [python, json],
  ]),
)

function quotingsOf(
  { python: isPython = false, singleQuotes, rawControls, rawQuotes }: JsonStyle,
  marks: readonly string[],
): Quoting[] {
  const shared = { isPython, marks, ...(rawControls && { isRaw: true }) }
  const own: Quoting = { quote: singleQuotes ? "'" : '"', ...(rawQuotes && { hasRawQuotes: true }), ...shared }
  return singleQuotes ? [own, { quote: '"', ...shared }] : [own]
}

/** Hides marks in the strings of JSON text by writing one character of each as an escape. */
function hideMarks(json: string, marks: readonly HiddenMark[]): string {
  let hidden = json
  for (const { lower, char } of marks) {
    if (!hidden.includes(char) || !hidden.toLowerCase().includes(lower)) continue
    hidden = hidden.replaceAll(char, `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  return hidden
}

interface HiddenMark {
  lower: string
  /** The first of its characters that may be written as an escape. */
  char: string
}

function hiddenMark(mark: string): HiddenMark[] {
  const char = /[<\uff1c]/.exec(mark)?.[0]
  return char === undefined ? [] : [{ lower: mark.toLowerCase(), char }]
}

/** Any word except some, and the character that ends it. */
export function otherWord(
  except: readonly string[],
  word: { first: CharSet; rest: CharSet; end: string; escape?: Gbnf },
  rules: GbnfRules,
): Gbnf {
  const ended = text(word.end)
  const char = choice([charsOf(word.rest), word.escape]) ?? empty
  const tail = rules.add('key-rest', sequence(repeat(char, 0), ended))
  const build = (names: readonly string[], isFirst: boolean): Gbnf => {
    const heads = new Map<string, string[]>()
    for (const name of names) {
      const [head] = [...name]
      if (head !== undefined) heads.set(head, [...(heads.get(head) ?? []), name.slice(head.length)])
    }
    const set = (isFirst ? word.first : word.rest).without(CharSet.of([...heads.keys()].join('')))
    const branches = [...heads]
      .filter(([head]) => (isFirst ? word.first : word.rest).has(head))
      .map(([head, rests]) => sequence(head, build(rests, false)))
    const isName = names.includes('') || isFirst
    const body = choice([
      sequence(charsOf(set), tail),
      word.escape && sequence(word.escape, tail),
      ...branches,
      isName ? undefined : ended,
    ])
    return rules.add('key', body ?? ended)
  }
  return build(rules.keptOut([...new Set(except)]), true)
}
