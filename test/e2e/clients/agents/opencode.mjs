// @ts-check
import { withoutTools } from './client.mjs'

/** @type {import('./client.mjs').Tools} */
const tools = {
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
const configOf = (url, npm) => ({
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

/**
 * Returns the ways in which OpenCode reaches the gateway, or a client that was made of it.
 * @param {string} prefix of its variables
 * @param {readonly string[]} args before the prompt
 * @returns {import('./client.mjs').Mode[]}
 */
export function opencodeModes(prefix, args) {
  /** @type {(protocol: string, npm: string) => import('./client.mjs').Mode} */
  const mode = (protocol, npm) => ({
    protocol,
    provider: npm,
    returnsReasoning: true,
    setup: ({ url, prompt, home }) => ({
      args: [...args, prompt],
      env: {
        [`${prefix}_CONFIG`]: `${home}/config.json`,
        [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
        [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
      },
      files: { 'config.json': JSON.stringify(configOf(url, npm)) },
    }),
    tools,
    folder: ({ cwd }) => cwd,
    asides: [withoutTools],
  })
  return [
    mode('Chat', '@ai-sdk/openai-compatible'),
    mode('Messages', '@ai-sdk/anthropic'),
    mode('Responses', '@ai-sdk/openai'),
  ]
}

/** @type {import('./client.mjs').Client} */
export const opencode = {
  id: 'opencode',
  name: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: { binary: 'opencode-PLATFORM/bin/opencode' },
  modes: opencodeModes('OPENCODE', ['run', '-m', 'anycall/text-model']),
}
