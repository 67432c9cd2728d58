import { jsonNumber, literalWords, missingWords, repairNumber } from '../../literals.ts'
import type { Repair } from '../../sink.ts'
import { type ClosingMark, markAt } from './closing-marks.ts'
import { matchEnd, maxToken, spaceEnd } from './lexical.ts'
import { isQuote } from './string-kinds.ts'

/** The value of a word without quotes: a literal as JSON text, or otherwise a string. */
export interface BareWord {
  word: string
  literal: string | undefined
  repair: Repair | undefined
  end: number
}

/** The place of a word. */
export interface WordPlace {
  parent: 'top' | 'array' | 'object'
  isPython: boolean
  /** Python's words for literals are as good as JSON's. */
  hasPythonWords: boolean
  /** The marks that close the text around the value. */
  marks: readonly ClosingMark[]
}

const bareWord = /[^\s,:[\]{}"'<，：［］｛｝＂“”]*/y
const pythonWord = /[^\s,:()[\]{}"'<>=*%|^&!;~`]*/y
/** At the top a colon belongs to the word: `at=12:30`. */
const pythonArgument = /[^\s,()[\]{}"'<>=*%|^&!;~`]*/y
const pythonBase = /^[+-]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)$/
const calculation = /^[0-9.]+[+/][0-9.+/-]*$/

/** Reads a value without an opening quote. Returns `stop` if there is no such value at `place`. */
export function readBareWord(
  text: string,
  place: number,
  final: boolean,
  where: WordPlace,
): BareWord | 'more' | 'stop' {
  const isArgument = where.isPython && where.parent === 'top'
  const end = matchEnd(isArgument ? pythonArgument : where.isPython ? pythonWord : bareWord, text, place)
  if (end === place || end - place > maxToken) return 'stop'
  if (end >= text.length && !final) return 'more'
  if (where.parent === 'object' && !where.isPython && ' \t'.includes(text.charAt(end))) {
    const several = readWords(text, place, final)
    if (several) return several
  }
  const word = text.slice(place, end)
  const hasQuote = isQuote(text[end])
  if (hasQuote || isArgument) {
    const after = spaceEnd(text, hasQuote ? end + 1 : end, maxToken)
    if (after >= text.length && !final && after - end < maxToken) return 'more'
    const next = text.charAt(after)
    if (hasQuote) {
      return isUnopened(text.charAt(end), next, where)
        ? { word, literal: undefined, repair: 'missing-quote', end: end + 1 }
        : 'stop'
    }
    // The end of an argument must follow: otherwise it is an expression.
    if (!',)]}'.includes(next)) {
      const isMark = markAt(text, after, final, where.marks)
      if (isMark !== true) return isMark || 'stop'
    }
  }
  const value = wordValue(word, where)
  // At the top a bare word is prose, not a value.
  if (!value || (where.parent === 'top' && !where.isPython && value.literal === undefined)) return 'stop'
  return { word, ...value, end }
}

const words = /[\p{L}][^\s,:[\]{}"'<，：［］｛｝＂“”]*(?:[ \t]{1,4}[^\s,:[\]{}"'<，：［］｛｝＂“”]+){1,30}/uy
const wordsBegun = /[\p{L}][^\s,:[\]{}"'<，：［］｛｝＂“”]*[ \t]{1,4}$/uy
const memberAfter = /,\s{0,16}["'\p{L}_]/uy
const memberAfterBegun = /,\s{0,16}$/uy

/** Reads several words up to the end of the member: a string without quotes. */
function readWords(text: string, place: number, final: boolean): BareWord | 'more' | undefined {
  const end = matchEnd(words, text, place)
  if (end === place) return !final && matchEnd(wordsBegun, text, place) > place ? 'more' : undefined
  if (end - place > maxToken) return undefined
  const hasQuote = text[end] === '"'
  const after = spaceEnd(text, hasQuote ? end + 1 : end, maxToken)
  if (after >= text.length) return final || after - end >= maxToken ? undefined : 'more'
  const isMember = text[after] === '}' || matchEnd(memberAfter, text, after) > after
  if (!isMember) return !final && matchEnd(memberAfterBegun, text, after) > after ? 'more' : undefined
  const repair = hasQuote ? 'missing-quote' : 'bare-string'
  return { word: text.slice(place, end), literal: undefined, repair, end: hasQuote ? end + 1 : end }
}

/**
 * Returns true if a quote directly after a word is the end of a string that was never opened. That is so only directly
 * after a colon and before the end of the member. Elsewhere the quote is usually an unescaped one of an earlier string,
 * and the text cannot be told from JSON.
 */
function isUnopened(quote: string, next: string, where: WordPlace): boolean {
  return where.parent === 'object' && !where.isPython && quote === '"' && ',}'.includes(next)
}

/** A word as a number, a literal or, if it is neither, a string. Undefined if it is an expression. */
function wordValue(
  word: string,
  { isPython, hasPythonWords }: WordPlace,
): Pick<BareWord, 'literal' | 'repair'> | undefined {
  if (jsonNumber.test(word)) return { literal: word, repair: undefined }
  const literal = literalWords.get(word)
  if (literal !== undefined)
    return { literal, repair: literal === word || hasPythonWords ? undefined : 'python-literal' }
  if (missingWords.has(word)) return { literal: 'null', repair: 'no-value' }
  const number = repairNumber(word)
  if (number !== undefined) return { literal: number, repair: isPython ? undefined : 'number-form' }
  if (isPython && pythonBase.test(word)) return { literal: fromBase(word), repair: undefined }
  if (isPython && (calculation.test(word) || word.includes('+'))) return undefined
  return { literal: undefined, repair: 'bare-string' }
}

function fromBase(word: string): string {
  const isNegative = word.startsWith('-')
  const value = BigInt(word.replace(/^[+-]/, '').replaceAll('_', '').toLowerCase())
  return `${isNegative ? '-' : ''}${value}`
}
