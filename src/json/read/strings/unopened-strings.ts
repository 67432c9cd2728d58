import { matchEnd, maxToken } from './lexical.ts'

/** A string whose opening delimiter was left out. */
export interface UnopenedString {
  text: string
  /** The place after it, and after its closing delimiter if it has one. */
  end: number
}

/** A value that needs no delimiters, with the character that ends it. */
const literal = /(?:-?[0-9][0-9.eE+-]{0,40}|true|false|null|True|False|None)\s{0,16}[,}\]]/y
const literalBegun = /(?:-?[0-9][0-9.eE+-]{0,40}|[tfnTFN][a-z]{0,4})\s{0,16}$/y
/** Text before a delimiter that opens a string. */
const beforeOpening = /[:,[{(]\s{0,16}$/

/**
 * Reads a value as a string up to its closing delimiter, if one comes that opens no other string, `Paris, France<|"|>`;
 * otherwise up to a comma or a bracket. Gemma 4 leaves out the opening delimiter. Undefined if it is not a string.
 */
export function readUnopened(
  text: string,
  place: number,
  final: boolean,
  delimiter: string,
): UnopenedString | 'more' | undefined {
  if (/[<"'{}[\],]/.test(text.charAt(place)) || matchEnd(literal, text, place) > place) return undefined
  const rest = text.slice(place, place + maxToken)
  const isOpen = !final && rest.length < maxToken
  if (isOpen && matchEnd(literalBegun, text, place) > place) return 'more'
  const close = rest.indexOf(delimiter)
  const bracket = rest.search(/[}\]\n]/)
  const isClosed = close >= 0 && (bracket < 0 || close < bracket) && !beforeOpening.test(rest.slice(0, close))
  if (isClosed) return { text: rest.slice(0, close), end: place + close + delimiter.length }
  if (close < 0 && bracket < 0 && isOpen) return 'more'
  const stop = rest.search(/[,}\]\n]/)
  if (stop < 0) return undefined
  const word = rest.slice(0, stop).trimEnd()
  return /\s/.test(word) && !word.includes('<') ? { text: word, end: place + word.length } : undefined
}
