import { isBlank, mayBeAt } from '../../json/index.ts'
import type { ModelText } from './model-text.ts'
import type { Terminal } from './terminal.ts'

/** A marker that opens something, as nearly all formats have them: `<tool_call>`, `<|tool_call_begin|>`, `[TOOL_CALLS]`. */
const opener = /<(?![\s/])[^<>\n"'=]{2,64}>|\[[A-Z_]{3,64}\]/y
/** The most white space before a marker. */
const longestGap = 64

/**
 * The length of an opening marker with which a terminal begins at `at`, if the marker is written twice: up to where it comes again.
 * 0 if it is not, `begun` if that needs more text. `matched` is the text of the terminal there, if it matches.
 */
export function doubledMarker(
  source: ModelText,
  terminal: Terminal,
  at: number,
  matched: string | undefined,
): number | 'begun' {
  const { text } = source
  // Most terminals are not there, and most of those that are there match nothing or something else.
  if (matched === undefined ? !mayBeAt(terminal, text, at) : !endsMarker(matched)) return 0
  const start = blankEnd(text, at)
  const first = text.charAt(start)
  if (first !== '<' && first !== '[') return 0
  const end = matched === undefined ? start + source.length(opener, start) : at + matched.trimEnd().length
  const again = blankEnd(text, end)
  const marker = text.slice(start, end)
  const isDoubled = end > start && text.startsWith(marker, again)
  if (!isDoubled && (source.isFinal || end === start || !marker.startsWith(text.slice(again)))) return 0
  const isOwn =
    matched === undefined ? beginsWith(terminal, text.slice(at, end)) : source.length(opener, start) === end - start
  return !isOwn ? 0 : isDoubled ? again - at : 'begun'
}

/** True if a text ends like a marker, before white space. */
function endsMarker(text: string): boolean {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return end > 0 && '>]'.includes(text.charAt(end - 1))
}

function blankEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && end - at < longestGap && isBlank(text.charCodeAt(end))) end++
  return end
}

/** True if this text is the terminal or a beginning of it, so that its own beginnings were waited for. */
function beginsWith({ begun, whole }: Terminal, text: string): boolean {
  return begun.testAt(text, 0) || whole.execAt(text, 0)?.[0].length === text.length
}
