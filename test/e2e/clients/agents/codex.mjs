// @ts-check
import { clientVersion, configText } from '../../codex/client.mjs'
import { patchTools } from './patch.mjs'

/** @type {import('./client.mjs').Tools} */
const tools = {
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${path}`, max_output_tokens: 20_000 } }),
  ...patchTools,
  addsNewline: true,
  image: (path) => ({ name: 'view_image', input: { path } }),
}

/** A model for which Codex offers patches as a custom tool. */
const model = 'gpt-5.5'
const flags = ['--skip-git-repo-check', '-m', model]
/** It sends tools that only OpenAI runs, a grammar, and asks for short answers. */
const notices = ['tool-type-unsupported', 'grammar-not-enforced', 'field-ignored']

/** @type {import('./client.mjs').Client} */
export const codex = {
  id: 'codex',
  name: 'Codex',
  package: '@openai/codex',
  version: clientVersion,
  folder: 'codex',
  program: { script: '@openai/codex/bin/codex.js' },
  modes: [
    {
      protocol: 'Responses',
      returnsReasoning: true,
      notices,
      setup: ({ url, prompt, cwd, home }) => ({
        args: ['exec', ...flags, prompt],
        env: { CODEX_HOME: `${home}/.codex` },
        files: { '.codex/config.toml': configText({ cwd, gatewayUrl: url, provider: 'anycall', config: '' }) },
      }),
      tools,
      folder: ({ cwd }) => cwd,
    },
    {
      protocol: 'Responses, Ollama',
      isCore: true,
      provider: '--oss',
      returnsReasoning: true,
      notices,
      setup: ({ url, prompt, home }) => ({
        args: [
          'exec',
          '--oss',
          '--local-provider',
          'ollama',
          '--dangerously-bypass-approvals-and-sandbox',
          ...flags,
          prompt,
        ],
        env: { CODEX_HOME: `${home}/.codex`, CODEX_OSS_BASE_URL: `${url}/v1` },
        files: { '.codex/config.toml': '[analytics]\nenabled = false\n' },
      }),
      tools,
      folder: ({ cwd }) => cwd,
    },
  ],
}
