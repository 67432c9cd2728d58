import fc from 'fast-check'

// Other seeds find what one seed hides, so that each run has its own, and fast-check prints that of a failure. Where a
// run is to be the same each time, as in CI, the seed comes from outside.
const seed = process.env.ANYCALL_SEED
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
