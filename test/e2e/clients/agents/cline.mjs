// @ts-check

/** It offers no tools to a model of Gemini that it does not know. */
const modelOf = (/** @type {string} */ provider) => (provider === 'gemini' ? 'gemini-2.5-flash' : 'text-model')

/** @type {(protocol: string, provider: string, path: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, provider, path, more) => ({
  protocol,
  provider,
  returnsReasoning: true,
  setup: ({ url, prompt, cwd }) => ({
    args: ['-P', provider, '-m', modelOf(provider), '-c', cwd, '--auto-approve', 'true', prompt],
    env: { CLINE_TELEMETRY_DISABLED: '1' },
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
  tools: {
    shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
    read: (path) => ({ name: 'read_files', input: { files: [{ path }] } }),
    write: (path, text) => ({ name: 'editor', input: { path, new_text: text } }),
    edit: (path, before, after) => ({ name: 'editor', input: { path, old_text: before, new_text: after } }),
    image: (path) => ({ name: 'read_files', input: { files: [{ path }] } }),
  },
  folder: ({ cwd }) => cwd,
  ...more,
})

/** It offers tools that run at the makers of its models. */
const hosted = ['tool-type-unsupported']

/** @type {import('./client.mjs').Client} */
export const cline = {
  id: 'cline',
  name: 'Cline',
  package: 'cline',
  version: '3.0.65',
  program: { binary: '@cline/cli-PLATFORM/bin/cline' },
  modes: [
    mode('Chat', 'openai-compatible', '/v1'),
    mode('Messages', 'anthropic', '/v1', { notices: hosted }),
    mode('Responses', 'openai-native', '/v1', { notices: hosted }),
    mode('Gemini', 'gemini', '/v1beta'),
    mode('Ollama', 'ollama', ''),
  ],
}
