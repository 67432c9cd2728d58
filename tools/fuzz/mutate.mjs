// @ts-check
import { fragments } from './fragments.mjs'

/** @import { Random } from './types.ts' */

/** Texts grow no longer than this. */
const longest = 2500

/**
 * One change to a text, at a place that is chosen at random.
 * @param {string} text
 * @param {() => string} piece another piece of text
 * @param {Random} random
 */
export function mutate(text, piece, random) {
  const start = random.int(text.length + 1)
  const end = Math.min(text.length, start + random.int(random.pick([2, 8, 40, 200])))
  const [head, part, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  const changed = change(head, part, tail, piece, random)
  return changed.slice(0, longest)
}

/**
 * @param {string} head
 * @param {string} part
 * @param {string} tail
 * @param {() => string} piece
 * @param {Random} random
 */
function change(head, part, tail, piece, random) {
  switch (random.int(12)) {
    case 0:
    case 1:
      return head + tail
    case 2:
      return head + part + part + tail
    case 3:
      return head + tail.slice(0, part.length) + part + tail.slice(part.length)
    case 4: {
      const other = piece()
      return head + other.slice(random.int(other.length + 1))
    }
    case 5:
      return head
    case 6:
      return head + (random.chance(0.5) ? part.toUpperCase() : part.toLowerCase()) + tail
    case 7:
      return head + part.slice(0, 3).repeat(2 + random.int(90)) + tail
    case 8:
      return head + piece() + tail
    case 9:
      return part + head + tail
    default:
      return head + random.pick(fragments) + (random.chance(0.5) ? part : '') + tail
  }
}
