import { matchEnd } from './lexical.ts'

const opening = /\[[ \t\r\n]{0,100}(?=\{)/y
const empty = /\[[ \t\r\n]{0,100}\]/y
const openingBegun = /\[[ \t\r\n]{0,100}$/y
const closing = /\}[ \t\r\n]{0,100}\]/y
const closingBegun = /\}[ \t\r\n]{0,100}$/y

/** A list in an object's place: the place of the object in it, or that behind a list of nothing, as PHP writes `{}`. */
export type ListedObject = { object: number } | { after: number }

/** Whether a list that begins at `place` holds an object, or nothing. */
export function listedObjectAt(text: string, place: number, final: boolean): ListedObject | 'more' | undefined {
  const object = matchEnd(opening, text, place)
  if (object > place) return { object }
  const after = matchEnd(empty, text, place)
  if (after > place) return { after }
  return !final && matchEnd(openingBegun, text, place) > place ? 'more' : undefined
}

/** The place behind the list's end, where the brace at `place` ends its one object; undefined where more follows in the list. */
export function listedObjectEnd(text: string, place: number, final: boolean): number | 'more' | undefined {
  const end = matchEnd(closing, text, place)
  if (end > place) return end
  return !final && matchEnd(closingBegun, text, place) > place ? 'more' : undefined
}
