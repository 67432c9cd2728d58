/**
 * Measures the throughput of `anycall serve` with one and with two workers: `npm run bench:workers`, or `node tools/bench/workers.mjs
 * [--rounds N] [--connections N]`. It judges one thing: the throughput on k cores is to be at least 0.85 k of that on one.
 *
 * Load and model server need about as much of the machine as the gateway. On two cores there is no room for them beside two workers, so
 * they share the cores with the gateway in both cases: one worker, load and model server on one core; two workers, load and model server
 * on two. The rate and the CPU time of the workers for a reply are compared, by the medians of rounds in turn. The rate needs a machine
 * that is otherwise idle: what else runs goes out of the way of one core, but not of two. The CPU time does not. `free core`: one worker
 * alone on its core, and the load on the others.
 *
 * For more workers there is a simulation with these times (workers/simulate.mjs), marked as such.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPath, percentile } from './load.mjs'
import { printTable, printTargets } from './print.mjs'
import { seeded, simulate } from './workers/simulate.mjs'
import { createNumbering, messagesRequest } from './workloads.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, connections: { type: 'string', default: '16' } },
})
const connections = Number(flags.connections)
const workload = 'textBurst'
const roundMs = 2000
/** Replies of each worker before it is measured: V8 takes thousands to compile what is worth it. */
const warmReplies = 2000
const cores = availableParallelism()
const children = []
const folder = mkdtempSync(join(tmpdir(), 'anycall-workers-'))

/** The CPU time that a process has used, in ms; /proc counts hundredths of a second. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function workersOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function pin(pid, list) {
  return once(spawn('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)], { stdio: 'ignore' }), 'exit')
}

async function startModel() {
  const child = fork(here('model-server.mjs'), [])
  children.push(child)
  const [{ port }] = await once(child, 'message')
  return { port, pid: child.pid }
}

async function startGateway(workers, modelPort) {
  const file = join(folder, `${workers}.json`)
  const upstreams = { model: { type: 'openai-chat', url: `http://127.0.0.1:${modelPort}/v1` } }
  const models = [{ match: '*', upstream: 'model', plan: 'prompted' }]
  writeFileSync(file, JSON.stringify({ listen: { port: 0, workers }, upstreams, models }))
  const log = openSync(join(folder, `${workers}.log`), 'a')
  const child = spawn(process.execPath, [here('../../dist/main.mjs'), 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  children.push(child)
  let said = ''
  for await (const text of child.stdout) {
    said += text
    const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
    if (port !== undefined) {
      child.stdout.resume()
      return { child, port: Number(port), pids: workers === 1 ? [child.pid] : workersOf(child.pid) }
    }
  }
  throw new Error(`the gateway ended: ${readFileSync(join(folder, `${workers}.log`), 'utf8')}`)
}

/** Keeps all connections busy until `isDone`, and returns the number of replies. */
async function load(path, isDone) {
  let replies = 0
  const keepBusy = async () => {
    while (!isDone(replies)) {
      await path.request(workload, connections)
      replies++
    }
  }
  await Promise.all(Array.from({ length: connections }, keepBusy))
  return replies
}

/** Starts a gateway with so many workers, and lets it compile what it needs. */
async function prepare(workers, model) {
  const gateway = await startGateway(workers, model.port)
  const next = createNumbering(messagesRequest(workload))
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': 'none' }
  const bodyFor = () => {
    const body = next()
    return { body, headers: { ...headers, 'content-length': body.length } }
  }
  const path = createPath({ name: `${workers} workers`, port: gateway.port, path: '/v1/messages', bodyFor })
  await load(path, (replies) => replies >= warmReplies * workers)
  return { ...gateway, path, workers }
}

/** One round. `own` are the cores of the gateway, `others` those of load and model server. */
async function round({ child, pids, path }, model, own, others) {
  for (const pid of new Set([child.pid, ...pids])) await pin(pid, own)
  for (const pid of [process.pid, model.pid]) await pin(pid, others)
  const used = () => [child.pid, ...pids].map(cpuMs)
  const before = used()
  const begun = performance.now()
  const replies = await load(path, () => performance.now() > begun + roundMs)
  const seconds = (performance.now() - begun) / 1000
  const [primary, ...workers] = used().map((ms, index) => ms - before[index])
  const sum = workers.reduce((total, ms) => total + ms, 0)
  return {
    rate: replies / seconds,
    workerMs: sum / replies,
    primaryMs: pids[0] === child.pid ? 0 : primary / replies,
    busiest: Math.max(...workers) / sum,
  }
}

/** The median of each figure. */
function median(rounds) {
  return Object.fromEntries(
    Object.keys(rounds[0]).map((name) => [
      name,
      percentile(
        rounds.map((one) => one[name]),
        0.5,
      ),
    ]),
  )
}

try {
  const model = await startModel()
  const [single, double] = [await prepare(1, model), await prepare(2, model)]
  const all = cores > 1 ? '0-1' : '0'
  const rounds = { one: [], two: [], free: [] }
  for (let index = 0; index < Number(flags.rounds); index++) {
    rounds.one.push(await round(single, model, '0', '0'))
    rounds.two.push(await round(double, model, all, all))
    rounds.free.push(await round(single, model, '0', cores > 1 ? `1-${cores - 1}` : '0'))
  }
  const [one, two, free] = [median(rounds.one), median(rounds.two), median(rounds.free)]
  const row = (label, name, digits) => [label, ...[one, two, free].map((figures) => figures[name].toFixed(digits))]
  console.log(
    `Measured, ${connections} connections, a streamed reply of 200 pieces, load and model server on the same cores:`,
  )
  printTable([
    ['', '1 worker', '2 workers', 'free core'],
    row('replies/s', 'rate', 0),
    row('CPU ms/reply, workers', 'workerMs', 2),
    row('CPU ms/reply, primary', 'primaryMs', 3),
    row('share of the busiest worker', 'busiest', 2),
  ])
  const settings = {
    requestsPerConnection: 20,
    serviceMs: two.workerMs,
    // Passing a connection on; measured with connections that stay, so that it is set high.
    acceptMs: 0.25,
    thinkMs: 200,
    durationMs: 60_000,
  }
  const simulated = [1, 2, 4, 8, 16].map((workers) => ({
    workers,
    rate: simulate({ ...settings, workers, connections: workers * 256, random: seeded(1) }),
  }))
  console.log('\nSimulated, 256 connections for each worker, 20 requests each, 0.25 ms to pass one on:')
  printTable([
    ['workers', ...simulated.map(({ workers }) => workers)],
    ['replies/s', ...simulated.map(({ rate }) => rate.toFixed(0))],
    ['of k times one', ...simulated.map(({ workers, rate }) => (rate / (workers * simulated[0].rate)).toFixed(2))],
  ])
  console.log('')
  printTargets([
    {
      name: 'two workers, CPU time for a reply',
      unit: 'of the efficiency of one',
      floor: 0.85,
      value: one.workerMs / (two.workerMs + two.primaryMs),
    },
    {
      name: 'two workers on two cores, rate',
      unit: 'of twice one on one core',
      floor: 0.85,
      value: two.rate / (2 * one.rate),
    },
    ...simulated.slice(1).map(({ workers, rate }) => ({
      name: `${workers} workers (simulated)`,
      unit: `of ${workers} times one`,
      floor: 0.85,
      value: rate / (workers * simulated[0].rate),
    })),
  ])
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
