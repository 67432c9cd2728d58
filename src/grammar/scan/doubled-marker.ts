import type { ModelText } from './model-text.ts'
import type { Terminal } from './terminal.ts'

/** A marker that opens something, as nearly all formats have them: `<tool_call>`, `<|tool_call_begin|>`, `[TOOL_CALLS]`. */
const opener = /\s{0,64}(<(?![\s/])[^<>\n"'=]{2,64}>|\[[A-Z_]{3,64}\])/y
const blanks = /\s{0,64}/y

/**
 * The length of an opening marker with which a terminal begins at `at`, if the marker is written twice: up to where it comes again.
 * 0 if it is not, `begun` if that needs more text. `matched` is the text of the terminal there, empty if it does not match.
 */
export function doubledMarker(source: ModelText, terminal: Terminal, at: number, matched: string): number | 'begun' {
  const { text } = source
  const own = matched.trimEnd()
  // Most markers are followed by something else: two characters tell.
  if (matched !== '' && !mayComeAgain(source, at, own)) return 0
  const found = source.match(opener, at)
  const marker = found?.[1]
  if (!found || marker === undefined) return 0
  const end = at + found[0].length
  const again = end + source.length(blanks, end)
  const isDoubled = text.startsWith(marker, again)
  if (!isDoubled && (source.isFinal || !marker.startsWith(text.slice(again)))) return 0
  if (matched === '' ? !beginsWith(terminal, found[0]) : own !== found[0]) return 0
  return isDoubled ? again - at : 'begun'
}

/** False if the first characters after a marker are not those with which a marker begins. */
function mayComeAgain({ text, isFinal }: ModelText, at: number, marker: string): boolean {
  const last = marker.charAt(marker.length - 1)
  if (last !== '>' && last !== ']') return false
  let next = at + marker.length
  while (text.charAt(next).trim() === '' && next < text.length) next++
  if (next === text.length) return !isFinal
  const first = text.charAt(next)
  if (first !== '<' && first !== '[') return false
  const start = marker.length - marker.trimStart().length
  return next + 1 === text.length || text.charAt(next + 1) === marker.charAt(start + 1)
}

/** True if this text is the terminal or a beginning of it, so that its own beginnings were waited for. */
function beginsWith({ begun, whole }: Terminal, text: string): boolean {
  return begun.testAt(text, 0) || whole.execAt(text, 0)?.[0].length === text.length
}
