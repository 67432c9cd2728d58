import type { Token } from '../../tree/expression.ts'
import type { Capture, Pattern } from '../../tree/pattern.ts'
import { wholeSource } from '../../tree/pattern-source.ts'

/** All that words are made of, as `\w` has it. */
const wordChars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'

const known = new WeakMap<Token, Map<Capture, number>>()

/**
 * How long a word may be that a marker captures, so that any such word is read back from it whatever it says; 0 where
 * that depends on the word.
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

/** Where what stands before the place and what ends it are sure to be no part of a word. */
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

/** True for what takes the same before any word. */
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
