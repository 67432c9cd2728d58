// @ts-check
// Checks an upstream through the whole gateway: `npm run e2e:upstream -- --type llama-server --url URL [--model M] [--template FILE]`
// against a real server; with `--config FILE --upstream NAME` against one of a configuration, which may be of any type;
// without either against the stand-ins of that type, without a type against all stand-ins.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { ensureBuilt } from './clients/build.mjs'
import { checkUpstream } from './upstream/check-upstream.mjs'
import { loadStandIns } from './upstream/stand-ins.mjs'

const names = ['type', 'url', 'config', 'upstream', 'model', 'key', 'template']
const usage =
  'npm run e2e:upstream -- [--type TYPE [--url URL] | --config FILE --upstream NAME] [--model M] [--key K] [--template FILE]'

try {
  const options = Object.fromEntries(names.map((name) => [name, /** @type {const} */ ({ type: 'string' })]))
  process.exitCode =
    (await run(/** @type {Record<string, string | undefined>} */ (parseArgs({ options }).values))) === 0 ? 0 : 1
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
  process.exitCode = 2
}

/**
 * Runs the checks and returns the number of failures.
 * @param {Record<string, string | undefined>} flags
 */
async function run(flags) {
  ensureBuilt()
  const { model } = flags
  const template = flags.template === undefined ? undefined : readFileSync(flags.template, 'utf8')
  const upstream = realUpstream(flags)
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

/**
 * The upstream that the flags name, as an entry of a configuration; undefined if they name none.
 * @param {Record<string, string | undefined>} flags
 */
function realUpstream({ type, url, key, config, upstream: name }) {
  if (config !== undefined) {
    const upstream = name === undefined ? undefined : parse(readFileSync(config, 'utf8')).upstreams?.[name]
    if (!upstream) throw new Error('--config needs the name of one of its upstreams: --upstream NAME')
    return upstream
  }
  if (url === undefined) return undefined
  if (type === undefined) throw new Error('--url needs the --type of the server')
  return { type, url, ...(key !== undefined && { key }) }
}
