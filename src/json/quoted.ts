/**
 * Returns the place after the JSON string that begins with the quote at `at`; -1 if nothing closes it. An expression for it would keep a
 * state for each character, and fail with a `RangeError` on a string of some million.
 *
 * @example
 * quotedEnd('["a\\"b", 1]', 1) // 7
 */
export function quotedEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text[before] === '\\') before--
    // An even number of backslashes escapes itself.
    if ((end - before) % 2 === 1) return end + 1
  }
  return -1
}

/**
 * Returns a JSON text in which the content of each string, names included, is changed. What is no string stays as it is.
 *
 * @example
 * mapStrings('{"a":["b"]}', (content) => content.toUpperCase()) // '{"A":["B"]}'
 */
export function mapStrings(json: string, change: (content: string) => string): string {
  let changed = ''
  // The place up to which the text was copied: unchanged text is not cut and joined again.
  let taken = 0
  let at = 0
  for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', at)) {
    const end = quotedEnd(json, quote)
    if (end < 0) break
    const content = json.slice(quote + 1, end - 1)
    const other = change(content)
    if (other !== content) {
      changed += `${json.slice(taken, quote)}"${other}"`
      taken = end
    }
    at = end
  }
  return taken === 0 ? json : changed + json.slice(taken)
}
