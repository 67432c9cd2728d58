// @ts-check

/** @type {(protocol: string, provider: string, path: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, provider, path, more) => ({
  protocol,
  provider,
  returnsReasoning: true,
  setup: ({ url, prompt, home }) => ({
    args: ['--data-dir', `${home}/cline`, '-P', provider, '-m', 'text-model', '--auto-approve', 'true', prompt],
    env: { CLINE_TELEMETRY_DISABLED: '1' },
    files: {
      'cline/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: {
          [provider]: {
            settings: { provider, apiKey: 'anycall', model: 'text-model', baseUrl: `${url}${path}` },
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

/** @type {import('./client.mjs').Client} */
export const cline = {
  id: 'cline',
  name: 'Cline',
  package: 'cline',
  version: '3.0.65',
  program: { binary: '@cline/cli-PLATFORM/bin/cline' },
  modes: [
    mode('Chat', 'openai-compatible', '/v1'),
    mode('Messages', 'anthropic', '/v1'),
    mode('Responses', 'openai-native', '/v1'),
    mode('Ollama', 'ollama', ''),
    mode('Gemini', 'gemini', '/v1beta'),
  ],
}
