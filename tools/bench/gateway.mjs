/**
 * Measures what anycall adds to a model server: `npm run bench:gateway`, or `node tools/bench/gateway.mjs [--quick]
 * [--anycall FILE] [--beside FILE] [--profile FOLDER] [--protocols] [--metrics] [--records] [--pairs] [--only PATH] [--settings JSON]` with the built command (default `dist/main.mjs`), another build
 * of it to be measured in the same run, a folder for a CPU profile, and settings for the configuration of the build that is not beside. It judges nothing: it exits with 0 whatever the
 * numbers are, and with 1 if it could not run. With --metrics the command measures its requests; a build beside it does not.
 *
 * Four paths to one model server, each server a process of its own on the loopback address:
 *   direct     Chat Completions, straight to the model server
 *   proxy      Chat Completions, through a bare node:http proxy that pipes (bare-proxy.mjs)
 *   anycall    Anthropic Messages with tools in, prompted Chat Completions out, calls read out of the model's text;
 *              started with the command and a configuration file, logging as it does by default, into a file
 *   templated  the same by plan `templated`: the model server stands for an engine that is sent the prompt as its chat
 *              template has it, and a grammar (templated-gateway.mjs)
 *
 * With --records a further one, `records`: as anycall, in a process that keeps records of all exchanges in a file.
 * With --protocols four more, `chat`, `responses`, `gemini` and `ollama`: as anycall, with the same request in these APIs to the same process.
 *
 * All send the same conversation of three turns with the same eight tools (9 kB), and the model server answers all with
 * the same text. Each request is another conversation, so what anycall remembers of one helps it nowhere.
 *
 * Prompts: what rendering and counting cost for a request of an agent, with 24 tools and 76 kB (prompts.mjs).
 *
 * JSON: direct and proxy get one JSON body. anycall always streams from upstream, so the model server sends it the same
 * text as 28 pieces, in a burst.
 * SSE: 200 pieces of about a token, once as plain text, once with a call of which 181 pieces are one string argument;
 * and each of these in two ways:
 *   in packets  each piece is a packet of its own, sent at the next turn of the model server's event loop. Here the
 *               model server is what limits the throughput.
 *   in a burst  all pieces are written in one turn, and come as few packets: what counts is how much work they are.
 * Pieces that reach anycall together leave it as one; the table says how many events the client got.
 *
 * Latency: one request at a time, connections kept: direct, proxy and one gateway in turn, a block of requests for each
 * gateway, the blocks in turn. `added` is the difference to direct of the same percentile. A second gateway is not asked
 * in between, as a process is the slower the longer it waited and the more ran meanwhile (docs/decisions/0001).
 * Throughput: 16 connections, the paths in turn for some rounds, the median of the rounds; and the CPU time that the measured
 * process used for a reply meanwhile, which other work on the machine disturbs least.
 * Pairs (alone with --pairs): with --beside, --records and --protocols the throughput of two gateways is compared in many short rounds, the median of
 * the ratios and its standard error, which says how much of a difference is chance; `--only PATH` takes the pairs of one path.
 * Client, model server and gateway compete for the machine's cores, so the numbers of one run compare with each other, not
 * with those of another run; what is added is shown as a multiple of what the proxy adds as well. Memory is the most that
 * the process ever held resident, through all of the run.
 */
import { cpus } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPath, measureLatency, measureThroughput, percentile } from './load.mjs'
import { startServers } from './processes.mjs'
import { measurePrompts } from './prompts.mjs'
import { errorOf, meanOf, median } from './statistics.mjs'
import {
  chatRequest,
  createNumbering,
  expectedIn,
  geminiPath,
  geminiRequest,
  messagesRequest,
  ollamaRequest,
  responsesRequest,
  workloads,
} from './workloads.mjs'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    anycall: { type: 'string', default: fileURLToPath(new URL('../../dist/main.mjs', import.meta.url)) },
    beside: { type: 'string' },
    profile: { type: 'string' },
    protocols: { type: 'boolean', default: false },
    metrics: { type: 'boolean', default: false },
    records: { type: 'boolean', default: false },
    pairs: { type: 'boolean', default: false },
    only: { type: 'string' },
    settings: { type: 'string' },
  },
})

