// @ts-check

/** @type {(protocol: string, auth: string, env: (url: string) => Record<string, string>, more?: Partial<import('./client.mjs').Mode>) => import('./client.mjs').Mode} */
const mode = (protocol, auth, env, more) => ({
  protocol,
  provider: `--auth-type ${auth}`,
  returnsReasoning: true,
  setup: ({ url, prompt }) => ({
    args: ['--yolo', '--auth-type', auth, '-m', 'text-model', prompt],
    env: env(url),
    files: {
      '.qwen/settings.json': JSON.stringify({
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { generationConfig: { modalities: { image: true } } },
        general: { enableAutoUpdate: false, disableUpdateNag: true },
      }),
    },
  }),
  tools: {
    // Its shell sometimes loses the output of a command that ends at once.
    shell: (command) => ({
      name: 'run_shell_command',
      input: { command: `${command}; code=$?; sleep 0.3; exit $code`, is_background: false },
    }),
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    readPart: (path, from, to) => ({
      name: 'read_file',
      input: { file_path: path, offset: from - 1, limit: to - from + 1 },
    }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    edit: (path, before, after) => ({
      name: 'edit',
      input: { file_path: path, old_string: before, new_string: after },
    }),
    image: (path) => ({ name: 'read_file', input: { file_path: path } }),
  },
  folder: ({ cwd }) => cwd,
  ...more,
})

/** @type {import('./client.mjs').Client} */
export const qwenCode = {
  id: 'qwen-code',
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  node: 22,
  program: { script: '@qwen-code/qwen-code/cli-entry.js' },
  modes: [
    mode('Chat', 'openai', (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'anycall' })),
    mode('Messages', 'anthropic', (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'anycall' })),
    mode('Gemini', 'gemini', (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'anycall' })),
    mode('Responses', 'openai-responses', (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'anycall' }), {
      changesReplies: 'it sends reasoning back as text',
    }),
  ],
}
