import fc from 'fast-check'

// The run's own seed (test/draw-seed.ts) for all properties; src/grammar/test-random.ts takes it, too.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.ANYCALL_SEED) })
