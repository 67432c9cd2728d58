import type { ModelText } from '../../../grammar/index.ts'
import type { ReplyFormat } from '../format/reply-format.ts'

const blank = /\s{0,64}/y
/** A tag that sounds as if it closed a part of a call. */
const closer =
  /<\/(?:[^\s<>/]{0,24}[:\uff5c|])?(?:tool\w{0,24}|function\w{0,24}|invoke|param(?:eter)?s?|arg(?:ument)?s?|arg_(?:key|value)|calls?)\s{0,8}>/iy
const closerBegun = /<(?:\/[^\s<>/]{0,64}\s{0,8})?$/y

/**
 * The length of a leftover closing marker directly after a call, white space before it included: models
 * write a closing marker twice, or before it one that no format has (`</function_invocation>`, Qwen3.6). Such a foreign
 * tag alone may be text, except if it comes in place of the call's own, after calls that are `isUnclosed`. 0 if there is none, `more` if that needs more text.
 */
export function leftoverCloser(source: ModelText, format: ReplyFormat, isUnclosed: boolean): number | 'more' {
  const { text, place, isFinal } = source
  const at = place + source.length(blank)
  if (at === text.length) return isFinal ? 0 : 'more'
  // A fence around the calls is closed elsewhere.
  if (text[at] === '`') return 0
  // Text that begins a call belongs to that call, and a marker that ends a turn is no leftover.
  const begins = format.beginsBlockAt(text, at, isFinal)
  if (begins === 'begun') return 'more'
  if (begins || format.markerLength(source, at) !== undefined) return 0
  const own = format.closerLength(source, at)
  if (typeof own === 'number' && own > 0) return at - place + own
  const tag = source.match(closer, at)
  if (tag) {
    const after = at + tag[0].length
    if (isUnclosed) return after - place
    const next = ownCloserAfter(source, format, after)
    return next === 'more' ? 'more' : next > 0 ? after - place : 0
  }
  const mayGoOn = own === 'begun' || source.matches(closerBegun, at)
  return mayGoOn && !isFinal ? 'more' : 0
}

function ownCloserAfter(source: ModelText, format: ReplyFormat, at: number): number | 'more' {
  const next = at + source.length(blank, at)
  if (next === source.text.length) return source.isFinal ? 0 : 'more'
  const own = format.closerLength(source, next)
  return own !== 'begun' ? own : source.isFinal ? 0 : 'more'
}
