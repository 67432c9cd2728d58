// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changedLine, findAll, marked, trickyLines } from '../played/texts.mjs'

/** @typedef {import('../played/model.mjs').Step} Step */
/** @typedef {import('./transcript.mjs').Transcript} Transcript */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} [model] the name by which the client knows the model, and decides which tools it offers
 * @property {string} [provider] the name of the provider, by which the client decides how it compacts
 * @property {string} [config] lines for the client's configuration
 * @property {number} [retries] how often the client repeats a reply that was cut; by default five times
 * @property {Record<string, unknown>} [rule] added to the gateway's rule for the model
 * @property {string} [fails] the error that the client must report
 * @property {readonly string[]} prompts the first begins a conversation, the others take it up again
 * @property {readonly Step[]} steps all that the model says; the client must ask for all of it, and for nothing else
 * @property {readonly string[]} [notices] the codes of notices that there may be
 * @property {(seen: { transcripts: readonly Transcript[], cwd: string }) => string[]} check returns what is wrong, a line each
 */

/** A model for which Codex offers patches as a custom tool, and a search for the tools that it does not list. */
const trainedModel = 'gpt-5.5'

/** @type {(cmd: string) => import('../played/forms.mjs').Call} */
const shell = (cmd) => ({ name: 'exec_command', input: { cmd } })

/**
 * Replies with the last message's matches.
 * @type {(...patterns: RegExp[]) => Step['says']}
 */
const tells =
  (...patterns) =>
  ({ last }) =>
    `It says ${findAll(last, patterns).join(' and ')}.`

/**
 * Checks the commands that ran in one turn, and that the answer contains their output. Those of one reply run in
 * parallel.
 * @param {Transcript | undefined} transcript
 * @param {readonly { output: RegExp, fails?: boolean }[]} expected
 */
function checkCommands(transcript, expected) {
  const ran = (transcript?.items ?? []).filter(({ type }) => type === 'command_execution')
  if (ran.length !== expected.length) return [`${ran.length} commands ran, expected ${expected.length}`]
  return expected.flatMap(({ output, fails = false }) => {
    const command = ran.find(({ aggregated_output: printed }) => output.test(printed))
    if (!command) return [`no command printed ${output}: ${JSON.stringify(ran)}`]
    if ((command.exit_code !== 0) !== fails)
      return [`the command that printed ${output} ended with ${command.exit_code}`]
    const [found = ''] = output.exec(command.aggregated_output) ?? []
    return transcript?.answer.includes(found) ? [] : [`the answer lacks ${found}: ${transcript?.answer}`]
  })
}

const trickyFile = 'tricky.txt'
const patchOf = (/** @type {readonly string[]} */ ...lines) =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
const addPatch = patchOf(`*** Add File: ${trickyFile}`, ...trickyLines.map((line) => `+${line}`))
const updatePatch = patchOf(
  `*** Update File: ${trickyFile}`,
  '@@',
  ` ${trickyLines.at(-2)}`,
  `-${trickyLines.at(-1)}`,
  `+${changedLine}`,
)
const patchedText = [...trickyLines.slice(0, -1), changedLine, ''].join('\n')

/**
 * Writes a file by a patch, changes it by another, and reads it.
 * @type {(patch: (text: string) => import('../played/forms.mjs').Call) => Pick<Scenario, 'prompts' | 'steps' | 'check'>}
 */
const patches = (patch) => ({
  prompts: ['Write the file, change its last line, and read it.'],
  steps: [
    { says: ({ calls }) => `I write the file.\n${calls(patch(addPatch))}` },
    { says: ({ calls }) => calls(patch(updatePatch)) },
    { says: ({ calls }) => calls(shell(`wc -l ${trickyFile} && cat ${trickyFile}`)) },
    { says: tells(/\b12 tricky\.txt/, /Grüße, 中文, 😀/) },
  ],
  check: ({ transcripts: [transcript], cwd }) => {
    const file = join(cwd, trickyFile)
    const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const problems =
      written === patchedText
        ? []
        : [`the file has ${JSON.stringify(written)}, expected ${JSON.stringify(patchedText)}`]
    const changes =
      transcript?.items.filter(({ type, status }) => type === 'file_change' && status === 'completed') ?? []
    if (changes.length !== 2) problems.push(`${changes.length} patches were applied, expected 2`)
    return [...problems, ...checkCommands(transcript, [{ output: /12 tricky\.txt/ }])]
  },
})

const longCommand = 'echo cut-and-whole > cut.txt && cat cut.txt'
/** @type {(text: string) => { begun: string, rest: string }} */
const cutAt = (text) => {
  const at = text.indexOf(' > cut.txt')
  return { begun: text.slice(0, at), rest: text.slice(at) }
}

const agentTask = 'Run the command echo nested-$RANDOM and say what it prints. This task is yours.'

/**
 * A conversation that grows too long before its second turn.
 * @type {(asksAnew: boolean) => Pick<Scenario, 'config' | 'prompts' | 'steps' | 'check'>}
 */
const grows = (asksAnew) => ({
  config: 'model_auto_compact_token_limit = 60000',
  prompts: ['Run the command.', 'And again.'],
  steps: [
    { says: ({ calls }) => calls(shell('echo marker-$RANDOM')) },
    { says: tells(marked('marker')), promptTokens: 70_000 },
    { says: ({ last }) => (/summary/i.test(last) ? `${summary}.` : ''), isNewPrompt: asksAnew },
    {
      says: ({ calls, prompt }) => (prompt.includes(summary) ? calls(shell('echo again-$RANDOM')) : ''),
      isNewPrompt: true,
    },
    { says: tells(marked('again')) },
  ],
  check: ({ transcripts: [first, second] }) => [
    ...checkCommands(first, [{ output: marked('marker') }]),
    ...checkCommands(second, [{ output: marked('again') }]),
  ],
})
const summary = 'A command was run, and its mark is known'

