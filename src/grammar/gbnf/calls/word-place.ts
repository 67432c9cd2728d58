import type { Token } from '../../tree/expression.ts'
import type { Capture, Pattern } from '../../tree/pattern.ts'
import { wholeSource } from '../../tree/pattern-source.ts'

/** All that words are made of, as `\w` has it. */
const wordChars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'

const known = new WeakMap<Token, Map<Capture, number>>()

/**
 * The greatest length up to which the marker reads back any word in the place of the capture `as`; 0 if that depends on
 * the word.
 */
export function longestWord(of: Token, as: Capture): number {
  const places = known.get(of) ?? new Map<Capture, number>()
  known.set(of, places)
  let longest = places.get(as)
  if (longest === undefined) {
    longest = findLongest(of.pattern, as)
    places.set(as, longest)
  }
  return longest
}

/**
 * Finds that length: it is not 0 only if the text before the place and the text that ends it can be no part of a word.
 */
function findLongest(pattern: Pattern, as: Capture): number {
  if (pattern.type !== 'sequence') return 0
  const at = pattern.of.findIndex((part) => part.type === 'capture' && part.as === as)
  const place = pattern.of[at]
  const end = pattern.of[at + 1]
  if (place?.type !== 'capture' || place.of.type !== 'chars' || end?.type !== 'literal' || !/^\W/.test(end.text))
    return 0
  const { min, max } = place.of
  const takesWords = new RegExp(`^${wholeSource({ ...place.of, max: wordChars.length })}$`).test(wordChars)
  return min <= 1 && takesWords && pattern.of.slice(0, at).every(endsBeforeWords) ? max : 0
}

/** True for a part that matches the same text before any word. */
function endsBeforeWords(part: Pattern): boolean {
  switch (part.type) {
    case 'literal':
      return true
    case 'chars':
      return part.set === '\\s'
    case 'not':
      return part.of.type === 'literal' && /^\W/.test(part.of.text)
    default:
      return false
  }
}
