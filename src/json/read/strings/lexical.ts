/** The maximum length of a word, a key or a gap: incomplete ones are read again with each piece. */
export const maxToken = 1000

/** Returns true for the code of white space between tokens, full-width and no-break spaces among it. */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
  return code === 0xa0 || code === 0x3000 || code === 0xfeff
}

/**
 * Returns the end of the white space at `at`, of at most `most` characters. There are two of them for each token, most
 * of them empty or one character long: to compare characters takes a third of the time of an expression.
 */
export function spaceEnd(text: string, at: number, most: number = Number.POSITIVE_INFINITY): number {
  const last = Math.min(text.length, at + most)
  let end = at
  while (end < last && isSpace(text.charCodeAt(end))) end++
  return end
}

const blank = /\s/

/** Returns true for the code of a character that `\s` matches. Nearly all text is ASCII, for which no expression runs. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return blank.test(String.fromCharCode(code))
}

/** Returns the end of a sticky pattern's match at `at`, or `at` if it does not match. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Opening brackets with their closing brackets. */
export const brackets: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
])

/** Python's: a tuple is an array as well. */
export const pythonBrackets: ReadonlyMap<string, string> = new Map([...brackets, ['(', ')']])

/** The full-width twins of JSON's punctuation, which keyboards for Chinese and Japanese write. */
export const wideMarks: ReadonlyMap<string, string> = new Map([
  ['｛', '{'],
  ['｝', '}'],
  ['［', '['],
  ['］', ']'],
  ['：', ':'],
  ['，', ','],
])

/** The first element of a set and the text after it: a key is never followed by a comma or by the end. */
const set = /\{\s{0,16}(?:'(?:[^'\\\n]|\\.){0,200}'|"(?:[^"\\\n]|\\.){0,200}"|-?[0-9][0-9.]{0,40})\s{0,16}[,}]/y
const setBegun =
  /\{\s{0,16}(?:'(?:[^'\\\n]|\\.){0,200}(?:\\|'\s{0,16})?|"(?:[^"\\\n]|\\.){0,200}(?:\\|"\s{0,16})?|-|-?[0-9][0-9.]{0,40}\s{0,16})?$/y

/** Returns true if one of Python's sets begins at `place`, `{'a', 'b'}`, and not a dict: LFM2 writes lists so. */
export function setAt(text: string, place: number, final: boolean): boolean | 'more' {
  if (matchEnd(set, text, place) > place) return true
  return !final && matchEnd(setBegun, text, place) > place ? 'more' : false
}

const closers: ReadonlyMap<string, string> = new Map([
  ['//', '\n'],
  ['/*', '*/'],
  ['#', '\n'],
])

/**
 * A comment that begins at `at`: the length of its opener, and its closer. `more` if that cannot be determined without
 * more text.
 */
export function commentAt(
  text: string,
  at: number,
  final: boolean,
): { length: number; closer: string } | 'more' | undefined {
  const length = text[at] === '#' ? 1 : 2
  const opener = text.slice(at, at + length)
  if (opener.length < length && !final) return 'more'
  const closer = closers.get(opener)
  return closer === undefined ? undefined : { length, closer }
}

/** Returns the end of a comment. `isClosed` is false if the comment continues after `end`. */
export function commentEnd(text: string, at: number, closer: string): { end: number; isClosed: boolean } {
  const found = text.indexOf(closer, at)
  if (found >= 0) return { end: found + closer.length, isClosed: true }
  // Text that may be the beginning of the closer is held back.
  return { end: Math.max(at, text.length - closer.length + 1), isClosed: false }
}
