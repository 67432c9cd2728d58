/** How long a word, a key or a gap may be: they are looked at again with each piece until they end. */
export const maxToken = 1000

/** White space, full-width and no-break spaces among it. */
export const space: RegExp = /[ \t\r\n\u00a0\u3000\ufeff]*/y
export const shortSpace: RegExp = /[ \t\r\n\u00a0\u3000\ufeff]{0,1000}/y

/** Where the match of a sticky pattern that begins at `at` ends; `at` when there is none. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
