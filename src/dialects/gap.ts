import type { ModelText } from '../grammar/index.ts'

/** White space alone between markers is the format's; more of it than this is text. */
export const longestGap = 64
/** Sticky: white space, and one character more than a gap has. */
export const gap: RegExp = new RegExp(`\\s{0,${longestGap + 1}}`, 'y')

/** Takes text up to `limit`, without a line break at its end: if a marker follows, it is the marker's. */
export function takeTrimmed(source: ModelText, limit: number, role: 'text' | 'reasoning', mayGoOn: boolean): string {
  const isOver = source.isFinal && mayGoOn
  const hasBreak = !isOver && limit > source.place && source.text[limit - 1] === '\n'
  return source.take(hasBreak ? limit - 1 : limit, role)
}
