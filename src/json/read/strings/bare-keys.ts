import { matchEnd, maxToken, spaceEnd } from './lexical.ts'

const bareKey = /[\p{L}_$@][\p{L}\p{N}_$.-]*|[0-9]+/uy

/** Anything up to a colon that no JSON ends at. */
const spacedKey = /[^\s=:{}[\],"'<>`][^=:{}[\],"'<>`\n]{0,199}/y
const longestSpacedKey = 200

/** A key without quotes, or with a closing quote only. */
export interface BareKey {
  key: string
  end: number
  hasQuote: boolean
  isNumber: boolean
}

/** Reads a key without an opening quote. Returns `stop` if there is no key at `place`. */
export function readBareKey(text: string, place: number, final: boolean): BareKey | 'more' | 'stop' {
  const end = matchEnd(bareKey, text, place)
  if (end === place || end - place > maxToken) return 'stop'
  if (end >= text.length && !final) return 'more'
  const hasQuote = text[end] === '"'
  const isNumber = /[0-9]/.test(text.charAt(place))
  const afterKey = hasQuote ? end + 1 : end
  if (hasQuote || isNumber) {
    // Only a colon after it shows that this is a key.
    const after = spaceEnd(text, afterKey, maxToken)
    if (after >= text.length && !final && after - end < maxToken) return 'more'
    const next = text[after]
    if (next !== ':' && next !== '：') return 'stop'
  }
  return { key: text.slice(place, end), end: afterKey, hasQuote, isNumber }
}

/**
 * Reads a key without quotes that has blanks and signs in it, as formats with delimiters write any key (`{Basic LLM Chain:…}`): only the
 * colon after it shows that it is a key.
 */
export function readSpacedKey(text: string, place: number, final: boolean): BareKey | 'more' | 'stop' {
  const end = matchEnd(spacedKey, text, place)
  if (end >= text.length && end - place < longestSpacedKey && !final) return 'more'
  if (end === place || text[end] !== ':') return 'stop'
  return { key: text.slice(place, end).trimEnd(), end, hasQuote: false, isNumber: false }
}

/** Returns true if a key without quotes, with its colon, begins at `place`. */
export function bareKeyAt(text: string, place: number, final: boolean): boolean | 'more' {
  const found = readBareKey(text, place, final)
  if (typeof found === 'string') return found === 'more' ? 'more' : false
  const after = spaceEnd(text, found.end, maxToken)
  if (after >= text.length) return final ? false : after - found.end < maxToken ? 'more' : false
  return text[after] === ':'
}
