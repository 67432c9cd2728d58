// By tsdown's function and not its command: the command says at each start that it will leave Node 20 some day, which
// whoever runs `npm start` for the first time cannot but take for a fault of theirs.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { build } from 'tsdown'
import { buildInspector } from './inspector/build.mjs'
import { plainMembersPlugin } from './tools/build/plain-members.mjs'

/**
 * The modules of the library, by floor. A bundler leaves out whole files that an import does not need, but not always parts of
 * one: a chunk for each floor keeps one import from taking all the others. `npm run sizes` measures it.
 */
const floor =
  /src\/(conversation|dialects\/(?:formats|prompt)\/[\w-]+|(?:json|grammar|dialects|templates)\/[\w-]+)[\w/.-]*(?<!\.d)\.ts$/

await build({
  config: false,
  entry: {
    index: 'src/index.ts',
    'ai-sdk': 'src/ai-sdk.ts',
    format: 'src/format.ts',
    gateway: 'src/gateway.ts',
    main: 'src/cli/main.ts',
    messages: 'src/messages.ts',
    node: 'src/node.ts',
    templates: 'src/templates.ts',
    'no-undici': 'src/upstreams/transport/no-undici.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  plugins: [plainMembersPlugin()],
  // Found when it runs, by the conditions of package.json: undici is not for every runtime.
  deps: { neverBundle: ['#undici'] },
  // The option below implies it; the bundler prints a warning unless it is explicit.
  inputOptions: { preserveEntrySignatures: 'allow-extension' },
  // Whoever imports one small thing gets the files that it needs, not all of what the entries share.
  outputOptions: {
    codeSplitting: {
      // Otherwise a floor is in the chunk of the first floor that imports it.
      includeDependenciesRecursively: false,
      groups: [{ test: floor, name: (id) => floor.exec(id)?.[1]?.replaceAll('/', '-') ?? null }],
    },
  },
  // How long plugins take is no news to whoever starts it.
  checks: { pluginTimings: false },
  logLevel: 'warn',
})

// The thread that writes records has a file of its own, so that it loads nothing of the gateway.
await build({
  config: false,
  entry: { 'records-thread': 'src/records/write/thread.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  deps: { neverBundle: ['#undici'] },
  checks: { pluginTimings: false },
  logLevel: 'warn',
})

// For editors: completes and checks configuration files.
writeFileSync('dist/config.schema.json', execFileSync(process.execPath, ['dist/main.mjs', 'config', 'schema']))

const { dialectNames } = await import('./dist/index.mjs')
await buildInspector({ folder: 'dist/inspector', dialectNames })
