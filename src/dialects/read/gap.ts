import type { ModelText } from '../../grammar/index.ts'

/** White space alone between markers is the format's; more of it than this is text. */
export const longestGap = 64
/** Sticky: white space, and one character more than a gap has. */
export const gap: RegExp = new RegExp(`\\s{0,${longestGap + 1}}`, 'y')

/** Up to where text is taken whose end is at `limit`: the white space there is the marker's, if a marker follows. */
export function trimmedEnd({ text, place }: ModelText, limit: number): number {
  // Of a run that is longer than a gap only its end waits.
  const first = Math.max(place, limit - longestGap)
  let end = limit
  while (end > first && isBlank(text.charCodeAt(end - 1))) end--
  return end
}

function isBlank(code: number): boolean {
  // Most text ends with a letter of ASCII, of which a glance tells.
  return code <= 0x20 || code >= 0x80 ? /\s/.test(String.fromCharCode(code)) : false
}
