/** Random numbers that are the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const random = {
    /** A whole number from 0 up to `below`, which is not reached. */
    int: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    pick: (list) => list[random.int(list.length)],
  }
  return random
}

/** A separate seed for each name, so that additions in one place change nothing in another. */
export function seedOf(...names) {
  let hash = 2166136261
  for (const char of names.join('\u0000')) hash = Math.imul(hash ^ char.codePointAt(0), 16777619)
  return hash >>> 0
}
