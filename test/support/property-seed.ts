// Counts of steps include the loops of a function only if it was compiled after the counting began.
import '../../tools/fuzz/steps.mjs'
import fc from 'fast-check'
import { lawRuns } from './draws.ts'

// The run's own seed (test/support/draw-seed.ts) for all properties; test/support/grammar/random.ts uses it, too. Laws
// that set no number of draws are cheap.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.ANYCALL_SEED),
  numRuns: 6 * lawRuns,
})
