// @ts-check
// Runs real clients, headless, against the gateway before a model that can only write text, with no network but loopback,
// and prints a table of what they complete. Without flags, the clients of the core; `--all` runs all of them, and the SDKs,
// `--client NAME` (repeatable) runs one; `--write` puts the table's rows into the README.
import { parseArgs } from 'node:util'
import { absent, clients } from './clients/agents/index.mjs'
import { anycallVersion, runIsolated } from './clients/isolated.mjs'
import { ensureClient } from './clients/run/install.mjs'
import { runMode } from './clients/run/run.mjs'
import { absentRow, identify, rowOf, toMarkdown, writeTable } from './clients/run/table.mjs'
import { forms } from './played/forms.mjs'
import { hasFailed, installSdks, problemsOf, sdkRows } from './sdks/index.mjs'
import { tableRows, writeSdkTable } from './sdks/table.mjs'

const { values: flags } = parseArgs({
  options: {
    client: { type: 'string', multiple: true, default: [] },
    mode: { type: 'string' },
    scenario: { type: 'string' },
    form: { type: 'string', default: 'toolify' },
    jobs: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    inside: { type: 'boolean', default: false },
  },
})
const unknown = flags.client.find((id) => !clients.some((client) => client.id === id))
if (unknown !== undefined) {
  throw new Error(`--client ${unknown}: there is no such client; one of ${clients.map(({ id }) => id).join(', ')}`)
}
const form = forms.find(({ name }) => name === flags.form)
if (form === undefined) throw new Error(`--form takes one of ${forms.map(({ name }) => name).join(', ')}`)
const jobs = Number(flags.jobs)
if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs takes a number from 1 on')
const { scenario: only, mode: modeWords } = flags
if (flags.write && only !== undefined) throw new Error('--write needs all scenarios of a client: leave out --scenario')

const ways = clients.flatMap((client) => client.modes.map((mode) => ({ client, mode })))
const runs = ways.filter(({ client, mode }) => {
  if (modeWords !== undefined && !identify(client, mode).protocol.includes(modeWords)) return false
  return flags.client.length > 0 ? flags.client.includes(client.id) : flags.all || mode.isCore === true
})
const chosen = new Set(runs.map(({ client }) => client))

/** All rows that the README's table may have. */
const order = [...ways.map(({ client, mode }) => identify(client, mode)), ...absent.map(absentRow)]

process.exitCode = await runIsolated({
  url: import.meta.url,
  install: () => {
    for (const client of chosen) ensureClient(client)
    if (flags.all) installSdks()
  },
  run: runAll,
})

/**
 * Runs all clients, prints the table, and returns the exit code.
 * @param {import('./clients/isolated.mjs').Network} network
 */
async function runAll({ place, env }) {
  console.log(`${runs.length} ways of ${chosen.size} clients, anycall ${anycallVersion()}, ${form?.name}, ${place}\n`)
  /** @type {Map<object, import('./clients/run/table.mjs').Row>} */
  const rows = new Map()
  let next = 0
  let failed = 0
  const runInTurn = async () => {
    for (let run = runs[next++]; run; run = runs[next++]) {
      const outcomes = await runMode(run.client, run.mode, { form: form ?? forms[0], env, only })
      failed += outcomes.filter(({ problems }) => problems.length > 0).length
      for (const outcome of outcomes) print(run, outcome)
      const row = rowOf(run.client, run.mode, outcomes)
      rows.set(run, row)
      // At once, so that a run that is ended in the middle loses nothing.
      if (flags.write) writeTable([row], order)
    }
  }
  await Promise.all(Array.from({ length: jobs }, runInTurn))
  const played = runs.flatMap((run) => rows.get(run) ?? [])
  const missing = flags.all ? absent.map(absentRow) : []
  console.log(`\n${toMarkdown([...played, ...missing])}`)
  if (flags.write) writeTable(absent.map(absentRow), order)
  if (flags.all) failed += await runSdks()
  console.log(`\n${failed === 0 ? 'all pass' : `${failed} failed`}`)
  return failed === 0 && runs.length > 0 ? 0 : 1
}

/** Runs the SDKs, prints their table, and returns the number of rows that failed. */
async function runSdks() {
  const ran = await sdkRows()
  console.log(['', toMarkdown(tableRows(ran)), ...problemsOf(ran)].join('\n'))
  if (flags.write) writeSdkTable(tableRows(ran))
  return ran.filter(hasFailed).length
}

/**
 * @param {{ client: import('./clients/agents/client.mjs').Client, mode: import('./clients/agents/client.mjs').Mode }} run
 * @param {import('./clients/run/run.mjs').Outcome} outcome
 */
function print({ client, mode }, { scenario, seconds, summary, problems, tail }) {
  const result = problems.length === 0 ? 'pass' : 'FAIL'
  const time = `${seconds.toFixed(1)} s`.padStart(7)
  console.log(`${result} ${time}  ${client.name}, ${identify(client, mode).protocol}, ${scenario}: ${summary}`)
  if (problems.length === 0) return
  for (const problem of problems) console.log(`       - ${problem}`)
  for (const line of tail) console.log(`       | ${line}`)
}
