// @ts-check
// Runs the real Claude Code, headless, against the gateway with its scripted model, with no network but loopback.
// Plain JavaScript, because Node 20 does not read TypeScript and this must run without a build of its own.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './claude-code/build.mjs'
import { clientVersions, ensureClients } from './claude-code/client.mjs'
import { isOnLoopbackOnly, isolate, openRefusingProxy } from './claude-code/network.mjs'
import { start } from './claude-code/processes.mjs'
import { runScenario } from './claude-code/scenario.mjs'
import { scenarios } from './claude-code/scenarios.mjs'

/** Tells the script that it runs inside the network namespace that it made. */
const insideFlag = '--inside'

process.exitCode = process.argv.includes(insideFlag) ? await runAll('isolated') : await prepareAndRun()

/** Fetches and builds everything while there is a network, then runs the scenarios without one. */
async function prepareAndRun() {
  ensureClients()
  ensureBuilt()
  const isolation = isolate()
  if (isolation.type === 'refused') {
    console.log(`No network namespace (${isolation.reason}); a proxy that refuses everything stands in for it.\n`)
    return runAll('proxied')
  }
  const [command, ...before] = isolation.command
  const inside = [...before, process.execPath, fileURLToPath(import.meta.url), insideFlag]
  const child = start(command, inside, { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code ?? 1
}

/**
 * Runs all scenarios, prints their results, and returns the exit code.
 * @param {'isolated' | 'proxied'} network
 */
async function runAll(network) {
  if (network === 'isolated' && !isOnLoopbackOnly()) throw new Error('the network namespace has more than loopback')
  const proxy = network === 'proxied' ? await openRefusingProxy() : undefined
  const place = proxy ? 'outside connections refused by a proxy' : 'no network but loopback'
  console.log(`Claude Code ${Object.values(clientVersions).join(' and ')}, anycall ${anycallVersion()}, ${place}\n`)
  let failed = 0
  for (const scenario of scenarios) {
    const outcome = await runScenario(scenario, proxy?.env ?? {})
    const seconds = `${outcome.seconds.toFixed(1)} s`.padStart(6)
    console.log(`${outcome.problems.length === 0 ? 'pass' : 'FAIL'} ${seconds}  ${scenario.name}: ${outcome.summary}`)
    if (outcome.problems.length === 0) continue
    failed++
    for (const problem of outcome.problems) console.log(`       - ${problem}`)
    for (const line of outcome.tail) console.log(`       | ${line}`)
  }
  if (proxy) {
    proxy.close()
    console.log(`\nOutside hosts that the client asked for: ${[...proxy.refused].join(', ') || 'none'}`)
  }
  console.log(`\n${scenarios.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function anycallVersion() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
