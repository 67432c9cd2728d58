// @ts-check
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startSession } from '../../played/session.mjs'
import { collect, endLeftBehind, start } from '../processes.mjs'
import { modulesOf, programOf } from './install.mjs'
import { deep, reasoning, roundTrip } from './scenarios.mjs'

/** A healthy run takes less than a minute. */
const timeLimitMs = 120_000
const shownLines = 10
const shownLength = 1200

/**
 * @typedef {object} Outcome
 * @property {string} scenario
 * @property {number} seconds
 * @property {string} summary
 * @property {string[]} problems empty: all is as expected
 * @property {string[]} tail what the programs said last
 */

/**
 * Runs all scenarios of one way in which a client reaches the gateway.
 * @param {import('../agents/client.mjs').Client} client
 * @param {import('../agents/client.mjs').Mode} mode
 * @param {{ form: import('../../played/forms.mjs').Form, env: Record<string, string>, only?: string | undefined }} options `env` is what the network needs
 * @returns {Promise<Outcome[]>}
 */
export async function runMode(client, mode, { form, env, only }) {
  const names = ['round trip', 'deep', ...(mode.extras ?? []).map(({ name }) => name)]
  /** @type {Outcome[]} */
  const outcomes = []
  for (const scenario of names.filter((name) => only === undefined || name === only)) {
    const started = performance.now()
    const folder = mkdtempSync(join(tmpdir(), 'anycall-e2e-'))
    try {
      const result = await play(client, mode, { form, env, folder, scenario })
      outcomes.push({ scenario, seconds: (performance.now() - started) / 1000, ...result })
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }
  return outcomes
}

/**
 * @param {import('../agents/client.mjs').Client} client
 * @param {import('../agents/client.mjs').Mode} mode
 * @param {{ form: import('../../played/forms.mjs').Form, env: Record<string, string>, folder: string, scenario: string }} options
 */
async function play(client, mode, { form, env, folder, scenario: name }) {
  // A folder of its own: the gateway's home beside it must not be found by the client.
  const home = join(folder, 'home')
  const cwd = join(home, 'project')
  mkdirSync(cwd, { recursive: true })
  const begin = mode.folder?.({ home, cwd })
  const pathOf = (/** @type {string} */ file) => (begin === undefined ? file : join(begin, file))
  const extra = mode.extras?.find((other) => other.name === name)
  /** @type {import('./scenarios.mjs').Scenario} */
  const scenario = extra
    ? { prompt: 'Do it.', steps: extra.steps }
    : name === 'deep'
      ? deep(mode.tools, pathOf)
      : roundTrip(mode.tools)
  scenario.prepare?.(cwd)
  const { asides = [], notices = [], refused } = mode
  const session = await startSession(
    {
      form,
      steps: scenario.steps,
      asides,
      notices,
      growsPrompts: mode.rewrites === undefined,
      ...(refused && { refused }),
    },
    folder,
  )
  const problems = []
  let ran
  let stopped
  try {
    const setup = mode.setup({ url: session.url, prompt: scenario.prompt, home, cwd, modules: modulesOf(client) })
    ran = await runProgram(client, extra?.change?.(setup) ?? setup, { home, cwd, env })
  } finally {
    stopped = await session.stop()
  }
  problems.push(...stopped.problems)
  if (!ran.ok) problems.push(`${client.name}: ${ran.end}`)
  const answer = session.asked.at(-1)?.text ?? ''
  if (answer === '' || !ran.stdout.includes(answer))
    problems.push(`the client does not tell the answer ${JSON.stringify(answer)}`)
  problems.push(...(scenario.check?.(cwd) ?? []))
  const repeated = countRepeated(session.asked)
  if (name === 'deep') {
    problems.push(...checkReasoning(session.asked, mode.returnsReasoning))
    const changed = session.asked.length - 1 - repeated
    if (mode.changesReplies === undefined && changed > 0)
      problems.push(`${changed} replies do not come back as the model wrote them`)
  }
  return {
    summary: `${session.asked.length} requests, ${repeated} of ${session.asked.length - 1} replies come back as written`,
    problems: [...new Set(problems)],
    tail: [...ran.stdout.split('\n'), ...ran.stderr.split('\n'), ...stopped.lines]
      .filter((line) => line !== '')
      .slice(-shownLines)
      .map((line) => line.slice(0, shownLength)),
  }
}

/**
 * @param {import('../agents/client.mjs').Client} client
 * @param {import('../agents/client.mjs').Setup} setup
 * @param {{ home: string, cwd: string, env: Record<string, string> }} place
 */
async function runProgram(client, { args, env: own = {}, files = {} }, { home, cwd, env }) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const program = programOf(client)
  const child = start(program.command, [...program.args, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, SHELL: '/bin/bash', NO_COLOR: '1', ...env, ...own },
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // A daemon that the client starts would write on into its home.
  child.once('exit', () => endLeftBehind(home))
  const [code, signal] = await once(child, 'close')
  const end = signal === 'SIGKILL' ? `did not end within ${timeLimitMs / 1000} s` : `exit code ${code ?? signal}`
  return { ok: code === 0, end, stdout: stdout.text, stderr: stderr.text }
}

/**
 * Returns an error if the reasoning of the first reply does not come back as the client is known to do.
 * @param {readonly import('../../played/model.mjs').Asked[]} asked
 * @param {boolean} isExpected
 */
function checkReasoning(asked, isExpected) {
  const comesBack = asked[1]?.beginning.join('\n').includes(reasoning) ?? false
  if (comesBack === isExpected) return []
  return [`the reasoning ${comesBack ? 'comes back' : 'does not come back'} with the next request`]
}

/**
 * Counts the replies that the next prompt repeats to the letter: an engine need not read those again.
 * @param {readonly import('../../played/model.mjs').Asked[]} asked
 */
function countRepeated(asked) {
  return asked.filter(({ text }, index) => asked[index + 1]?.beginning.some((part) => part === `assistant: ${text}`))
    .length
}
