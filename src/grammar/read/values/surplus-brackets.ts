import type { CallSink } from '../../scan/call-sink.ts'
import type { ModelText } from '../../scan/model-text.ts'
import type { Terminal } from '../../scan/terminal.ts'

/** Surplus brackets at the end are the most common mistake in nested JSON; this many are examined with each piece. */
const longest = 64
const brackets = new RegExp(`[\\s}\\]]{0,${longest}}`, 'y')

/**
 * Consumes surplus closing brackets after complete JSON, if the text after them can follow the JSON. `isBare`: no
 * marker closes the JSON, so its line must end after them. Returns `more` if that depends on more text.
 */
export function takeSurplus(
  source: ModelText,
  sink: CallSink,
  isBare: boolean,
  follow: readonly Terminal[],
): 'more' | undefined {
  const length = source.length(brackets)
  const at = source.place + length
  const isAtEnd = at === source.text.length
  const surplus = source.text.slice(source.place, at).trimEnd()
  if (isAtEnd && !source.isFinal && length < longest) return 'more'
  if (!/[}\]]/.test(surplus)) return undefined
  const found = follow.map((terminal) => source.terminalAt(terminal, at))
  if (found.includes('begun')) return 'more'
  const isFollowed = found.some((one) => one && (!isBare || one[0].trim() !== ''))
  const isProven = isFollowed || (isBare && (isAtEnd || source.text.slice(source.place, at).endsWith('\n')))
  if (!isProven && !(isAtEnd && source.isFinal)) return undefined
  sink.notice('repaired', 'Repaired in the call: a closing bracket too many.', source.offset)
  source.take(source.place + surplus.length, 'repaired')
  return undefined
}
