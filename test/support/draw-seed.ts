/**
 * Draws the seed of all that the tests draw at random, before any of them runs, and prints it: other seeds find what one seed hides. With
 * ANYCALL_SEED set to what a run printed, it runs the same again.
 */
export default function drawSeed(): void {
  process.env.ANYCALL_SEED ??= String(Math.floor(Math.random() * 1_000_000))
  console.log(`ANYCALL_SEED=${process.env.ANYCALL_SEED}`)
}
