// @ts-check
// A real engine: `npm run e2e:gguf [-- --only calls|formats] [--template NAME] [--templates FOLDER] [--own N] [--asks N] [--times N] [--seed N] [--show]`,
// and with `--engine llama-server`, or as `npm run e2e:llama-server`, a real server of one: Debian's, unpacked into .cache/; where that cannot be had, it
// says so and does nothing. Models with random weights, made here for each chat template, are asked for calls, and for replies in JSON of a schema, alone
// and beside tools, through the whole gateway, by plan `templated`: held to the grammar of its template even noise must write calls that are valid against
// the tools' schemas, and values that fit theirs, each time. The templates are the project's own, which get all requests, or --own N of them, and those of
// a folder, which get --asks N; the seed decides which. --times makes each that often in a row, where the engine has the prompt already and only writes
// anew. SIGTERM ends a run early, with its figures. The seed is that of ANYCALL_SEED, or drawn anew; it is printed, and what fails with the command that
// repeats it. node-llama-cpp is installed into .cache/ where it is not there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'tsdown'
import { installLlama } from '../../tools/check-grammar/install.mjs'
import { answerOf, faultOf } from './gguf/answers.mjs'
import { inProcess, llamaServers } from './gguf/engines.mjs'
import { NoLlamaServer } from './gguf/install-llama-server.mjs'
import { writeModels } from './gguf/models.mjs'
import { asksOf, requestOf } from './gguf/requests.mjs'

const { values: flags } = parseArgs({
  options: {
    template: { type: 'string' },
    templates: { type: 'string' },
    only: { type: 'string' },
    own: { type: 'string', default: 'all' },
    asks: { type: 'string', default: '3' },
    times: { type: 'string', default: '1' },
    seed: { type: 'string', default: process.env.ANYCALL_SEED ?? String(Math.floor(Math.random() * 1_000_000)) },
    show: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'in-process' },
  },
})
const { only: kind } = flags
if (kind !== undefined && kind !== 'calls' && kind !== 'formats') throw new Error('--only takes calls or formats')
/** The number of times that each request is repeated: the reply differs each time. */
const times = Number(flags.times)
/** The number of concurrent requests: one for each of two processors. */
const atOnce = 2
/**
 * By default engines exclude tokens less than a twentieth as likely as a marker: most characters. For a server this is
 * set when it starts.
 */
const rareTokens = { minP: 0 }
/** The time after which a request counts as hanging; high enough for a busy machine. */
const requestSeconds = 900
/** A reply may be cut if random text does not reach its end: at most one in this number. */
const fewestForCut = 20
/** Fewer requests need not lead to replies of all kinds. */
const fewestForAll = 200

const engine = await engineOf(flags.engine)
const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = installLlama()
// A file in use must not change: another run writes its own.
const files = mkdtempSync(join(tmpdir(), 'anycall-gguf-'))
// Beside node-llama-cpp, so that the upstream finds it.
await build({
  config: false,
  cwd: root,
  entry: { library: 'test/gguf/library.ts' },
  outDir: join(cache, 'gguf-library'),
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  logLevel: 'warn',
})
const library = await import(pathToFileURL(join(cache, 'gguf-library', 'library.mjs')).href)

const seed = Number(flags.seed)
const { template: only } = flags
/** @type {Parameters<typeof writeModels>[2]} */
const writing = { to: files, only, seed }
const own = writeModels(library, join(root, 'test/templates'), writing)
const others = flags.templates === undefined ? [] : writeModels(library, resolve(flags.templates), writing)
const models = [...own, ...others]
if (models.length === 0) throw new Error(`there is no template ${only} whose models write calls`)

const upstreamEntries = await Promise.all(models.map(async (model) => [model.name, await engine.upstream(model)]))
const config = library.parseConfig(
  {
    upstreams: Object.fromEntries(upstreamEntries),
    models: models.map(({ name }) => ({ match: name, upstream: name, plan: 'templated' })),
    limits: { requestSeconds },
  },
  { file: 'the test', env: {} },
)

const counts = {
  requests: 0,
  calls: 0,
  parallel: 0,
  reasoned: 0,
  free: 0,
  freeCalls: 0,
  formats: 0,
  cut: 0,
  tokens: 0,
  failures: 0,
}
/**
 * The text that each request's model wrote, and its seed, by request id.
 * @type {Map<string, { seed: number, text: string }>}
 */
const written = new Map()
const upstreams = new Map([...library.createUpstreams(config)].map(([name, upstream]) => [name, seeded(upstream)]))
const gateway = library.createGateway({
  config,
  upstreams,
  log: (/** @type {string} */ level, /** @type {string} */ event, /** @type {object} */ fields) => {
    if (event === 'upstream.constraint-refused') failed(`${event}: ${JSON.stringify(fields)}`)
    if (flags.show && level !== 'debug') console.log(level, event, fields)
  },
})

