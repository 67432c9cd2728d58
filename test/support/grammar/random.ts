/** The seed of this run of the tests (test/support/draw-seed.ts). */
const runSeed = Number(process.env.ANYCALL_SEED ?? 0)

/** Numbers that look random and are the same each time for a seed, in one run of the tests: for tests only. */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 2654435761) ^ Math.imul(runSeed, 2246822519)
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296
  }
}
