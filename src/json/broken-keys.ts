import { matchEnd } from './scan.ts'

/** A key in double quotes that lacks its closing quote or its colon, and the place behind it. */
export interface BrokenKey {
  key: string
  repair: 'missing-quote' | 'missing-colon'
  end: number
}

const longestBlank = 16
const opening = /"[\p{L}_$][\p{L}\p{N}_.$-]{0,63}/uy
const blank = /\s{0,16}/y
const literal = /(?:-?\d[\d.]{0,30}|true|false|null|True|False|None)\s{0,16}/y

/**
 * Reads a key that is one word and is followed by its value, though a mark between the two was left out: `"city: "Paris"`
 * and `"city" "Paris"`. Read on to a quote with a colon, all up to the next key would be one. Undefined where the key
 * is as it should be, or anything else.
 */
export function readBrokenKey(text: string, place: number, final: boolean): BrokenKey | 'more' | undefined {
  const isEnd = (at: number) => at >= text.length && !final
  const word = matchEnd(opening, text, place)
  if (isEnd(Math.max(word, place + 1))) return 'more'
  if (word === place) return undefined
  const key = text.slice(place + 1, word)
  if (text[word] === '"') {
    const at = matchEnd(blank, text, word + 1)
    if (isEnd(at) && at - word <= longestBlank) return 'more'
    return '"{['.includes(text[at] ?? ' ') ? { key, repair: 'missing-colon', end: word + 1 } : undefined
  }
  const colon = matchEnd(blank, text, word)
  if (isEnd(colon)) return 'more'
  if (text[colon] !== ':') return undefined
  const value = beginsValue(text, matchEnd(blank, text, colon + 1), final)
  return value === true ? { key, repair: 'missing-quote', end: word } : value === 'more' ? 'more' : undefined
}

/** Whether a value begins at a place that may as well be within a key that has a colon in it. */
function beginsValue(text: string, at: number, final: boolean): boolean | 'more' {
  if (at >= text.length) return final ? false : 'more'
  const char = text.charAt(at)
  if (char === '{' || char === '[') return true
  const behind = char === '"' ? matchEnd(blank, text, at + 1) : matchEnd(literal, text, at)
  if (behind >= text.length && !final) return 'more'
  if (char === '"') return text[behind] !== ':'
  return behind > at && ',}'.includes(text[behind] ?? ' ')
}
