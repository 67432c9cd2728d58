import type { ModelText } from '../../../grammar/index.ts'
import { isBlank } from '../../../json/index.ts'

/** White space alone between markers is the format's; more of it than this is text. */
export const longestGap = 64
/** Sticky: white space, and one character more than a gap has. */
export const gapPattern: RegExp = new RegExp(`\\s{0,${longestGap + 1}}`, 'y')

/**
 * The offset up to which text that ends at `limit` is taken: the white space before `limit` is the marker's, if a
 * marker follows.
 */
export function trimmedEnd({ text, place }: ModelText, limit: number): number {
  // If a run is longer than a gap, only its end is held back.
  const first = Math.max(place, limit - longestGap)
  let end = limit
  while (end > first && isBlank(text.charCodeAt(end - 1))) end--
  return end
}
