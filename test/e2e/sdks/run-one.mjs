// @ts-check
// Runs one SDK, in a process of its own: it may need another Node, and may end its process. Prints its rows as JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startGateway } from '../clients/gateway.mjs'
import { checkHelper, checkTools, settled } from './checks.mjs'
import { planNames, startModel } from './model.mjs'
import { sdks } from './sdks.mjs'
import { served } from './served.mjs'

const [name, sdkFolder = '', marker = ''] = process.argv.slice(2)
const sdk = sdks.find((one) => one.name === name)
if (sdk === undefined) throw new Error(`there is no SDK ${name}`)

// Keys that SDKs want to find, and reports that they want to send.
Object.assign(process.env, {
  OPENAI_API_KEY: 'any',
  ANTHROPIC_API_KEY: 'any',
  GOOGLE_API_KEY: 'any',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGCHAIN_TRACING_V2: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
})

const model = await startModel()
const folder = mkdtempSync(join(tmpdir(), 'anycall-e2e-'))
const gateway = await startGateway({ folder, args: [], config: served(model.url) })
try {
  const { load } = await import(pathToFileURL(join(sdkFolder, 'load.mjs')).href)
  const rows = []
  for (const mode of await sdk.modes(load)) {
    const tools = []
    const structured = []
    for (const plan of planNames) {
      const asked = { url: gateway.url, model: plan }
      const told = (/** @type {string[]} */ problems) => problems.map((problem) => `plan ${plan}: ${problem}`)
      tools.push(...told(await checkTools(mode, model, asked)))
      for (const [what, helper] of Object.entries(mode.structured ?? {}))
        structured.push(...told(await checkHelper(what, helper, model, asked)))
      for (const [what, check] of Object.entries(mode.more ?? {})) {
        const outcome = await settled(check({ ...asked, runTool: () => '', play: model.play }))
        if (outcome.type === 'failed') tools.push(...told([`${what}: ${outcome.message}`]))
      }
    }
    const { protocol, note } = mode
    rows.push({ protocol, ...(note !== undefined && { note }), ...named(mode), problems: { tools, structured } })
  }
  console.log(`${marker}${JSON.stringify(rows)}`)
} finally {
  await gateway.stop()
  model.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
// Some SDKs keep connections or timers.
process.exit(0)

/** @param {import('./checks.mjs').Mode} mode */
function named({ tools, structured = {}, more = {} }) {
  return { hasTools: tools !== undefined, more: Object.keys(more), helpers: Object.keys(structured) }
}