const effort = flags.quick
  ? {
      warmUpMs: 1500,
      warmUp: 5,
      count: 100,
      blocks: 4,
      rounds: 1,
      ms: 200,
      oneProcess: { starts: 1, rounds: 4, warmUpMs: 1500 },
      twoProcesses: { starts: 1, rounds: 4, warmUpMs: 1500 },
      conversations: 3,
      turns: 4,
    }
  : {
      warmUpMs: 3000,
      warmUp: 10,
      count: 500,
      blocks: 10,
      rounds: 3,
      ms: 600,
      // Two processes of one build differ by up to a tenth, so two gateways need many starts. Two paths of one process do not, and its
      // code is compiled only after thousands of replies of both.
      oneProcess: { starts: 4, rounds: 16, warmUpMs: 3000 },
      // In the first ten seconds of a workload V8 compiles: a reply as JSON took 17 % more CPU than in the build beside it, and 3 % after.
      twoProcesses: { starts: 12, rounds: 4, warmUpMs: 10_000 },
      conversations: 8,
      turns: 6,
    }
/** The length of a round of a pair. */
const pairMs = 250
const connections = 16

const replies = Object.keys(workloads).filter((name) => workloads[name].stream)
const gateways = {
  anycall: 'prompted',
  templated: 'templated',
  ...(flags.records && { records: 'prompted, with records' }),
  ...(flags.protocols && {
    chat: 'prompted, Chat Completions',
    responses: 'prompted, Responses API',
    gemini: 'prompted, Gemini API',
    ollama: 'prompted, Ollama API',
  }),
}
/** The paths that use Chat Completions from end to end. */
const direct = ['direct', 'proxy']
const targets = Object.entries(gateways).flatMap(([path, plan]) => [
  ...['json', ...replies].map((name) => ({
    name: `${plan}: ${workloads[name].title}, added p50`,
    unit: 'ms',
    limit: name === 'json' ? 0.7 : 1.5,
    measured: ({ results }) => added(results, name, path),
  })),
  ...replies.map((name) => ({
    name: `${plan}: ${workloads[name].title}, throughput`,
    unit: 'of the proxy’s',
    floor: 0.5,
    measured: ({ results }) => rate(results, name, path) / rate(results, name, 'proxy'),
  })),
])
/** Stands for all workloads of a pair: the geometric mean of their figures. */
const together = 'together'
/** The figure of two processes in the first seconds of load, in which V8 compiles: a second of each workload of the warm-up. */
const firstSeconds = 'firstSeconds'
/** The share that a build should have of another's in the first seconds: see docs/decisions/0016-the-first-seconds-of-load.md. */
const firstShare = 0.9
/**
 * Paths whose throughput is compared in pairs: `[path, other, share]`, the throughput of a path and at least which share of the
 * other's it should have. Each protocol should have the figures of Chat Completions, in which the upstream is asked too.
 */
const pairs = [
  ...(flags.beside === undefined ? [] : [['anycall', 'beside', 1]]),
  ...(flags.records ? [['records', 'anycall', 0.95]] : []),
  ...(flags.protocols ? ['anycall', 'responses', 'gemini', 'ollama'].map((path) => [path, 'chat', 0.9]) : []),
].filter(([path]) => flags.only === undefined || flags.only === path)
const titles = { [together]: 'all of these together', [firstSeconds]: 'the first seconds of load' }
const pairTargets = pairs.flatMap(([path, other, share]) =>
  [...Object.keys(workloads), together, ...(other === 'chat' ? [] : [firstSeconds])].map((name) => ({
    name: `${gateways[path]}: ${workloads[name]?.title ?? titles[name]}, throughput`,
    unit: `of ${gateways[other] ?? 'the build beside it'}`,
    floor: name === firstSeconds ? firstShare : share,
    measured: ({ paired }) => paired.get(`${path} ${other} ${name}`),
  })),
)
const promptTargets = [
  { kind: 'cold', title: 'a new conversation with new tools', limit: 15 },
  { kind: 'next', title: 'a turn that follows', limit: 3 },
].flatMap(({ kind, title, limit }) => [
  {
    name: `prompt of an agent, ${title}, the median template`,
    unit: 'ms',
    limit,
    measured: ({ prompts }) =>
      percentile(
        prompts.map((row) => row[kind]),
        0.5,
      ),
  },
])

