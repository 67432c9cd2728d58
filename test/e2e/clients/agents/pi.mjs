// @ts-check

/** @type {(protocol: string, api: string, path: string, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, api, path, more) => ({
  protocol,
  provider: api,
  returnsReasoning: true,
  setup: ({ url, prompt }) => ({
    args: ['--provider', 'anycall', '--model', 'text-model', '--offline', '-p', prompt],
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          anycall: {
            baseUrl: `${url}${path}`,
            api,
            apiKey: 'anycall',
            models: [
              { id: 'text-model', reasoning: true, input: ['text', 'image'], contextWindow: 200_000, maxTokens: 8000 },
            ],
          },
        },
      }),
    },
  }),
  tools: {
    shell: (command) => ({ name: 'bash', input: { command } }),
    read: (path) => ({ name: 'read', input: { path } }),
    write: (path, text) => ({ name: 'write', input: { path, content: text } }),
    edit: (path, before, after) => ({ name: 'edit', input: { path, edits: [{ oldText: before, newText: after }] } }),
    image: (path) => ({ name: 'read', input: { path } }),
  },
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const pi = {
  id: 'pi',
  name: 'pi',
  package: '@mariozechner/pi-coding-agent',
  version: '0.73.1',
  program: { script: '@mariozechner/pi-coding-agent/dist/cli.js' },
  modes: [
    mode('Chat', 'openai-completions', '/v1', { isCore: true }),
    mode('Messages', 'anthropic-messages', ''),
    mode('Responses', 'openai-responses', '/v1', { isCore: true }),
    mode('Gemini', 'google-generative-ai', '/v1beta'),
  ],
}
