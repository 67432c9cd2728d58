// @ts-check
import { patchTools } from './patch.mjs'

/** To older models of Gemini, and to those that it does not know, it offers Google's search and nothing else. */
const modelOf = (/** @type {string} */ provider) => (provider === 'gemini' ? 'gemini-3-flash-preview' : 'text-model')

/** @type {import('./client.mjs').Tools} */
const tools = {
  shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
  read: (path) => ({ name: 'read_files', input: { files: [{ path }] } }),
  write: (path, text) => ({ name: 'editor', input: { path, new_text: text } }),
  edit: (path, before, after) => ({ name: 'editor', input: { path, old_text: before, new_text: after } }),
}

/** @type {(protocol: string, provider: string, path: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, provider, path, more) => ({
  protocol,
  provider,
  returnsReasoning: true,
  setup: ({ url, prompt, cwd }) => ({
    args: ['-P', provider, '-m', modelOf(provider), '-c', cwd, '--auto-approve', 'true', prompt],
    env: {
      CLINE_TELEMETRY_DISABLED: '1',
      // Without it, the model has no more than 8,000 characters of a result.
      CLINE_MESSAGE_BUILDER_MAX_TOOL_RESULT_CHARS: '100000',
    },
    files: {
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: {
          [provider]: {
            settings: { provider, apiKey: 'anycall', model: modelOf(provider), baseUrl: `${url}${path}` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    },
  }),
  tools: { ...tools, image: tools.read },
  folder: ({ cwd }) => cwd,
  ...more,
})

/** It offers tools that run at the makers of its models. */
const notices = ['tool-type-unsupported']
/** It knows no abilities of models whose names it does not know. */
const withoutImage = 'it sends none to a model that it does not know'

/** @type {import('./client.mjs').Client} */
export const cline = {
  id: 'cline',
  name: 'Cline',
  package: 'cline',
  version: '3.0.65',
  program: { binary: '@cline/cli-PLATFORM/bin/cline' },
  modes: [
    mode('Chat', 'openai-compatible', '/v1'),
    mode('Messages', 'anthropic', '/v1', { notices }),
    mode('Responses', 'openai-native', '/v1', { notices, tools: { ...tools, ...patchTools }, withoutImage }),
    mode('Gemini', 'gemini', '/v1beta', { notices }),
    mode('Ollama', 'ollama', '', { tools, withoutImage, isCore: true }),
  ],
}
