// @ts-check
// Checks an upstream through the whole gateway: `npm run e2e:upstream -- --type llama-server --url URL [--model M] [--template FILE]`
// against a real server; with `--config FILE --upstream NAME` against one of a configuration, which may be of any type;
// without either against the stand-ins of that type, without a type against all stand-ins.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { ensureBuilt } from './claude-code/build.mjs'
import { checkUpstream } from './upstream/check-upstream.mjs'
import { loadStandIns } from './upstream/stand-ins.mjs'

const { values: flags } = parseArgs({
  options: {
    type: { type: 'string' },
    url: { type: 'string' },
    config: { type: 'string' },
    upstream: { type: 'string' },
    model: { type: 'string' },
    key: { type: 'string' },
    template: { type: 'string' },
  },
})

process.exitCode = (await run()) === 0 ? 0 : 1

/** How many checks failed. */
async function run() {
  ensureBuilt()
  const { model } = flags
  const template = flags.template === undefined ? undefined : readFileSync(flags.template, 'utf8')
  const upstream = realUpstream()
  if (upstream) return checkUpstream({ upstream, model, template })
  const standIns = (await loadStandIns()).filter(({ type }) => type === (flags.type ?? type))
  if (standIns.length === 0) throw new Error(`there is no stand-in for ${flags.type}: use --url, or --config`)
  let failed = 0
  for (const standIn of standIns) {
    // Slow enough to be left in mid-reply.
    const running = await standIn.start({ pieceDelayMs: 3 })
    const { upstream, leaves } = running
    failed += await checkUpstream({ upstream, model: standIn.model, template: standIn.template, leaves })
    await running.close()
  }
  return failed
}

/** The upstream that the flags name, as it stands in a configuration; undefined where they name none. */
function realUpstream() {
  const { type, url, key, config, upstream: name } = flags
  if (config !== undefined) {
    const upstream = name === undefined ? undefined : parse(readFileSync(config, 'utf8')).upstreams?.[name]
    if (!upstream) throw new Error('--config needs the name of one of its upstreams: --upstream NAME')
    return upstream
  }
  if (url === undefined) return undefined
  if (type === undefined) throw new Error('--url needs the --type of the server')
  return { type, url, ...(key !== undefined && { key }) }
}
