// @ts-check
// Checks an upstream through the whole gateway: `npm run e2e:upstream -- --type llama-server --url URL [--model M] [--template FILE]`
// against a real server; without a url against the stand-in of that type, without a type against all stand-ins.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './claude-code/build.mjs'
import { checkUpstream } from './upstream/check-upstream.mjs'
import { loadStandIns } from './upstream/stand-ins.mjs'

const { values: flags } = parseArgs({
  options: {
    type: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    key: { type: 'string' },
    template: { type: 'string' },
  },
})

process.exitCode = (await run()) === 0 ? 0 : 1

/** How many checks failed. */
async function run() {
  const { type, url, model, key } = flags
  ensureBuilt()
  const template = flags.template === undefined ? undefined : readFileSync(flags.template, 'utf8')
  if (url !== undefined) {
    if (type === undefined) throw new Error('--url needs the --type of the server')
    return checkUpstream({ type, url, key, model, template })
  }
  const standIns = await loadStandIns()
  const types = type === undefined ? Object.keys(standIns) : [type]
  let failed = 0
  for (const one of types) {
    const standIn = standIns[one]
    if (!standIn) throw new Error(`there is no stand-in for ${one}; there are ${Object.keys(standIns).join(', ')}`)
    // Slow enough to be left in mid-reply.
    const server = await standIn.start({ pieceDelayMs: 3 })
    const leaves = () => server.requests.filter(({ closedEarly }) => closedEarly).length
    failed += await checkUpstream({
      type: one,
      url: server.url,
      model: standIn.model,
      template: standIn.template,
      leaves,
    })
    await server.close()
  }
  return failed
}
