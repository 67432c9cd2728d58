/**
 * Measures how long one request can keep another waiting: `npm run bench:hostile`, or `node tools/bench/hostile.mjs
 * [--anycall FILE] [--beside FILE] [--only TEXT] [--cold]` with the built command (default `dist/main.mjs`), another build of it
 * to be measured in the same way, and a part of the kinds' names. With `--cold` each kind is the first request of a process that has served
 * nothing: it starts 190 of them, which takes ten minutes.
 *
 * Requests and replies of hostile/kinds.mjs are sent through a gateway that is a process of its own, with a stand-in for the upstream. Meanwhile /health
 * and a small completion are asked for every few milliseconds; another stand-in answers that, as one that writes 20 MB keeps others waiting itself. A row for each kind and plan: the status, the CPU time of the gateway, the longest that
 * another request waited, and the most memory that the gateway held.
 *
 * It measures and judges nothing: times are those of a machine with other work. The bounds themselves are counted in steps and bytes by tests.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { kinds, requestOf } from './hostile/kinds.mjs'
import { cpuMs, forgetPeak, others, peakMegabytes, send } from './hostile/measure.mjs'
import { template } from './hostile/template.mjs'
import { printTable } from './print.mjs'

const { values: flags } = parseArgs({
  options: {
    anycall: { type: 'string', default: fileURLToPath(new URL('../../dist/main.mjs', import.meta.url)) },
    beside: { type: 'string' },
    only: { type: 'string', default: '' },
    cold: { type: 'boolean', default: false },
  },
})

/** Longer than this no answer is waited for: the gateway is then started anew. */
const patienceMs = 30_000
const headings = ['status', 'CPU ms', 'worst ms', 'MB']

const folder = mkdtempSync(join(tmpdir(), 'anycall-hostile-'))
const standIn = fileURLToPath(new URL('./hostile/upstream.mjs', import.meta.url))
const upstream = await start(standIn, [])
const calmUpstream = await start(standIn, [])
const config = join(folder, 'anycall.json')
writeFileSync(config, JSON.stringify(configFor(urlOf(upstream), urlOf(calmUpstream))))

const builds = { after: flags.anycall, ...(flags.beside && { before: flags.beside }) }
const gateways = {}
try {
  const rows = []
  for (const kind of kinds) {
    for (const plan of kind.plans) {
      const name = kind.plans.length > 1 ? `${kind.name}, ${plan}` : kind.name
      if (!name.includes(flags.only)) continue
      const cells = []
      for (const build of Object.keys(builds)) cells.push(...(await measure(build, kind, plan)))
      rows.push([name, ...cells])
      printTable([rows.at(-1)], 66)
    }
  }
  console.log(`\n${Object.keys(builds).join(', then ')}: ${headings.join(', ')}`)
  printTable([['kind', ...Object.keys(builds).flatMap(() => headings)], ...rows], 66)
  for (const [index, build] of Object.keys(builds).entries()) {
    const worst = rows.toSorted((one, other) => other[3 + 4 * index] - one[3 + 4 * index])[0]
    console.log(`${build}: another request waited ${worst?.[3 + 4 * index]} ms at most, for: ${worst?.[0]}`)
  }
} finally {
  for (const { child } of [upstream, calmUpstream]) child.kill()
  for (const { child } of Object.values(gateways)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function measure(build, kind, plan) {
  gateways[build] ??= await start(builds[build], ['serve', '--config', config], true)
  const { child, port } = gateways[build]
  const { bytes, headers, copies } = requestOf(kind, plan)
  if (!flags.cold) await warmUp(port, plan)
  await say(kind.reply)
  forgetPeak(child.pid)
  const before = cpuMs(child.pid) ?? 0
  // The first completion of a process has work of its own, for which no hostile request is the cause.
  const waiting = others(port, flags.cold ? ['health'] : ['health', 'completion'])
  const hostile = { path: kind.path ?? '/v1/chat/completions', bytes, headers, timeoutMs: patienceMs }
  const statuses = await Promise.all(Array.from({ length: copies }, () => send(port, hostile)))
  if (statuses.some((status) => typeof status !== 'number')) {
    const cpu = (cpuMs(child.pid) ?? 0) - before
    const megabytes = peakMegabytes(child.pid) ?? 0
    child.kill('SIGKILL')
    delete gateways[build]
    await waiting.stop()
    return [statuses.find((status) => typeof status !== 'number'), cpu, patienceMs, Math.round(megabytes)]
  }
  const worst = await waiting.stop()
  const cpu = (cpuMs(child.pid) ?? 0) - before
  const megabytes = Math.round(peakMegabytes(child.pid) ?? 0)
  if (flags.cold) {
    child.kill('SIGKILL')
    delete gateways[build]
  }
  return [[...new Set(statuses)].join('/'), cpu, Math.round(worst), megabytes]
}

/** Has the work done that is done once, such as the analysis of a template: it does not count for the request, nor for the others. */
async function warmUp(port, plan) {
  await say({ type: 'text', text: 'ok' })
  await send(port, { path: '/v1/chat/completions', bytes: calm('calm') })
  await send(port, { path: '/v1/chat/completions', bytes: calm(plan) })
}

/** Has the upstream answer so from now on. */
function say(reply) {
  return send(upstream.port, { path: '/control', bytes: Buffer.from(JSON.stringify(reply)) })
}

function calm(plan) {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  return Buffer.from(JSON.stringify({ model: plan, messages: [{ role: 'user', content: 'Hello' }], tools }))
}

function urlOf({ port }) {
  return `http://127.0.0.1:${port}`
}

function configFor(url, calmUrl) {
  const chat = { type: 'openai-chat', retries: 0 }
  return {
    listen: { port: 0 },
    log: { level: 'error' },
    upstreams: {
      calm: { ...chat, url: `${calmUrl}/calm/v1` },
      chat: { ...chat, url: `${url}/v1` },
      llama: { type: 'llama-server', url, retries: 0 },
      vllm: { type: 'vllm', url, retries: 0 },
    },
    models: [
      { match: 'calm', upstream: 'calm', plan: 'native' },
      { match: 'native', upstream: 'chat', plan: 'native', corrections: 1 },
      { match: 'prompted', upstream: 'chat', plan: 'prompted', dialect: 'glm', corrections: 1 },
      { match: 'templated', upstream: 'llama', plan: 'templated' },
      { match: 'tagged', upstream: 'vllm', plan: 'templated', template: writeTemplate() },
    ],
  }
}

function writeTemplate() {
  const file = join(folder, 'template.jinja')
  writeFileSync(file, template)
  return file
}

function start(file, args, fromBanner = false) {
  const child = fork(file, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended (${code})`)))
    if (!fromBanner) child.once('message', ({ port }) => resolve({ child, port }))
    let said = ''
    child.stdout.on('data', (bytes) => {
      said += bytes
      const found = fromBanner && /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (found) resolve({ child, port: Number(found[1]) })
    })
  })
}
