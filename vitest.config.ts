import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'conformance/**/*.test.mjs', 'fuzz/**/*.test.mjs'],
    testTimeout: 20_000,
    // Of two cores one alone would be used.
    maxWorkers: '100%',
    setupFiles: ['test/property-seed.ts'],
    reporters: ['default'],
  },
})
export default config
