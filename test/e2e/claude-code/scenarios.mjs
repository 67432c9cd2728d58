// @ts-check

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

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {readonly string[]} gatewayArgs
 * @property {number} tools the least number of tools that the client must have
 * @property {readonly [number, number]} inputTokens what each request's prompt may count
 * @property {readonly Turn[]} turns
 * @property {Record<string, number>} requests how many requests of the API there must be, by path
 * @property {readonly string[]} notices the codes of what the gateway must have degraded, and nothing else
 */

/** A file in the folder that the client works in; what is in it, neither the prompt nor the model knows. */
export const secretFile = 'secret.txt'
export const secretPattern = /secret-[0-9a-f]{12}/

// Without a rule for the shell, headless Claude Code refuses a command that expands a variable.
const allow = ['--allowedTools', 'Bash,Read,Agent,WebSearch']

/** @type {Pick<Scenario, 'gatewayArgs' | 'tools' | 'inputTokens' | 'notices'>} */
const full = { gatewayArgs: [], tools: 20, inputTokens: [10_000, 60_000], notices: [] }
const bareTools = { tools: 3, inputTokens: /** @type {const} */ ([500, 5000]) }

/** @type {(name: string) => ExpectedCall} */
const echo = (name) => ({
  name: 'Bash',
  input: { command: `echo ${name}-$RANDOM` },
  output: new RegExp(`\\b${name}-\\d+\\b`),
})

/** @type {Turn} */
const oneCommand = {
  prompt: 'Run the shell command `echo marker-$RANDOM` and tell me what it prints.',
  args: allow,
  calls: [echo('marker')],
}

/** @type {readonly Scenario[]} */
export const scenarios = [
  {
    ...full,
    ...bareTools,
    name: 'a shell command, three tools (--bare)',
    turns: [{ ...oneCommand, args: [...allow, '--bare'] }],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, all tools',
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect tool-call-json',
    gatewayArgs: ['--dialect', 'tool-call-json'],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect universal',
    gatewayArgs: ['--dialect', 'universal'],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'a shell command, dialect hermes',
    gatewayArgs: ['--dialect', 'hermes'],
    turns: [oneCommand],
    requests: { '/v1/messages': 2 },
  },
  {
    ...full,
    name: 'two steps, a file read and then a command',
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
    turns: [
      {
        prompt: 'Use the Agent tool with the prompt "Run the shell command `echo nested-$RANDOM`".',
        args: allow,
        calls: [
          {
            name: 'Agent',
            input: { prompt: 'Run the shell command `echo nested-$RANDOM`' },
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
    // The search is a request of its own, with a short prompt.
    inputTokens: [20, 60_000],
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
    turns: [{ prompt: '/context', calls: [], answer: /System tools \| 1\d\.\dk \|/ }],
    requests: { '/v1/messages/count_tokens': 14 },
  },
]
