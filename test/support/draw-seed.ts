/**
 * Draws the seed of all random tests before any of them runs, and prints it: other seeds find faults that one seed
 * hides. With ANYCALL_SEED set to the printed value, the run is repeated.
 */
export default function drawSeed(): void {
  process.env.ANYCALL_SEED ??= String(Math.floor(Math.random() * 1_000_000))
  console.log(`ANYCALL_SEED=${process.env.ANYCALL_SEED}`)
}
