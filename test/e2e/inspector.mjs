// @ts-check
// Drives the inspector's page in Debian's Chromium, against a real gateway before a model server that plays replies.
// `npm run e2e:inspector`, or with the names of checks after `--`; the check `agent` runs the real Claude Code. Screenshots are written
// to .cache/inspector/.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { start } from './clients/processes.mjs'
import { openBrowser } from './inspector/browser.mjs'
import { checks } from './inspector/checks/index.mjs'
import { startGateway } from './inspector/gateway.mjs'
import { plays } from './inspector/plays.mjs'

const shots = new URL('../../.cache/inspector/', import.meta.url).pathname
mkdirSync(shots, { recursive: true })
const wanted = process.argv.slice(2)
const browser = await openBrowser(shots)
let failed = 0
try {
  for (const [name, check] of Object.entries(checks)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const gateway = await startGateway({ plays, records: check.records ?? {} })
    const started = performance.now()
    try {
      await browser.onPage({ url: gateway.url, expects: check.expects }, (tools) => check({ ...tools, gateway }))
      console.log(`ok      ${name} (${Math.round(performance.now() - started)} ms)`)
    } catch (error) {
      failed++
      console.log(`FAILED  ${name}: ${error instanceof Error ? error.stack : String(error)}`)
    } finally {
      gateway.release()
      await gateway.close()
    }
  }
} finally {
  await browser.close()
}
if (wanted.length === 0 || wanted.includes('agent')) {
  const script = fileURLToPath(new URL('inspector/agent.mjs', import.meta.url))
  const [code] = await once(start(process.execPath, [script], { stdio: 'inherit' }), 'close')
  if (code !== 0) failed++
}
if (failed > 0) process.exitCode = 1