function added(results, workload, path, share = 0.5, kind = 'total') {
  const { times } = results[workload]
  return percentile(times.get(path)[kind], share) - percentile(times.get('direct')[kind], share)
}

/** The pace of the machine is in both, so that this compares with another run better than milliseconds do. */
function ofProxy(results, workload, path) {
  return added(results, workload, path) / added(results, workload, 'proxy')
}

function rate(results, workload, path) {
  return percentile(results[workload].rates.get(path), 0.5)
}

/**
 * The figures of the pairs, each a median and its standard error, of what the throughput of a path is to that of the other in the same round, by `path other workload`. Many short rounds
 * in alternating order, of several starts: from one second to the next a shared machine differs by more than what is compared, and two
 * processes of one build by a tenth, for as long as they run. In every second start the gateways are started in the other order, as the
 * one that was started first was slower in most runs.
 */
async function measurePairs() {
  const found = new Map()
  for (const [path, other] of pairs) {
    const { starts, ...ofStart } = effort[other === 'chat' ? 'oneProcess' : 'twoProcesses']
    const ratios = []
    for (let start = 0; start < starts; start++)
      ratios.push(await ratiosOfStart(path, other, { ...ofStart, isReversed: start % 2 === 1 }))
    for (const name of Object.keys(workloads)) {
      const ofWorkload = ratios.map((all) => all.get(name))
      const figure = { value: median(ofWorkload.flat()), error: errorOf(ofWorkload.map(median)) }
      found.set(`${path} ${other} ${name}`, figure)
    }
    const means = ratios.map((all) => meanOf(Object.keys(workloads).map((name) => median(all.get(name)))))
    found.set(`${path} ${other} ${together}`, { value: median(means), error: errorOf(means) })
    const atFirst = ratios.map((all) => meanOf(all.get(firstSeconds)))
    found.set(`${path} ${other} ${firstSeconds}`, { value: median(atFirst), error: errorOf(atFirst) })
  }
  return found
}

async function runPairs() {
  const paired = await measurePairs()
  for (const target of pairTargets) console.log(verdict(target, { paired }))
}

async function ratiosOfStart(path, other, { rounds, warmUpMs, isReversed }) {
  const servers = await startServers(flags.anycall, { ...flags, isReversed })
  const paths = createPaths(servers)
  const both = [path, other].map((wanted) => paths.find(({ name }) => name === wanted))
  try {
    const ratiosOf = (rates) => rates.get(path).map((rate, round) => rate / rates.get(other)[round])
    const [atFirst] = await warmUp(both, warmUpMs)
    const found = new Map([[firstSeconds, atFirst.flatMap(ratiosOf)]])
    for (const name of Object.keys(workloads))
      found.set(name, ratiosOf((await measureThroughput(both, name, { rounds, ms: pairMs, connections })).rates))
    return found
  } finally {
    for (const { close } of paths) close()
    servers.close()
  }
}

/**
 * V8 takes thousands of requests to compile what is worth it, and gateways run for days. The paths take turns, and so do the workloads, a
 * second each, as replies of all kinds come together. Returns the rates by path, a list for each turn of the workloads.
 */
async function warmUp(paths, ms) {
  const turns = []
  for (let turn = 0; turn < ms / 1000; turn++) {
    const rates = []
    for (const name of ['json', 'callBurst', 'textBurst'])
      rates.push((await measureThroughput(paths, name, { rounds: 4, ms: pairMs, connections })).rates)
    turns.push(rates)
  }
  return turns
}

function cpuOf(results, workload, path) {
  return percentile(results[workload].cpuMs.get(path), 0.5)
}

