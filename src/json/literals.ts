/** A number as JSON writes it. */
export const jsonNumber: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Words for JSON literals: JSON's own and Python's. */
export const literalWords: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** Words that JavaScript and Python write for values that JSON cannot express. */
export const missingWords: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity', '-Infinity', '+Infinity'])

/** Forms of numbers that models write and JSON does not have: `+5`, `.5`, `5.`, `1_000`. Undefined for other words. */
export function repairNumber(word: string): string | undefined {
  if (!/^[+-]?[0-9._eE+-]+$/.test(word) || !/[0-9]/.test(word)) return undefined
  const repaired = word
    .replace(/^\+/, '')
    .replace(/(?<=[0-9])_(?=[0-9])/g, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  return jsonNumber.test(repaired) ? repaired : undefined
}

/** The number of characters that are escaped or read at once: in pieces it takes half the time, as no large text is copied. */
const pieceSize = 64 * 1024

/** Text as the content of a JSON string. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Gives a sink the text as the content of a JSON string. A large text comes in pieces, none of which ends between the
 * halves of a surrogate pair: escaped as a whole it is copied once more, and 1 MB takes four times as long.
 */
export function writeEscaped(text: string, sink: { stringPiece(json: string): void }): void {
  let at = 0
  do {
    const end = at + pieceSize
    const whole = end < text.length && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end
    sink.stringPiece(escapeText(text.slice(at, whole)))
    at = whole
  } while (at < text.length)
}

/** Returns true for the first half of a surrogate pair. */
export function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** A character that `escapeText` escapes, or an escape that it does not write or may not write. */
const otherEscape = /[\u0000-\u001f\ud800-\udfff]|(?<!\\)(?:\\\\)*\\[^"\\bfnrt]/u

/** Returns true if `escapeText` returns this content of a JSON string, given without its quotes, for some text. */
export function isEscapedText(json: string): boolean {
  return !otherEscape.test(json)
}

/** Returns the text that the content of a JSON string encodes. */
export function unescapeJson(json: string): string {
  if (!json.includes('\\')) return json
  let text = ''
  for (let at = 0; at < json.length; ) {
    const end = endOfPiece(json, at)
    text += String(JSON.parse(`"${json.slice(at, end)}"`))
    at = end
  }
  return text
}

/** The end of a piece that begins at `at`, between two escapes: one is six characters long at most. */
function endOfPiece(json: string, at: number): number {
  const end = at + pieceSize
  if (end >= json.length) return json.length
  for (let mark = end - 1; mark > end - 6; mark--) {
    if (json[mark] !== '\\') continue
    let first = mark
    while (first > at && json[first - 1] === '\\') first--
    // An even number of backslashes escapes itself.
    if ((mark - first) % 2 === 1) return end
    return mark + (json[mark + 1] === 'u' ? 6 : 2) > end ? mark : end
  }
  return end
}
