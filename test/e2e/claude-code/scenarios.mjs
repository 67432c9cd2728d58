// @ts-check
import { fileURLToPath } from 'node:url'

/**
 * One tool call that the model must make and the client must run.
 * @typedef {object} ExpectedCall
 * @property {string} name
 * @property {Record<string, unknown>} input the arguments that matter
 * @property {RegExp} output what the tool must answer; what it matches must be in the model's answer
 * @property {boolean} [fails]
 */

/**
 * One run of the client.
 * @typedef {object} Turn
 * @property {string} prompt
 * @property {readonly string[]} [args]
 * @property {readonly ExpectedCall[]} calls
 * @property {RegExp} [answer]
 */

/** @typedef {{ calls?: readonly { name: string, arguments: Record<string, unknown> }[] }} Reply an empty one: its own */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {import('./client.mjs').Release} [release] default: the established one
 * @property {readonly string[]} gatewayArgs
 * @property {number} tools the least number of tools that the client must have
 * @property {readonly [number, number]} inputTokens what each request's prompt may count
 * @property {readonly Reply[]} replies what the model says to the first requests; to all others it tells the results
 * @property {readonly Turn[]} turns
 * @property {Record<string, number>} requests how many requests of the API there must be, by path
 * @property {readonly string[]} notices the codes of what the gateway must have degraded, and nothing else
 */

/** A file in the folder in which the client works; neither the prompt nor the model contains its text. */
export const secretFile = 'secret.txt'
export const secretPattern = /secret-[0-9a-f]{12}/

// Without a rule for the shell tool, headless Claude Code refuses a command that expands a variable.
const allow = ['--allowedTools', 'Bash,Read,Agent,WebSearch']

/** @type {Pick<Scenario, 'gatewayArgs' | 'tools' | 'inputTokens' | 'notices'>} */
const full = { gatewayArgs: [], tools: 20, inputTokens: [10_000, 60_000], notices: [] }
const bareTools = { tools: 3, inputTokens: /** @type {const} */ ([500, 5000]) }

/** The subagent's task. */
const nested = 'Run the shell command `echo nested-$RANDOM`'

/** @type {(name: string) => ExpectedCall} */
const echo = (name) => ({
  name: 'Bash',
  input: { command: `echo ${name}-$RANDOM` },
  output: new RegExp(`\\b${name}-\\d+\\b`),
})

/** @type {(...names: string[]) => Reply} */
const callEcho = (...names) => ({
  calls: names.map((name) => ({ name: 'Bash', arguments: { command: `echo ${name}-$RANDOM` } })),
})
/** @type {(name: string, given: Record<string, unknown>) => Reply} */
const call = (name, given) => ({ calls: [{ name, arguments: given }] })

/** @type {Turn} */
const oneCommand = {
  prompt: 'Run the shell command `echo marker-$RANDOM` and tell me what it prints.',
  args: allow,
  calls: [echo('marker')],
}

/** A server with one tool, which Claude Code defers: the model finds it by `ToolSearch`. */
const harbour = {
  mcpServers: {
    harbour: {
      command: process.execPath,
      args: [fileURLToPath(new URL('../clients/mcp-server.mjs', import.meta.url))],
    },
  },
}

/** @type {readonly Scenario[]} */
export const scenarios = [
  {
    ...full,
    release: 'recent',
    name: 'a tool of an MCP server that a search finds',
    replies: [
      call('ToolSearch', { query: 'select:mcp__harbour__tide' }),
      call('mcp__harbour__tide', { place: 'Bergen' }),
    ],
    turns: [
      {
        prompt: 'Find the tool for tides, and tell me the tide in Bergen.',
        args: ['--allowedTools', 'ToolSearch,mcp__harbour__tide', '--mcp-config', JSON.stringify(harbour)],
        calls: [
          { name: 'ToolSearch', input: { query: 'select:mcp__harbour__tide' }, output: /^$/ },
          { name: 'mcp__harbour__tide', input: { place: 'Bergen' }, output: /tide-in-Bergen-\d+/ },
        ],
      },
    ],
    requests: { '/v1/messages': 3 },
  },
  {
    ...full,
    release: 'recent',
    name: 'a shell command, all tools, the newer release',
    replies: [callEcho('marker')],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    ...bareTools,
    name: 'a shell command, three tools (--bare)',
    replies: [callEcho('marker')],
    turns: [{ ...oneCommand, args: [...allow, '--bare'] }],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, all tools',
    replies: [callEcho('marker')],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect tool-call-json',
    gatewayArgs: ['--dialect', 'tool-call-json'],
    replies: [callEcho('marker')],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect universal',
    gatewayArgs: ['--dialect', 'universal'],
    replies: [callEcho('marker')],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect hermes',
    gatewayArgs: ['--dialect', 'hermes'],
    replies: [callEcho('marker')],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'two steps, a file read and then a command',
    replies: [call('Read', { file_path: secretFile }), callEcho('marker')],
    turns: [
      {
        prompt: `First read the file ${secretFile}, then run the shell command \`echo marker-$RANDOM\`.`,
        args: allow,
        calls: [{ name: 'Read', input: { file_path: secretFile }, output: secretPattern }, echo('marker')],
      },
    ],
    requests: { '/v1/messages': 3 },
  },
  {
    ...full,
    name: 'two commands in one reply',
    replies: [callEcho('one', 'two')],
    turns: [
      {
        prompt: 'Run the shell commands `echo one-$RANDOM` and `echo two-$RANDOM`.',
        args: allow,
        calls: [echo('one'), echo('two')],
      },
    ],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a command that fails',
    replies: [call('Bash', { command: 'cat missing.txt' })],
    turns: [
      {
        prompt: 'Run the shell command `cat missing.txt`.',
        args: allow,
        calls: [
          { name: 'Bash', input: { command: 'cat missing.txt' }, output: /No such file or directory/, fails: true },
        ],
      },
    ],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a conversation that is taken up again (--continue)',
    replies: [callEcho('marker'), {}, callEcho('again')],
    turns: [
      oneCommand,
      {
        prompt: 'Now run the shell command `echo again-$RANDOM`.',
        args: [...allow, '--continue'],
        calls: [echo('again')],
      },
    ],
    requests: { '/v1/messages': 4 },
  },
  {
    ...full,
    name: 'a subagent that runs a command',
    replies: [call('Agent', { description: 'Runs a command', prompt: nested }), callEcho('nested')],
    turns: [
      {
        prompt: `Use the Agent tool with the prompt "${nested}".`,
        args: allow,
        calls: [
          {
            name: 'Agent',
            input: { prompt: nested },
            output: /\bnested-\d+\b/,
          },
          echo('nested'),
        ],
      },
    ],
    requests: { '/v1/messages': 4 },
  },
  {
    ...full,
    name: 'a web search, with a tool that only Anthropic runs',
    // The search is a separate request, with a short prompt.
    inputTokens: [20, 60_000],
    replies: [call('WebSearch', { query: 'tool calling' })],
    turns: [
      {
        prompt: 'Use the WebSearch tool to search for "tool calling".',
        args: allow,
        calls: [{ name: 'WebSearch', input: { query: 'tool calling' }, output: /results for query: "tool calling"/ }],
      },
    ],
    requests: { '/v1/messages': 3 },
    notices: ['tool-type-unsupported'],
  },
  {
    ...full,
    name: 'tokens counted (/context)',
    replies: [],
    turns: [{ prompt: '/context', calls: [], answer: /System tools \| 1\d\.\dk \|/ }],
    requests: { '/v1/messages/count_tokens': 14 },
  },
]