async function run() {
  // Before there are other processes to disturb it.
  const prompts = await measurePrompts(dirname(flags.anycall), effort)
  const profile = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`]
  const servers = await startServers(flags.anycall, { ...flags, execArgv: profile })
  const paths = createPaths(servers)
  const started = performance.now()
  let measured
  try {
    const results = {}
    for (const name of Object.keys(workloads)) await checkAnswers(paths, name)
    // The client and the model server warm up with the gateways; the proxy, which has little to compile, with the load.
    await warmUp(
      paths.filter(({ name }) => !direct.includes(name)),
      effort.warmUpMs,
    )
    for (const name of Object.keys(workloads)) {
      results[name] = await measureThroughput(paths, name, { ...effort, connections })
    }
    const [straight, proxied, ...ours] = paths
    const sets = ours.map((gateway) => [straight, proxied, gateway])
    for (const name of Object.keys(workloads)) results[name].times = await measureLatency(sets, name, effort)
    const memory = {}
    for (const name of ['proxy', ...Object.keys(gateways)])
      memory[name] = (await (servers[name] ?? servers.anycall).usage()).megabytes
    measured = { results, prompts, memory }
  } catch (error) {
    console.log(servers.lastWords())
    throw error
  } finally {
    for (const path of paths) path.close()
    servers.close()
  }
  const paired = await measurePairs()
  print({ ...measured, paired }, (performance.now() - started) / 1000)
}

function createPaths({ model, proxy, anycall, templated, beside, records }) {
  const chat = { path: '/v1/chat/completions', bodyFor: bodies(chatRequest, {}) }
  const messages = {
    path: '/v1/messages',
    bodyFor: bodies(messagesRequest, { 'anthropic-version': '2023-06-01', 'x-api-key': 'none' }),
  }
  return [
    createPath({ name: 'direct', port: model.port, usage: model.usage, ...chat }),
    createPath({ name: 'proxy', port: proxy.port, usage: proxy.usage, ...chat }),
    createPath({ name: 'anycall', port: anycall.port, usage: anycall.usage, ...messages }),
    createPath({ name: 'templated', port: templated.port, usage: templated.usage, ...messages }),
    ...(beside ? [createPath({ name: 'beside', port: beside.port, usage: beside.usage, ...messages })] : []),
    ...(records ? [createPath({ name: 'records', port: records.port, usage: records.usage, ...messages })] : []),
    ...(flags.protocols ? otherProtocols(anycall) : []),
  ]
}

function otherProtocols({ port, usage }) {
  const gemini = bodies(geminiRequest, {})
  return [
    createPath({ name: 'chat', port, usage, path: '/v1/chat/completions', bodyFor: bodies(chatRequest, {}) }),
    createPath({ name: 'responses', port, usage, path: '/v1/responses', bodyFor: bodies(responsesRequest, {}) }),
    createPath({
      name: 'gemini',
      port,
      usage,
      bodyFor: (name) => ({ ...gemini(name), path: geminiPath(name) }),
    }),
    createPath({ name: 'ollama', port, usage, path: '/api/chat', bodyFor: bodies(ollamaRequest, {}) }),
  ]
}

function bodies(write, ownHeaders) {
  const requests = Object.fromEntries(
    Object.keys(workloads).map((name) => {
      const next = createNumbering(write(name))
      return [
        name,
        { next, headers: { 'content-type': 'application/json', 'content-length': next().length, ...ownHeaders } },
      ]
    }),
  )
  return (name) => ({ body: requests[name].next(), headers: requests[name].headers })
}

/** A fast error is no benchmark: each path must answer each workload as it should. */
async function checkAnswers(paths, workload) {
  for (const path of paths) {
    const { chunks } = await path.request(workload)
    const text = Buffer.concat(chunks).toString()
    const expected = direct.includes(path.name)
      ? '"finish_reason":"stop"'
      : expectedIn(path.name, workloads[workload].expects)
    if (!text.includes(expected))
      throw new Error(`${path.name} answered the workload "${workload}" wrongly: ${text.slice(0, 1000)}`)
  }
}

function print(measured, seconds) {
  const { results, prompts, memory } = measured
  const cores = `${cpus().length} cores (${cpus()[0]?.model.trim()})`
  console.log(
    'anycall (Anthropic Messages with tools in; prompted Chat Completions or a templated prompt out) beside a bare proxy that pipes',
  )
  console.log(`node ${process.version}; client, model server and gateway share ${cores}`)
  for (const [name, { title }] of Object.entries(workloads)) {
    const { times } = results[name]
    const paths = [...times.keys()]
    console.log(`\n${title}`)
    printTable([
      ['', ...paths],
      ['p50, ms', ...paths.map((path) => percentile(times.get(path).total, 0.5).toFixed(2))],
      ['p95, ms', ...paths.map((path) => percentile(times.get(path).total, 0.95).toFixed(2))],
      ['added p50, ms', '', ...paths.slice(1).map((path) => added(results, name, path).toFixed(2))],
      ['of what the proxy adds', '', ...paths.slice(1).map((path) => ofProxy(results, name, path).toFixed(1))],
      ['added p95, ms', '', ...paths.slice(1).map((path) => added(results, name, path, 0.95).toFixed(2))],
      ['first byte p50, ms', ...paths.map((path) => percentile(times.get(path).firstByte, 0.5).toFixed(2))],
      ...(workloads[name].stream
        ? [['events in a reply, p50', ...paths.map((path) => percentile(times.get(path).events, 0.5))]]
        : []),
      [`replies a second, ${connections} connections`, ...paths.map((path) => rate(results, name, path).toFixed(0))],
      ['CPU of the process a reply, ms', ...paths.map((path) => cpuOf(results, name, path).toFixed(2))],
    ])
  }
  printPrompts(prompts)
  const peaks = Object.entries(memory).map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)}`)
  console.log(`\npeak memory, MB: ${peaks.join(', ')}\n`)
  for (const target of [...targets, ...pairTargets, ...promptTargets]) console.log(verdict(target, measured))
  const { oneProcess, twoProcesses } = effort
  console.log(
    `\n${effort.count} requests a path and workload, ${effort.rounds} × ${effort.ms} ms of load; pairs in one process ${oneProcess.starts} × ${oneProcess.rounds} × ${pairMs} ms, of two ${twoProcesses.starts} × ${twoProcesses.rounds} × ${pairMs} ms; ${seconds.toFixed(0)} s`,
  )
}

