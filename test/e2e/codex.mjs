// @ts-check
// Runs the real Codex, headless, against the gateway before a model that can only write text, with no network but loopback.
// `--times N` runs all of it N times; words after the flags name scenarios or forms to run alone.
import { parseArgs } from 'node:util'
import { anycallVersion, runIsolated } from './clients/isolated.mjs'
import { clientVersion, ensureClient } from './codex/client.mjs'
import { runScenario } from './codex/scenario.mjs'
import { scenarios } from './codex/scenarios.mjs'
import { forms } from './played/forms.mjs'

const { values: flags, positionals: words } = parseArgs({
  options: { times: { type: 'string', default: '1' }, inside: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const times = Number(flags.times)
if (!Number.isInteger(times) || times < 1) throw new Error('--times takes a number from 1 on')

process.exitCode = await runIsolated({ url: import.meta.url, install: ensureClient, run: runAll })

/**
 * Runs all scenarios with each form, prints their results, and returns the exit code.
 * @param {import('./clients/isolated.mjs').Network} network
 */
async function runAll({ place, env }) {
  console.log(`Codex ${clientVersion}, anycall ${anycallVersion()}, ${place}\n`)
  const pairs = scenarios.flatMap((scenario) => forms.map((form) => ({ scenario, form })))
  const chosen = pairs.filter(({ scenario, form }) =>
    words.every((word) => `${scenario.name} ${form.name}`.includes(word)),
  )
  const runs = Array.from({ length: times }, () => chosen).flat()
  let next = 0
  let failed = 0
  const runInTurn = async () => {
    for (let run = runs[next++]; run; run = runs[next++]) {
      const outcome = await runScenario(run.scenario, run.form, env)
      if (outcome.problems.length > 0) failed++
      print(run, outcome)
    }
  }
  // The client waits more than it computes.
  await Promise.all([runInTurn(), runInTurn()])
  console.log(`\n${runs.length - failed} passed, ${failed} failed`)
  return failed === 0 && runs.length > 0 ? 0 : 1
}

/**
 * @param {{ scenario: import('./codex/scenarios.mjs').Scenario, form: import('./played/forms.mjs').Form }} run
 * @param {Awaited<ReturnType<typeof runScenario>>} outcome
 */
function print({ scenario, form }, { seconds, requests, problems, tail }) {
  const result = problems.length === 0 ? 'pass' : 'FAIL'
  const time = `${seconds.toFixed(1)} s`.padStart(7)
  console.log(`${result} ${time} ${String(requests).padStart(3)} requests  ${form.name.padEnd(11)}  ${scenario.name}`)
  if (problems.length === 0) return
  for (const problem of problems) console.log(`       - ${problem}`)
  for (const line of tail) console.log(`       | ${line}`)
}
