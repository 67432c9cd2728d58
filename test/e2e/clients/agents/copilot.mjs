// @ts-check
import { withoutTools } from './client.mjs'

/** @type {(protocol: string, provider: string, env: (url: string) => Record<string, string>, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, provider, env, more) => ({
  protocol,
  provider,
  returnsReasoning: true,
  setup: ({ url, prompt, home }) => ({
    args: ['-p', prompt, '--allow-all', '--disable-builtin-mcps', '--log-dir', `${home}/logs`],
    env: {
      COPILOT_PROVIDER_API_KEY: 'anycall',
      COPILOT_MODEL: 'text-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      ...env(url),
    },
  }),
  tools: {
    shell: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
    read: (path) => ({ name: 'view', input: { path } }),
    readPart: (path, from, to) => ({ name: 'view', input: { path, view_range: [from, to] } }),
    write: (path, text) => ({ name: 'create', input: { path, file_text: text } }),
    edit: (path, before, after) => ({ name: 'edit', input: { path, old_str: before, new_str: after } }),
  },
  withoutImage: 'it sends none to a model that it does not know',
  folder: ({ cwd }) => cwd,
  asides: [withoutTools],
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const copilot = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: { binary: '@github/copilot-PLATFORM/copilot' },
  modes: [
    mode('Chat', 'completions', (url) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1` })),
    mode('Messages', 'anthropic', (url) => ({ COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_TYPE: 'anthropic' })),
    mode('Responses', 'responses', (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_WIRE_API: 'responses',
    })),
  ],
}
