import type { ModelText } from './model-text.ts'
import type { Terminal } from './terminal.ts'

/** A marker that opens something, as nearly all formats have them: `<tool_call>`, `<|tool_call_begin|>`, `[TOOL_CALLS]`. */
const opener = /\s{0,64}(<(?![\s/])[^<>\n"'=]{2,64}>|\[[A-Z_]{3,64}\])/y
const blanks = /\s{0,64}/y

/**
 * The length of an opening marker with which a terminal begins at `at`, if the marker is written twice: up to where it comes again.
 * 0 if it is not, `begun` if that needs more text.
 */
export function doubledMarker(source: ModelText, terminal: Terminal, at: number): number | 'begun' {
  const { text } = source
  const found = source.match(opener, at)
  const marker = found?.[1]
  if (!found || marker === undefined) return 0
  const end = at + found[0].length
  const again = end + source.length(blanks, end)
  const isDoubled = text.startsWith(marker, again)
  if (!isDoubled && (source.isFinal || !marker.startsWith(text.slice(again)))) return 0
  if (!beginsWith(terminal, found[0])) return 0
  return isDoubled ? again - at : 'begun'
}

/** True if this text is the terminal or a beginning of it, so that its own beginnings were waited for. */
function beginsWith({ begun, whole }: Terminal, text: string): boolean {
  return begun.testAt(text, 0) || whole.execAt(text, 0)?.[0].length === text.length
}
