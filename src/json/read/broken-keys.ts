import { matchEnd, maxToken, spaceEnd } from './strings/lexical.ts'

/** A key in double quotes without its closing quote or its colon, and the place after it. */
export interface BrokenKey {
  key: string
  repair: 'missing-quote' | 'missing-colon'
  end: number
}

const opening = /"[\p{L}_$][\p{L}\p{N}_.$-]{0,63}/uy
const literal = /(?:-?\d[\d.]{0,30}|true|false|null|True|False|None)\s{0,16},/y
const brackets = /[[{][\s[{]{0,16}/y

/**
 * Reads a key of one word that its value follows although a mark between the two was left out: `"city: "Paris"` and
 * `"city" "Paris"`. Otherwise everything up to the next quote with a colon would be one key. Undefined if the key is
 * intact, or anything else: in JSON, a colon follows the quote that ends a key.
 */
export function readBrokenKey(text: string, place: number, final: boolean): BrokenKey | 'more' | undefined {
  const word = matchEnd(opening, text, place)
  if (Math.max(word, place + 1) >= text.length && !final) return 'more'
  if (word === place) return undefined
  const key = text.slice(place + 1, word)
  const at = blanksEnd(text, text[word] === '"' ? word + 1 : word, final)
  if (at === 'more') return 'more'
  if (text[word] === '"') {
    return /["{[\d-]/.test(text[at] ?? '') ? { key, repair: 'missing-colon', end: word + 1 } : undefined
  }
  if (text[at] !== ':') return undefined
  const value = blanksEnd(text, at + 1, final)
  const isValue = value === 'more' ? 'more' : beginsValue(text, value, final)
  return isValue === true ? { key, repair: 'missing-quote', end: word } : isValue || undefined
}

/** Returns true if a value begins at `at`: it has a quote that ends no key. */
function beginsValue(text: string, at: number, final: boolean): boolean | 'more' {
  const after = blanksEnd(text, Math.max(matchEnd(literal, text, at), matchEnd(brackets, text, at)), final)
  if (after === 'more') return 'more'
  // A literal may be cut; it is short.
  if (after === at && /[\w.,-]/.test(text.charAt(at))) {
    return !final && /^[\w.-]{1,32}\s{0,16}$/.test(text.slice(at, at + 64)) ? 'more' : false
  }
  if (text[after] !== '"') return false
  const next = blanksEnd(text, after + 1, final)
  return next === 'more' ? 'more' : text[next] !== ':'
}

function blanksEnd(text: string, at: number, final: boolean): number | 'more' {
  const end = spaceEnd(text, at, maxToken)
  return end >= text.length && !final && end - at < maxToken ? 'more' : end
}
