// By tsdown's function and not its command: the command says at each start that it will leave Node 20 some day, which
// whoever runs `npm start` for the first time cannot but take for a fault of theirs.
import { build } from 'tsdown'

await build({
  config: false,
  entry: {
    index: 'src/index.ts',
    'ai-sdk': 'src/ai-sdk/index.ts',
    gateway: 'src/gateway/index.ts',
    main: 'src/cli/main.ts',
    templates: 'src/templates/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  logLevel: 'warn',
})
