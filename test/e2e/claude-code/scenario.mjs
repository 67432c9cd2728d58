// @ts-check
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../clients/gateway.mjs'
import { checkLog, readLog } from './check-log.mjs'
import { checkTranscript, readTranscript } from './check-transcript.mjs'
import { runClient } from './client.mjs'
import { secretFile } from './scenarios.mjs'

/** The number of errors that are shown. A gateway's line names the cause of an error; a client's line is long. */
const shownProblems = 12
const clientTail = { lines: 4, length: 300 }
const gatewayTail = { lines: 8, length: 1200 }

/**
 * @typedef {object} Outcome
 * @property {number} seconds
 * @property {string} summary
 * @property {string[]} problems empty: all is as expected
 * @property {string[]} tail what the programs said last
 */

/**
 * Runs one scenario against a gateway of its own.
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {Record<string, string>} env what the network needs
 * @returns {Promise<Outcome>}
 */
export async function runScenario(scenario, env) {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'anycall-e2e-'))
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, secretFile), `secret-${randomBytes(6).toString('hex')}\n`)
  try {
    const { problems, said, transcripts, stopped } = await runTurns(scenario, { folder, cwd, env })
    if (stopped.end !== 0) problems.push(`the gateway ended with ${stopped.end}`)
    const log = readLog(stopped.lines)
    problems.push(...checkLog(log, scenario, transcripts))
    const tail = [...tailOf(said, clientTail), ...tailOf(stopped.lines, gatewayTail)]
    return outcome(started, `${log.requests.length} requests, ${log.inputTokens} tokens in`, problems, tail)
  } catch (error) {
    return outcome(started, 'could not be run', [String(error)], [])
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Runs the client on one prompt after the other, against one gateway that ends with them.
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {{ folder: string, cwd: string, env: Record<string, string> }} place
 */
async function runTurns({ release = 'established', turns, tools, gatewayArgs, replies }, { folder, cwd, env }) {
  const problems = []
  const said = []
  const transcripts = []
  // Named, so that a model server that happens to run on this machine is not taken instead.
  const config = { upstreams: { scripted: { type: 'scripted', replies } } }
  const gateway = await startGateway({ folder, args: gatewayArgs, config })
  let stopped
  try {
    for (const { prompt, args = [], ...expected } of turns) {
      const run = await runClient({ release, gatewayUrl: gateway.url, home: folder, cwd, prompt, args, env })
      if (!run.ok) problems.push(`Claude Code: ${run.end}`)
      const transcript = readTranscript(run.stdout)
      transcripts.push(transcript)
      problems.push(...checkTranscript(transcript, { ...expected, tools }))
      said.push(...linesOf(run.stdout), ...linesOf(run.stderr))
    }
  } finally {
    stopped = await gateway.stop()
  }
  return { problems, said, transcripts, stopped }
}

/**
 * @param {number} started
 * @param {string} summary
 * @param {string[]} problems
 * @param {string[]} tail
 * @returns {Outcome}
 */
function outcome(started, summary, problems, tail) {
  const seconds = (performance.now() - started) / 1000
  const distinct = [...new Set(problems)]
  const more = distinct.length - shownProblems
  const shown = more > 0 ? [...distinct.slice(0, shownProblems), `and ${more} more`] : distinct
  return { seconds, summary, problems: shown, tail }
}

/**
 * @param {readonly string[]} all
 * @param {{ lines: number, length: number }} limits
 */
function tailOf(all, { lines, length }) {
  return all.slice(-lines).map((line) => (line.length <= length ? line : `${line.slice(0, length)}...`))
}

/** @param {string} text */
function linesOf(text) {
  return text.split('\n').filter((line) => line !== '')
}
