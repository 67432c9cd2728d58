// @ts-check
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSession } from '../played/session.mjs'
import { configureClient, runClient } from './client.mjs'
import { readTranscript } from './transcript.mjs'
import { watchWire } from './wire.mjs'

/** The number of lines that are shown of an error, and their length. */
const shownLines = 8
const shownLength = 1500

/**
 * Runs one scenario with a model of one form, against a gateway of its own.
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {import('../played/forms.mjs').Form} form
 * @param {Record<string, string>} env what the network needs
 * @returns {Promise<{ seconds: number, requests: number, problems: string[], tail: string[] }>}
 */
export async function runScenario(scenario, form, env) {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'anycall-e2e-'))
  try {
    const { problems, requests, said } = await run(scenario, form, { folder, env })
    return {
      seconds: (performance.now() - started) / 1000,
      requests,
      problems: [...new Set(problems)],
      tail: said.slice(-shownLines).map((line) => line.slice(0, shownLength)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {import('../played/forms.mjs').Form} form
 * @param {{ folder: string, env: Record<string, string> }} place
 */
async function run(scenario, form, { folder, env }) {
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  const { steps, rule = {}, notices = [] } = scenario
  const session = await startSession({ form, steps, rule, notices: [...allowedNotices, ...notices] }, folder)
  const wire = await watchWire(session.url)
  const problems = []
  const said = []
  /** @type {import('./transcript.mjs').Transcript[]} */
  const transcripts = []
  let stopped
  try {
    const { provider = 'anycall', config: added = '', model: name = 'text-model', retries } = scenario
    configureClient({
      home: folder,
      cwd,
      gatewayUrl: wire.url,
      provider,
      config: added,
      ...(retries !== undefined && { retries }),
    })
    for (const [index, prompt] of scenario.prompts.entries()) {
      const ran = await runClient({ home: folder, cwd, model: name, prompt, resume: index > 0, env })
      const transcript = readTranscript(ran.stdout)
      transcripts.push(transcript)
      problems.push(...checkEnd(ran, transcript, scenario.fails))
      said.push(...linesOf(ran.stdout), ...linesOf(ran.stderr))
    }
  } finally {
    wire.close()
    stopped = await session.stop()
  }
  problems.push(...wire.retries, ...stopped.problems, ...scenario.check({ transcripts, cwd }))
  return { problems, requests: session.asked.length, said: [...said, ...stopped.lines] }
}

/**
 * @param {{ ok: boolean, end: string }} ran
 * @param {import('./transcript.mjs').Transcript} transcript
 * @param {string | undefined} failure the error that the client must report
 */
function checkEnd({ ok, end }, { errors, odd, isCompleted }, failure) {
  const problems = odd.map((line) => `a line of the client's output is not JSON: ${line.slice(0, 100)}`)
  for (const message of errors) if (message !== failure) problems.push(`the client reports: ${message}`)
  if (failure === undefined) {
    if (!ok) problems.push(`Codex: ${end}`)
    if (!isCompleted) problems.push('the turn was not completed')
  } else if (ok || !errors.includes(failure)) problems.push(`the client did not report: ${failure}`)
  return problems
}

/** Codex sends tools that only OpenAI runs, a grammar, and asks for short answers. */
const allowedNotices = ['tool-type-unsupported', 'grammar-not-enforced', 'field-ignored']

/** @param {string} text */
function linesOf(text) {
  return text.split('\n').filter((line) => line !== '')
}
