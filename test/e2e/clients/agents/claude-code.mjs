// @ts-check
import { fileURLToPath } from 'node:url'
import { clientVersions } from '../../claude-code/client.mjs'
import { findAll, marked } from '../../played/texts.mjs'

/** @type {import('./client.mjs').Tools} */
export const claudeTools = {
  shell: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
  read: (path) => ({ name: 'Read', input: { file_path: path } }),
  write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
  edit: (path, before, after) => ({
    name: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
  }),
  image: (path) => ({ name: 'Read', input: { file_path: path } }),
}

/** @type {(url: string) => Record<string, string>} */
export const claudeEnv = (url) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'anycall',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // A request that fails once fails the run; ten retries would only exceed the time limit.
  CLAUDE_CODE_MAX_RETRIES: '1',
})

/** A server with one tool. */
const harbour = {
  mcpServers: {
    harbour: { command: process.execPath, args: [fileURLToPath(new URL('../mcp-server.mjs', import.meta.url))] },
  },
}

const task = 'Run the command echo nested-$RANDOM and say what it prints. This task is yours.'

/** @type {import('../../played/model.mjs').Step} */
const asksForTide = { says: ({ calls }) => calls({ name: 'mcp__harbour__tide', input: { place: 'Bergen' } }) }
/** @type {import('../../played/model.mjs').Step} */
const search = { says: ({ calls }) => calls({ name: 'ToolSearch', input: { query: 'select:mcp__harbour__tide' } }) }

/**
 * A tool of an MCP server; the newer release defers it, and the model finds it by a search.
 * @type {(isDeferred: boolean) => import('./client.mjs').Extra}
 */
const mcpTool = (isDeferred) => ({
  name: isDeferred ? 'MCP tool by search' : 'MCP tool',
  change: ({ args, ...setup }) => ({ ...setup, args: [...args, '--mcp-config', JSON.stringify(harbour)] }),
  steps: [
    ...(isDeferred ? [search] : []),
    asksForTide,
    { says: ({ last }) => `It is ${findAll(last, [/tide-in-Bergen-\d+/])}.` },
  ],
})

/** @type {import('./client.mjs').Extra} */
const subAgent = {
  name: 'sub-agent',
  steps: [
    {
      says: ({ calls }) =>
        calls({ name: 'Agent', input: { description: 'Runs a command', prompt: task, run_in_background: false } }),
    },
    { when: /This task is yours\./, says: ({ calls }) => calls(claudeTools.shell('echo nested-$RANDOM')) },
    {
      when: /^user: .{0,80}\bnested-\d+/s,
      says: ({ last }) => `The command printed ${findAll(last, [marked('nested')])}.`,
    },
    { says: ({ last }) => `It says ${findAll(last, [marked('nested')])}.` },
  ],
}

/** @type {(id: string, version: string, isDeferred: boolean) => import('./client.mjs').Client} */
const release = (id, version, isDeferred) => ({
  id,
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version,
  folder: `claude-code/${version}`,
  program: { binary: '@anthropic-ai/claude-code-PLATFORM/claude' },
  modes: [
    {
      protocol: 'Messages',
      isCore: isDeferred,
      returnsReasoning: true,
      setup: ({ url, prompt }) => ({
        args: [
          '-p',
          prompt,
          '--model',
          'text-model',
          '--allowedTools',
          'Bash,Read,Write,Edit,Agent,ToolSearch,mcp__harbour__tide',
        ],
        env: claudeEnv(url),
      }),
      tools: claudeTools,
      folder: ({ cwd }) => cwd,
      extras: [mcpTool(isDeferred), subAgent],
    },
  ],
})

export const claudeCode = release('claude-code', clientVersions.recent, true)
export const establishedClaudeCode = release('claude-code-established', clientVersions.established, false)
