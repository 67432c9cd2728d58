import { matchEnd } from './strings/lexical.ts'

const opening = /\[[ \t\r\n]{0,100}(?=\{)/y
const empty = /\[[ \t\r\n]{0,100}\]/y
const openingBegun = /\[[ \t\r\n]{0,100}$/y
const closing = /\}[ \t\r\n]{0,100}\]/y
const closingBegun = /\}[ \t\r\n]{0,100}$/y

/**
 * A list in place of an object: the place of the object in it, or the place after an empty list, which PHP writes for
 * `{}`.
 */
export type ListedObject = { object: number } | { after: number }

/** Returns the place of the object if a list that begins at `place` contains an object or is empty. */
export function listedObjectAt(text: string, place: number, final: boolean): ListedObject | 'more' | undefined {
  const object = matchEnd(opening, text, place)
  if (object > place) return { object }
  const after = matchEnd(empty, text, place)
  if (after > place) return { after }
  return !final && matchEnd(openingBegun, text, place) > place ? 'more' : undefined
}

/**
 * Returns the place after the end of a list if the brace at `place` ends its only object. Undefined if the list
 * continues.
 */
export function listedObjectEnd(text: string, place: number, final: boolean): number | 'more' | undefined {
  const end = matchEnd(closing, text, place)
  if (end > place) return end
  return !final && matchEnd(closingBegun, text, place) > place ? 'more' : undefined
}