/** @type {readonly Scenario[]} */
export const scenarios = [
  {
    name: 'a shell command',
    prompts: ['Run the command.'],
    steps: [
      { says: ({ calls }) => `I run it.\n${calls(shell('echo marker-$RANDOM'))}` },
      { says: tells(marked('marker')) },
    ],
    check: ({ transcripts: [transcript] }) => checkCommands(transcript, [{ output: marked('marker') }]),
  },
  {
    name: 'a file by apply_patch, a custom tool',
    model: trainedModel,
    ...patches((input) => ({ name: 'apply_patch', input: { input } })),
  },
  {
    name: 'a file by apply_patch, in the shell',
    ...patches((text) => shell(`apply_patch <<'END_OF_PATCH'\n${text}END_OF_PATCH\n`)),
  },
  {
    name: 'two commands in one reply',
    prompts: ['Run both commands.'],
    steps: [
      { says: ({ calls }) => calls(shell('echo one-$RANDOM'), shell('echo two-$RANDOM')) },
      { says: tells(marked('one'), marked('two')) },
    ],
    check: ({ transcripts: [transcript] }) =>
      checkCommands(transcript, [{ output: marked('one') }, { output: marked('two') }]),
  },
  {
    name: 'a command that fails',
    prompts: ['Run the command.'],
    steps: [{ says: ({ calls }) => calls(shell('cat missing.txt')) }, { says: tells(/No such file or directory/) }],
    check: ({ transcripts: [transcript] }) =>
      checkCommands(transcript, [{ output: /No such file or directory/, fails: true }]),
  },
  {
    name: 'a call that the token limit cuts',
    // It would ask for the same again.
    retries: 0,
    prompts: ['Write the file.'],
    steps: [{ says: ({ calls }) => cutAt(calls(shell(longCommand))).begun, isCut: true }],
    fails: 'Incomplete response returned, reason: max_output_tokens',
    notices: ['incomplete-call'],
    check: ({ transcripts: [transcript], cwd }) => [
      ...checkCommands(transcript, []),
      ...(existsSync(join(cwd, 'cut.txt')) ? ['the cut call was run'] : []),
    ],
  },
  {
    name: 'a call that is cut, and continued',
    rule: { continuations: 1 },
    prompts: ['Write the file.'],
    steps: [
      { says: ({ calls }) => cutAt(calls(shell(longCommand))).begun, isCut: true },
      { says: ({ calls }) => cutAt(calls(shell(longCommand))).rest, isContinuation: true },
      { says: tells(/cut-and-whole/) },
    ],
    notices: ['call-continued'],
    check: ({ transcripts: [transcript] }) => checkCommands(transcript, [{ output: /cut-and-whole/ }]),
  },
  {
    name: 'a sub-agent',
    prompts: ['Use a sub-agent.'],
    steps: [
      { says: ({ calls }) => calls({ name: 'multi_agent_v1__spawn_agent', input: { message: agentTask } }) },
      {
        when: /This task is yours\.\s*(<\|im_end\|>\s*<\|im_start\|>assistant\s*)?$/,
        says: ({ calls }) => calls(shell('echo nested-$RANDOM')),
      },
      { when: /Output:\s+nested-\d+/, says: tells(marked('nested')) },
      {
        says: ({ last, calls }) => {
          const [, id] = /"agent_id":\s*"([^"]+)"/.exec(last) ?? []
          return calls({ name: 'multi_agent_v1__wait_agent', input: { targets: [id], timeout_ms: 60_000 } })
        },
      },
      { says: tells(marked('nested')) },
    ],
    check: ({ transcripts: [transcript] }) =>
      marked('nested').test(transcript?.answer ?? '') ? [] : [`the answer is ${transcript?.answer}`],
  },
  {
    name: 'a tool that a search finds',
    model: trainedModel,
    config: `[mcp_servers.harbour]
command = "${process.execPath}"
args = ["${fileURLToPath(new URL('../clients/mcp-server.mjs', import.meta.url))}"]
`,
    prompts: ['Ask for the tide.'],
    steps: [
      { says: ({ calls }) => calls({ name: 'tool_search', input: { query: 'tide harbour' } }) },
      { says: ({ calls }) => calls({ name: 'mcp__harbour__tide', input: { place: 'Hamburg' } }) },
      { says: tells(/tide-in-Hamburg-\d+/) },
    ],
    check: ({ transcripts: [transcript] }) => {
      const made =
        transcript?.items.filter(({ type, status }) => type === 'mcp_tool_call' && status === 'completed') ?? []
      const problems = made.length === 1 ? [] : [`${made.length} calls of the server were made, expected 1`]
      return /tide-in-Hamburg-\d+/.test(transcript?.answer ?? '')
        ? problems
        : [...problems, `the answer is ${transcript?.answer}`]
    },
  },
  // It asks for a summary itself, without its tools.
  { name: 'compaction by the client', ...grows(true) },
  // It does so at a provider of this name: one item of the reply replaces the conversation.
  { name: 'compaction by the gateway', provider: 'OpenAI', ...grows(false) },
  {
    name: 'a conversation that is taken up again',
    prompts: ['Run the command.', 'Run another.'],
    steps: [
      { says: ({ calls }) => calls(shell('echo marker-$RANDOM')) },
      { says: tells(marked('marker')) },
      { says: ({ calls }) => calls(shell('echo again-$RANDOM')) },
      { says: tells(marked('again')) },
    ],
    check: ({ transcripts: [first, second] }) => [
      ...checkCommands(first, [{ output: marked('marker') }]),
      ...checkCommands(second, [{ output: marked('again') }]),
    ],
  },
]
