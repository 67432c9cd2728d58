// @ts-check

/**
 * Ways to cut a text at random, the same ones for the same seed. They go from pieces of about 2 to pieces of about 64
 * characters; some pieces are empty, some end within a surrogate pair.
 * @param {string} text
 * @param {string} seed
 * @param {number} count
 * @returns {string[][]}
 */
export function randomSplits(text, seed, count) {
  const random = randomOf(seed)
  return Array.from({ length: count }, (_, at) => {
    const longest = 4 * 2 ** (at % 6)
    const pieces = []
    for (let start = 0; start < text.length; ) {
      const end = start + Math.floor(random() * (longest + 1))
      pieces.push(text.slice(start, end))
      start = end
    }
    return pieces
  })
}

/**
 * Numbers from 0 to below 1, the same ones for the same seed.
 * @param {string} seed
 */
export function randomOf(seed) {
  return createRandom(hash(seed))
}

/**
 * FNV-1a, 32 bits.
 * @param {string} text
 */
function hash(text) {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/**
 * Numbers from 0 to below 1: Mulberry32 by Tommy Ettinger, which is in the public domain.
 * @param {number} seed
 */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
