// @ts-check
// Runs the real Claude Code, headless, against the gateway with its scripted model, with no network but loopback.
// Plain JavaScript, because Node 20 does not read TypeScript and this must run without a build of its own.
import { clientVersions, ensureClients } from './claude-code/client.mjs'
import { runScenario } from './claude-code/scenario.mjs'
import { scenarios } from './claude-code/scenarios.mjs'
import { anycallVersion, runIsolated } from './clients/isolated.mjs'

process.exitCode = await runIsolated({ url: import.meta.url, install: ensureClients, run: runAll })

/**
 * Runs all scenarios, prints their results, and returns the exit code.
 * @param {import('./clients/isolated.mjs').Network} network
 */
async function runAll({ place, env }) {
  console.log(`Claude Code ${Object.values(clientVersions).join(' and ')}, anycall ${anycallVersion()}, ${place}\n`)
  let failed = 0
  for (const scenario of scenarios) {
    const outcome = await runScenario(scenario, env)
    const seconds = `${outcome.seconds.toFixed(1)} s`.padStart(6)
    console.log(`${outcome.problems.length === 0 ? 'pass' : 'FAIL'} ${seconds}  ${scenario.name}: ${outcome.summary}`)
    if (outcome.problems.length === 0) continue
    failed++
    for (const problem of outcome.problems) console.log(`       - ${problem}`)
    for (const line of outcome.tail) console.log(`       | ${line}`)
  }
  console.log(`\n${scenarios.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
