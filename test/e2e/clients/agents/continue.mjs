// @ts-check

/** @type {(protocol: string, provider: string, path: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, provider, path, more) => ({
  protocol,
  provider,
  // It sends none back itself.
  returnsReasoning: true,
  setup: ({ url, prompt, home }) => ({
    args: ['--config', `${home}/config.yaml`, '--auto', '-p', prompt],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    files: {
      'config.yaml': JSON.stringify({
        name: 'anycall',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'text-model',
            provider,
            model: 'text-model',
            apiBase: `${url}${path}`,
            apiKey: 'anycall',
            roles: ['chat'],
            capabilities: ['tool_use', 'image_input'],
            defaultCompletionOptions: { contextLength: 200_000, maxTokens: 8000 },
          },
        ],
      }),
    },
  }),
  tools: {
    shell: (command) => ({ name: 'Bash', input: { command } }),
    read: (path) => ({ name: 'Read', input: { filepath: path } }),
    write: (path, text) => ({ name: 'Write', input: { filepath: path, content: text } }),
    edit: (path, before, after) => ({
      name: 'Edit',
      input: { file_path: path, old_string: before, new_string: after },
    }),
  },
  withoutImage: 'it reads images as text',
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const continueCli = {
  id: 'continue',
  name: 'Continue (cn)',
  package: '@continuedev/cli',
  version: '1.5.47',
  program: { script: '@continuedev/cli/dist/cn.js' },
  modes: [
    mode('Chat', 'openai', '/v1'),
    mode('Messages', 'anthropic', '/v1', { isCore: true }),
    mode('Chat', 'ollama', ''),
  ],
}