/** An upstream whose replies can be had again, and are kept to be shown. @param {any} upstream */
function seeded(upstream) {
  let next = seed * 1000
  return {
    ...upstream,
    async generate(/** @type {any} */ request, /** @type {any} */ context) {
      const own = next++
      const record = { seed: own, text: '' }
      written.set(upstream.name, record)
      const sampling = { ...request.sampling, ...rareTokens, seed: own }
      const events = await upstream.generate({ ...request, sampling }, context)
      return watched(events, record)
    },
  }
}

/** @param {AsyncIterable<any[]>} events @param {{ text: string }} record */
async function* watched(events, record) {
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'text') record.text += event.text
      if (event.type === 'usage') counts.tokens += event.usage.outputTokens
    }
    yield batch
  }
}

/** @param {string} name of the model @param {import('./gguf/requests.mjs').Ask} ask */
async function run(name, ask) {
  let fault
  try {
    const answer = await answerOf(await gateway.fetch(requestOf(name, ask)), ask)
    if (answer.isCut) {
      counts.requests++
      counts.cut++
      if (flags.show) console.log(`${name}, ${JSON.stringify(ask)}: cut: ${JSON.stringify(written.get(name)?.text)}`)
      return
    }
    fault = faultOf(answer, ask, library.schemaFault)
    counts.calls += answer.calls.length
    if (answer.calls.length > 1) counts.parallel++
    if (answer.reasoning > 0) counts.reasoned++
    if (ask.format && answer.calls.length === 0) counts.formats++
    if (ask.choice === 'auto') counts.free++
    if (ask.choice === 'auto' && answer.calls.length > 0) counts.freeCalls++
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error)
  }
  counts.requests++
  if (fault === undefined) return
  const record = written.get(name)
  failed(
    `${name}, ${JSON.stringify(ask)}: ${fault}\n  seed ${record?.seed} wrote ${JSON.stringify(record?.text)}\n  again: ${repeatOf(name)}`,
  )
}

/** Told at once: a run may be stopped before its end. @param {string} what */
function failed(what) {
  counts.failures++
  console.log(`failed: ${what}`)
}

/** The command that asks one model the same. @param {string} name */
function repeatOf(name) {
  const folder = flags.templates === undefined ? '' : ` --templates ${flags.templates}`
  const chosen = `${kind === undefined ? '' : ` --only ${kind}`} --own ${flags.own} --asks ${flags.asks} --times ${flags.times}`
  return `node test/e2e/gguf.mjs --engine ${flags.engine} --seed ${seed} --template ${name}${folder}${chosen} --show`
}

console.log(`seed ${seed}`)
const started = performance.now()
const waiting = [
  ...own.map((model) => ({ model, asks: asksOf(kind, choiceOf(model.name, flags.own)) })),
  ...others.map((model) => ({ model, asks: asksOf(kind, choiceOf(model.name, flags.asks)) })),
]
// Requests in progress are not counted: their servers may have been stopped as well.
process.once('SIGTERM', () => {
  report()
  rmSync(files, { recursive: true })
  process.exit(1)
})

/**
 * The requests that a template gets: others for each, and the same when it is asked alone.
 * @param {string} name @param {string} count
 */
function choiceOf(name, count) {
  const first = [...name].reduce((sum, char) => sum + char.charCodeAt(0), seed)
  return count === 'all' ? undefined : { first, count: Number(count) }
}

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const since = performance.now()
    const tokens = counts.tokens
    const stop = await engine.start(next.model)
    // One after another: the engine has the prompt, and the grammar, from the time before.
    for (const ask of next.asks) for (let time = 0; time < times; time++) await run(next.model.name, ask)
    await stop()
    if (flags.show) console.log(next.model.name, Math.round(performance.now() - since), 'ms', counts.tokens - tokens)
  }
}
await Promise.all(Array.from({ length: atOnce }, work))
await gateway.close()
rmSync(files, { recursive: true })

report()
if (counts.cut > counts.requests / fewestForCut) failed('too many replies were cut')
const tried = [
  ...(kind === 'calls' ? [] : [counts.formats]),
  ...(kind === 'formats' ? [] : [counts.parallel, counts.reasoned, counts.freeCalls]),
]
// One template need not write several calls, or reason.
if (only === undefined && counts.requests >= fewestForAll && tried.includes(0)) failed('something was never tried')
process.exitCode = counts.failures > 0 ? 1 : 0

/** @param {string} name @returns {Promise<import('./gguf/engines.mjs').Engine>} */
async function engineOf(name) {
  if (name === 'in-process') return inProcess
  if (name !== 'llama-server') throw new Error(`there is no engine ${name}: in-process or llama-server`)
  try {
    return await llamaServers()
  } catch (error) {
    if (!(error instanceof NoLlamaServer)) throw error
    console.log(`left out: llama-server cannot be had here: ${error.message}`)
    process.exit(0)
  }
}

function report() {
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${models.length} templates, ${counts.requests} requests, ${counts.tokens} tokens in ${seconds.toFixed(0)} s (seed ${seed}): ${counts.calls} calls, ` +
      `${counts.parallel} replies with several, ${counts.reasoned} with reasoning, ${counts.freeCalls} of ${counts.free} free replies with calls, ${counts.formats} in JSON of a schema, ` +
      `${counts.cut} cut by the token limit, ${counts.failures} failures`,
  )
}
