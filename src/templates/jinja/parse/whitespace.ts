/**
 * White space as `str.isspace` in Python has it: JavaScript's `\s` leaves out the separators U+001C to U+001F and U+0085, and has
 * U+FEFF too much.
 */
export const whitespaceClass = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const single = new RegExp(`[${whitespaceClass}]`)

export function isWhitespace(text: string): boolean {
  for (const character of text) if (!single.test(character)) return false
  return text !== ''
}

/** Not by a pattern: one that looks for the last white space tries each run of it, which takes time squared on long runs. */
export function trimEnd(text: string, isTrimmed: (character: string) => boolean = isWhitespaceUnit): string {
  let end = text.length
  while (end > 0 && isTrimmed(text[end - 1] ?? '')) end--
  return end === text.length ? text : text.slice(0, end)
}

export function trimStart(text: string, isTrimmed: (character: string) => boolean = isWhitespaceUnit): string {
  let start = 0
  while (start < text.length && isTrimmed(text[start] ?? '')) start++
  return start === 0 ? text : text.slice(start)
}

function isWhitespaceUnit(character: string): boolean {
  return character === ' ' || character === '\n' || (character !== '' && single.test(character))
}
