/**
 * Letters of other alphabets that look like Latin ones: models that drift from their format write them in a marker's
 * name (DeepSeek V4).
 */
const alphabets: Readonly<Record<string, string>> = {
  a: '\u0430\u0251',
  c: '\u0441',
  d: '\u0501',
  e: '\u0435',
  i: '\u0456\u03b9',
  k: '\u043a\u03ba',
  l: '\u04cf',
  m: '\u043c\u03bc',
  n: '\u03b7',
  o: '\u043e\u03bf',
  p: '\u0440\u03c1',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  v: '\u0475\u03bd',
}
/** From an ASCII character to its full-width form. */
const toFullWidth = 0xfee0

/** Returns the source for a character of a name in any alphabet, for case-insensitive matching. */
export function lookAlike(char: string): string {
  const fullWidth = String.fromCharCode(char.charCodeAt(0) + toFullWidth)
  return /[\w]/.test(char) ? `[${char}${fullWidth}${alphabets[char.toLowerCase()] ?? ''}]` : char
}

/** Returns the source for a word in any alphabet. */
export function lookAlikes(word: string): string {
  return [...word].map(lookAlike).join('')
}