function printPrompts(prompts) {
  const worst = (kind) => prompts.reduce((one, other) => (other[kind] > one[kind] ? other : one))
  const row = (label, kind) => [
    label,
    percentile(
      prompts.map((one) => one[kind]),
      0.5,
    ).toFixed(2),
    worst(kind)[kind].toFixed(2),
    ` ${worst(kind).name}`,
  ]
  console.log(`\nPrompt of an agent: 24 tools, 76 kB, as count_tokens; ${prompts.length} templates`)
  printTable([
    ['', 'median', 'worst', ''],
    row('new conversation, new tools, ms', 'cold'),
    row('turns that follow, ms', 'next'),
  ])
}

/** `measured` returns a number, or a figure with its standard error: what is missed by less than two of these may be chance. */
function verdict({ name, unit, limit, floor, measured }, all) {
  const found = measured(all)
  const { value, error } = typeof found === 'number' ? { value: found, error: 0 } : found
  const missing = limit === undefined ? floor - value : value - limit
  const wanted = limit === undefined ? `at least ${floor}` : `at most ${limit}`
  const said = missing <= 0 ? 'met' : missing < 2 * error ? 'missed, within the noise' : 'missed'
  const noise = error === 0 ? '' : ` ± ${error.toFixed(2)}`
  return `target: ${name} ${wanted} ${unit}  measured: ${value.toFixed(2)}${noise}  ${said}`
}

function printTable(rows) {
  for (const [label, ...cells] of rows) {
    console.log(`  ${label.padEnd(36)}${cells.map((cell) => String(cell).padStart(10)).join('')}`)
  }
}

try {
  await (flags.pairs ? runPairs() : run())
} catch (error) {
  process.exitCode = 1
  console.log(`The benchmark did not run: ${error instanceof Error ? error.message : error}`)
}
