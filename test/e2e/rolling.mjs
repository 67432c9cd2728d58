// @ts-check
// Fails the parts of a deployment one after the other, under 200 streams, and prints what clients saw: `npm run e2e:rolling --
// [--only NAME] [--streams N]`. HAProxy and Redis or Valkey have to be installed for the scenarios that use them; the others run
// without. Exit code: 1 if a client saw what it must not.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './clients/build.mjs'
import { scenarios } from './rolling/scenarios/index.mjs'
import { stopAll } from './rolling/servers.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, streams: { type: 'string', default: '200' } },
})

ensureBuilt()
process.once('exit', stopAll)
let failed = 0
for (const [name, run] of Object.entries(scenarios)) {
  if (flags.only !== undefined && flags.only !== name) continue
  const folder = mkdtempSync(join(tmpdir(), 'anycall-rolling-'))
  try {
    const { saw, fault } = await run({ folder, streams: Number(flags.streams) })
    console.log(`${fault === undefined ? 'ok  ' : 'FAIL'} ${name}: ${saw}${fault === undefined ? '' : `; ${fault}`}`)
    if (fault !== undefined) failed++
  } catch (error) {
    console.log(`FAIL ${name}: ${error instanceof Error ? error.stack : error}`)
    failed++
  } finally {
    stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exit(failed === 0 ? 0 : 1)
