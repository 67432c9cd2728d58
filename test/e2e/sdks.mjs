// @ts-check
// Runs the SDKs and frameworks of several vendors, as they come from the registry, against the gateway before a model that can only
// write text, on each plan, with no network but loopback. `--sdk NAME` runs one of them; `--write` puts the rows into the README;
// `--json` prints them as JSON, with whole replies and streams apart.
import { parseArgs } from 'node:util'
import { anycallVersion, runIsolated } from './clients/isolated.mjs'
import { toMarkdown } from './clients/run/table.mjs'
import { hasFailed, installSdks, problemsOf, sdkRows } from './sdks/index.mjs'
import { tableRows, writeSdkTable } from './sdks/table.mjs'

const { values: flags } = parseArgs({
  options: {
    sdk: { type: 'string' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    inside: { type: 'boolean' },
  },
})

process.exitCode = await runIsolated({ url: import.meta.url, install: () => installSdks(flags.sdk), run })

/**
 * Prints the table, and returns the exit code.
 * @param {import('./clients/isolated.mjs').Network} network
 */
async function run({ place }) {
  const rows = await sdkRows(flags.sdk)
  if (flags.json) console.log(JSON.stringify(rows, undefined, 2))
  else
    console.log(
      [`anycall ${anycallVersion()}, ${place}`, toMarkdown(tableRows(rows)), ...problemsOf(rows)].join('\n\n'),
    )
  if (flags.write) writeSdkTable(tableRows(rows))
  return rows.some(hasFailed) ? 1 : 0
}
