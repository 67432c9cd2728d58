import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', gateway: 'src/gateway/index.ts', main: 'src/cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  logLevel: 'warn',
}) as unknown
