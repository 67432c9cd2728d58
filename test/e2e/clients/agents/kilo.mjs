// @ts-check
import { withoutTools } from './client.mjs'
import { opencodeConfig, opencodeTools } from './opencode.mjs'

/** @type {(protocol: string, npm: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, npm, more) => ({
  protocol,
  provider: npm,
  returnsReasoning: true,
  setup: ({ url, prompt, home }) => ({
    args: ['run', '--auto', '-m', 'anycall/text-model', prompt],
    env: { KILO_CONFIG: `${home}/kilo.json`, KILO_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_AUTOUPDATE: '1' },
    files: { 'kilo.json': JSON.stringify(opencodeConfig(url, npm)) },
  }),
  tools: opencodeTools,
  folder: ({ cwd }) => cwd,
  asides: [withoutTools],
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const kilo = {
  id: 'kilo',
  name: 'Kilo',
  package: '@kilocode/cli',
  // The package of 7.8.1 for this platform is not in the registry.
  version: '7.7.7',
  program: { binary: '@kilocode/cli-PLATFORM/bin/kilo' },
  modes: [mode('Chat', '@ai-sdk/openai-compatible')],
}
