import { charsOf, choice, type Gbnf, optional, repeat, sequence, text, withoutPrefix } from '../gbnf/gbnf.ts'
import type { GbnfRules } from '../gbnf/rules.ts'
import { textUntil } from '../gbnf/until/until.ts'
import { CharSet } from '../regex/chars.ts'
import { isNameLike, type ReasoningShape, type ReplyShape } from './shape.ts'

/** White space around a marker: models write a line break or two. */
const longestGap = 8
const gapChars = ' \t\n'
/** The same as a regular expression. */
export const gapSource: string = `[ \\t\\n]{0,${longestGap}}`
/** The white space that must follow some markers, as a regular expression. */
export const neededGapSource = '[ \\t\\n]'

const fence = '```'
/** Texts that make an example of the text after them: fences, and elements that show text literally. */
const shows = [fence, '~~~', '<!--', ...['pre', 'code', 'samp', 'kbd', 'xmp', 'listing'].map((name) => `<${name}`)]
/** The beginnings of tool results: a model that continues past its calls invents them. */
const results = ['<tool_res', '<ccx_res']
/** Marks that quote, or may quote, the rest of their line. */
const quotes = [...'`>"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f']
/** Quotation marks and apostrophes that quote only the text directly after them. */
const singleQuotes = [..."'\u2018\u2019\u201a\u2039\u203a"]
/** With these, and any white space before them, begin calls that are JSON. */
const brackets = '{[\uff5b\uff3b'
const blanks = ' \t\r\u000b\f\u00a0\u3000\ufeff\u2028\u2029'

const anyGap = repeat(charsOf(gapChars), 0, longestGap)

export function gapRule(rules: GbnfRules): Gbnf {
  return rules.addFixed('gap', anyGap)
}

/** The white space that must follow a marker of a shape. */
export function neededGap(shape: ReplyShape, marker: string): Gbnf {
  return isNameLike(shape, marker) ? charsOf(gapChars) : text('')
}

/** Reasoning with its closing marker: from its opening marker on, or from the end of the prompt. */
export function reasoningText(
  shape: ReplyShape,
  { open, close, isOpen, isOff }: ReasoningShape,
  marks: readonly string[],
  rules: GbnfRules,
): Gbnf {
  const end = neededGap(shape, close)
  if (isOff) return sequence(gapRule(rules), close, end)
  const beginning = isOpen ? '' : sequence(open, neededGap(shape, open))
  return sequence(beginning, textWith(close, marks, rules), end)
}

function textWith(closer: string, marks: readonly string[], rules: GbnfRules, isLineStart: boolean = false): Gbnf {
  return textUntil({ closer, marks: [...new Set([closer, ...marks])], isLineStart, not: [] }, rules)
}

/** The place of text before calls. */
export interface TextBefore {
  /** The texts around it: the opening, with the white space that must follow, and the closing text. */
  wrapping: { open: Gbnf; close: string } | undefined
  /** The beginning of calls. */
  word: string
  callsBeginLine: boolean
  marks: readonly string[]
}

/**
 * Calls with text before them, or without. The text leaves no doubt that they are meant: no fence is open, and nothing on
 * their line quotes them.
 */
export function withTextBefore(calls: Gbnf, before: TextBefore, rules: GbnfRules): Gbnf {
  const { wrapping, marks } = before
  if (wrapping && wrapping.close !== '') {
    const inside = sequence(linesOf('', marks, rules), lastLine(wrapping.close, marks, rules), gapRule(rules))
    return sequence(optional(rules.add('text-before', sequence(wrapping.open, inside))), calls)
  }
  const whole = textUpToCalls(calls, before, rules)
  return wrapping ? (choice([sequence(wrapping.open, whole), calls]) ?? calls) : whole
}

function textUpToCalls(calls: Gbnf, { word, callsBeginLine, marks }: TextBefore, rules: GbnfRules): Gbnf {
  if (callsBeginLine) return sequence(linesOf(word, marks, rules), gapRule(rules), calls)
  const rest = withoutPrefix(calls, word.length, rules.all)
  const all = [...new Set([word, ...marks])]
  return sequence(linesOf('', all, rules), lastLine(word, all, rules), rest)
}

/** Any number of complete lines and of closed code blocks, none of which begins like `word`. */
function linesOf(word: string, marks: readonly string[], rules: GbnfRules): Gbnf {
  const all = [...marks, ...shows, ...results]
  const line = word === '' ? textWith('\n', all, rules) : lineWithout(word, '\n', all, rules)
  const language = repeat(charsOf(CharSet.range('a', 'z').or(CharSet.of('+#-_.'))), 0, 20)
  const content = repeat(textWith('\n', [...marks, fence], rules), 0)
  const block = rules.add('code-block', sequence(fence, language, '\n', content, `${fence}\n`))
  return repeat(rules.add('text-line', choice([line, block]) ?? line), 0)
}

/** Any text without a line that begins like `word`. */
export function textOfLines(word: string, marks: readonly string[], rules: GbnfRules): Gbnf {
  const line = rules.add('text-line', lineWithout(word, '\n', marks, rules))
  return sequence(repeat(line, 0), lineWithout(word, '', marks, rules))
}

function lineWithout(word: string, end: string, marks: readonly string[], rules: GbnfRules): Gbnf {
  const [first = ''] = [...word]
  const starts = brackets.includes(first) ? [...brackets] : [first]
  const heads = [...starts, ...blanks].map((char) => `\n${char}`)
  const ends = end === '' ? ['\n'] : []
  const rest = textUntil(
    { closer: end, marks: [end, ...ends, ...marks, ...heads].filter(isMark), isLineStart: true, not: [] },
    rules,
  )
  return sequence(repeat(charsOf(' \t'), 0, longestGap), rest)
}

function isMark(mark: string, at: number, all: readonly string[]): boolean {
  return mark !== '' && all.indexOf(mark) === at
}

/** The line of the first call, up to the call. */
function lastLine(closer: string, marks: readonly string[], rules: GbnfRules): Gbnf {
  const [first = ''] = [...closer]
  // The bracket of a tag may be doubled, and wide.
  const firsts = first === '<' ? ['<', '\uff1c', '\u3008'] : [first]
  const quoting = [...quotes, ...singleQuotes.flatMap((quote) => firsts.map((one) => quote + one))]
  return textWith(closer, [...marks, ...shows, ...results, ...quoting, '\n'], rules)
}
