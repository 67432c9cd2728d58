// @ts-check

/** @import { Random } from './types.ts' */

/** Texts up to this length are cut in two at every place. */
const shortText = 240

/**
 * @param {string} text
 * @returns {string[]}
 */
export function singleUnits(text) {
  return text.split('')
}

/**
 * @param {string} text
 * @param {Random} random
 */
export function randomPieces(text, random) {
  const longest = random.pick([2, 6, 20, 80])
  const pieces = []
  for (let start = 0; start < text.length; ) {
    const end = start + random.int(longest + 1)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/**
 * Every way to cut a text in two, and pieces of one length each: what depends on the pieces shows in one of these.
 * @param {string} text
 * @returns {string[][]}
 */
export function allSplits(text) {
  const sizes = [1, 2, 3, 4, 5, 7, 16].map((size) => piecesOf(text, size))
  const places = text.length > shortText ? [] : Array.from({ length: text.length - 1 }, (_, index) => index + 1)
  return [...sizes, ...places.map((place) => [text.slice(0, place), text.slice(place)])]
}

/**
 * @param {string} text
 * @param {number} size
 */
function piecesOf(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}
