// @ts-check
// Runs the SDKs and frameworks of several vendors, as they come from the registry, against the gateway before a model that can only
// write text, on each plan, with no network but loopback. `--sdk NAME` runs one of them; `--json` prints the rows as JSON.
import { parseArgs } from 'node:util'
import { anycallVersion, runIsolated } from './clients/isolated.mjs'
import { installSdks, sdkRows } from './sdks/index.mjs'

const { values: flags } = parseArgs({
  options: { sdk: { type: 'string' }, json: { type: 'boolean' }, inside: { type: 'boolean' } },
})

process.exitCode = await runIsolated({ url: import.meta.url, install: () => installSdks(flags.sdk), run })

/**
 * Prints the table, and returns the exit code.
 * @param {import('./clients/isolated.mjs').Network} network
 */
async function run({ place }) {
  const rows = await sdkRows(flags.sdk)
  if (flags.json) console.log(JSON.stringify(rows, undefined, 2))
  else {
    console.log(`anycall ${anycallVersion()}, ${place}\n`)
    console.log('| SDK | version | protocol | tools | structured | with |\n| --- | --- | --- | --- | --- | --- |')
    for (const { client, version, protocol, roundTrip, deep, note = '' } of rows)
      console.log(`| ${client} | ${version} | ${protocol} | ${roundTrip} | ${deep} | ${note} |`)
    for (const { client, protocol, problems } of rows)
      for (const problem of problems) console.log(`\n${client}, ${protocol}: ${problem}`)
  }
  return rows.some(({ roundTrip, deep }) => roundTrip === 'fail' || deep === 'fail') ? 1 : 0
}
