import type { ModelText } from '../../../grammar/index.ts'
import { isBlank } from '../../../json/index.ts'
import type { ReplyFormat } from '../format/reply-format.ts'

/** Calls of more text than this are not looked for a second time. */
export const longestRepeated = 2048
const blank = /\s{0,64}/y
const opening = /^[[{]/

/**
 * The length of what repeats the calls that were just read, white space before it included: LFM2 writes its list once between its
 * markers and once without them, in either order, and models write the opening marker where the closing one belongs. `calls` is the
 * text of those calls, with their markers. 0 if nothing repeats them, `more` if that needs more text.
 */
export function repeatedCalls(source: ModelText, format: ReplyFormat, calls: string): number | 'more' {
  const { text, place, isFinal } = source
  const at = place + source.length(blank)
  const rest = text.slice(at)
  if (rest === '') return isFinal ? 0 : 'more'
  // More white space is text.
  if (isBlank(text.charCodeAt(at))) return 0
  if (!isList(calls)) {
    if (!source.isCut && isOpenerOf(rest.trim(), calls, format)) return isFinal ? text.length - place : 'more'
    return opening.test(rest) ? repeats(rest, listIn(calls), isFinal, at - place) : 0
  }
  const marker = format.callMarkerLength(text, at)
  if (marker === 0) return 0
  const start = at + marker
  const inner = start + source.length(blank, start)
  return repeats(text.slice(inner), calls, isFinal, inner - place)
}

/** True if the text of the calls is a list or an object without markers. */
function isList(calls: string): boolean {
  return opening.test(calls) && (calls.endsWith(']') || calls.endsWith('}'))
}

function repeats(text: string, list: string, isFinal: boolean, before: number): number | 'more' {
  if (list === '') return 0
  if (text.startsWith(list)) return before + list.length
  return !isFinal && list.startsWith(text) ? 'more' : 0
}

/** True if the text is the marker that opens the calls. */
function isOpenerOf(text: string, calls: string, format: ReplyFormat): boolean {
  if (text === '' || !calls.startsWith(text)) return false
  const marker = calls.slice(0, format.callMarkerLength(calls, 0)).trim()
  // The search for a tag ends after its name.
  return text === marker || text === `${marker}>`
}

/** The list or the object in the text of calls; empty without one. */
function listIn(calls: string): string {
  const start = calls.search(/[[{]/)
  const end = Math.max(calls.lastIndexOf(']'), calls.lastIndexOf('}'))
  return start < 0 || end < start ? '' : calls.slice(start, end + 1)
}
