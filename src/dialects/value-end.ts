import type { ModelText } from './model-text.ts'
import type { Tag } from './tags.ts'

/** The tags around values in a tagged format. */
export interface ValueTags {
  callOpen: Tag
  callClose: Tag
  parameterOpen: Tag
  parameterClose: Tag
  /** Finds how the closing tag of an argument or of a call begins. */
  closer: RegExp
}

/** Where a value ends, as far as the text tells. `start` is the place up to which the text is surely the value's. */
export type ValueEnd =
  | { type: 'found'; start: number /** Where what is behind the value begins. */; resume: number }
  | { type: 'undecided'; start: number }
  | { type: 'none'; start: number }

/** White space behind a closing tag that is long enough to prove that it closes. */
const longestGap = 200
const gap = new RegExp(`\\s{0,${longestGap}}`, 'y')

/**
 * Finds the end of the value that stands at the source's place. A closing tag inside a value is data: the one that ends
 * it is followed by what can follow an argument. Where the argument's own was forgotten, the call's ends it too.
 */
export function findValueEnd(source: ModelText, tags: ValueTags): ValueEnd {
  for (let found = source.match(tags.closer); found; found = source.match(tags.closer, found.index + 1)) {
    const start = found.index
    const parameter = source.tagAt(tags.parameterClose, start)
    const close = parameter ?? source.tagAt(tags.callClose, start)
    if (close === 'begun') return { type: 'undecided', start }
    if (!close) continue
    const behind = start + close[0].length
    const follows = parameter
      ? mayFollow(source, behind, [tags.parameterOpen, tags.callClose, tags.callOpen])
      : mayFollow(source, behind, [tags.callOpen])
    if (follows === 'begun') return { type: 'undecided', start }
    // The call's closing tag is left for the call.
    if (follows) return { type: 'found', start, resume: parameter ? behind : start }
  }
  return { type: 'none', start: source.held([tags.parameterClose.literal, tags.callClose.literal]) }
}

/** Whether one of the tags stands at `at`, behind white space, or nothing does. */
function mayFollow(source: ModelText, at: number, tags: readonly Tag[]): boolean | 'begun' {
  const length = source.length(gap, at)
  const place = at + length
  if (length === longestGap) return true
  if (place === source.text.length) return source.isFinal ? true : 'begun'
  const found = tags.map((tag) => source.tagAt(tag, place))
  if (found.some((tag) => tag && tag !== 'begun')) return true
  return found.includes('begun') ? 'begun' : false
}
