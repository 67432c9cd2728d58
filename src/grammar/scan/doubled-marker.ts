import type { ModelText } from './model-text.ts'

/** A marker that opens something, as nearly all formats have them: `<tool_call>`, `<|tool_call_begin|>`, `[TOOL_CALLS]`. */
const opener = /<(?![\s/])[^<>\n"'=]{2,64}>|\[[A-Z_]{3,64}\]/y
const blanks = /\s{0,64}/y

/**
 * The length of an opening marker at `at` that is written twice, up to where it comes again: models repeat one when the
 * prompt already ends with it. 0 if the marker is not written twice, `begun` if that needs more text.
 */
export function doubledMarker(source: ModelText, at: number): number | 'begun' {
  const marker = source.match(opener, at)?.[0]
  if (marker === undefined) return 0
  const again = at + marker.length + source.length(blanks, at + marker.length)
  if (source.text.startsWith(marker, again)) return again - at
  const isBegun = !source.isFinal && marker.startsWith(source.text.slice(again))
  return isBegun ? 'begun' : 0
}
