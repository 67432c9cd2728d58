import { matchEnd } from './scan.ts'

/** The first element of a set with what stands behind it: no key is followed by a comma, or by the end. */
const set = /\{\s{0,16}(?:'(?:[^'\\\n]|\\.){0,200}'|"(?:[^"\\\n]|\\.){0,200}"|-?[0-9][0-9.]{0,40})\s{0,16}[,}]/y
const setBegun =
  /\{\s{0,16}(?:'(?:[^'\\\n]|\\.){0,200}(?:\\|'\s{0,16})?|"(?:[^"\\\n]|\\.){0,200}(?:\\|"\s{0,16})?|-|-?[0-9][0-9.]{0,40}\s{0,16})?$/y

/** Whether one of Python's sets begins at `place`, `{'a', 'b'}`, and no dict: LFM2 writes lists so. */
export function setAt(text: string, place: number, final: boolean): boolean | 'more' {
  if (matchEnd(set, text, place) > place) return true
  return !final && matchEnd(setBegun, text, place) > place ? 'more' : false
}
