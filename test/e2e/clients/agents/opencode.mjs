// @ts-check
import { withoutTools } from './client.mjs'

/** @type {import('./client.mjs').Tools} */
const opencodeTools = {
  shell: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
  read: (path) => ({ name: 'read', input: { filePath: path } }),
  write: (path, text) => ({ name: 'write', input: { filePath: path, content: text } }),
  edit: (path, before, after) => ({ name: 'edit', input: { filePath: path, oldString: before, newString: after } }),
  image: (path) => ({ name: 'read', input: { filePath: path } }),
}

/**
 * Returns the configuration of OpenCode with the gateway as a provider.
 * @param {string} url
 * @param {string} npm the package that speaks the protocol
 */
const opencodeConfig = (url, npm) => ({
  permission: 'allow',
  provider: {
    anycall: {
      npm,
      options: { baseURL: `${url}/v1`, apiKey: 'anycall' },
      models: {
        'text-model': {
          name: 'text-model',
          reasoning: true,
          attachment: true,
          tool_call: true,
          limit: { context: 200_000, output: 8000 },
          modalities: { input: ['text', 'image'], output: ['text'] },
        },
      },
    },
  },
})

/** @type {(protocol: string, npm: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, npm, more) => ({
  protocol,
  provider: npm,
  returnsReasoning: true,
  setup: ({ url, prompt, home }) => ({
    args: ['run', '-m', 'anycall/text-model', prompt],
    env: {
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    files: { 'opencode.json': JSON.stringify(opencodeConfig(url, npm)) },
  }),
  tools: opencodeTools,
  folder: ({ cwd }) => cwd,
  asides: [withoutTools],
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const opencode = {
  id: 'opencode',
  name: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: { binary: 'opencode-PLATFORM/bin/opencode' },
  modes: [
    mode('Chat', '@ai-sdk/openai-compatible'),
    mode('Messages', '@ai-sdk/anthropic'),
    mode('Responses', '@ai-sdk/openai'),
  ],
}
