// @ts-check
// Holds a gateway of two workers at about half of the load that it can take, and prints memory, descriptors and lost streams: `npm run
// soak -- [--minutes N] [--streams N]`. Exit code: 1 if a stream was lost, or memory or descriptors of a worker grow.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './clients/build.mjs'
import { configFor, startGateway, startModel, stopAll } from './rolling/servers.mjs'
import { Load, printed } from './rolling/streams.mjs'
import { workersOf } from './rolling/workers.mjs'

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, streams: { type: 'string', default: '100' } },
})
const minutes = Number(flags.minutes)
/** A shorter run cannot tell a slope from noise. */
const isLong = minutes >= 20
/** The growth of all processes together that is no leak: what V8's heap varies by between two collections. */
const allowedMegabytesAnHour = 60

/** @typedef {{ minute: number, megabytes: number, descriptors: number }} Sample */

/** @param {number} pid */
function sampleOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  return { megabytes, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** Returns the slope of a line through the values by least squares, per hour. @param {Sample[]} samples @param {'megabytes' | 'descriptors'} name */
function slope(samples, name) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(samples.map(({ minute }) => minute))
  const level = mean(samples.map((sample) => sample[name]))
  let above = 0
  let below = 0
  for (const sample of samples) {
    above += (sample.minute - middle) * (sample[name] - level)
    below += (sample.minute - middle) ** 2
  }
  return below === 0 ? 0 : (above / below) * 60
}

ensureBuilt()
process.once('exit', stopAll)
const folder = mkdtempSync(join(tmpdir(), 'anycall-soak-'))
try {
  const model = await startModel()
  const listen = { port: 0, workers: 2, graceSeconds: 30 }
  const records = { file: join(folder, 'records.db'), megabytes: 32 }
  const gateway = await startGateway({ folder, name: 'gateway', config: configFor([model.port], { listen, records }) })
  const pids = [gateway.pid, ...workersOf(gateway.pid)]
  /** @type {Map<number, Sample[]>} */
  const samples = new Map(pids.map((pid) => [pid, []]))
  const load = new Load({ url: gateway.url, model: 'words-40-100', concurrent: Number(flags.streams) })
  const begun = performance.now()
  const cpuBefore = pids.map(cpuSeconds)
  // The first part is left out: code is compiled, and caches fill.
  const warmMinutes = Math.min(5, minutes / 3)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    const minute = (performance.now() - begun) / 60_000
    for (const [pid, list] of samples) if (minute > warmMinutes) list.push({ minute, ...sampleOf(pid) })
    if (minute >= minutes) break
  }
  const cpu = pids.map((pid, index) => cpuSeconds(pid) - (cpuBefore[index] ?? 0))
  const outcomes = await load.end()
  let isGrowing = false
  for (const [index, [pid, list]] of [...samples].entries()) {
    const [memory, descriptors] = [slope(list, 'megabytes'), slope(list, 'descriptors')]
    const last = list.at(-1)
    const share = ((cpu[index] ?? 0) / (minutes * 60)) * 100
    console.log(
      `${pid === gateway.pid ? 'primary' : 'worker '} ${pid}: ${last?.megabytes.toFixed(0)} MB, ${signed(memory)} MB an hour; ${last?.descriptors} descriptors, ${signed(descriptors)} an hour; ${share.toFixed(0)} % of a core`,
    )
    if (isLong && descriptors > Number(flags.streams)) isGrowing = true
  }
  // Of all processes together: each one's memory rises and falls with its collections, which come every few minutes.
  const count = Math.min(...[...samples.values()].map(({ length }) => length))
  const together = Array.from({ length: count }, (_, index) => {
    const at = [...samples.values()].flatMap((list) => list[index] ?? [])
    return {
      ...(at[0] ?? { minute: 0 }),
      megabytes: at.reduce((sum, { megabytes }) => sum + megabytes, 0),
      descriptors: 0,
    }
  })
  const growth = slope(together, 'megabytes')
  console.log(`together ${together.at(-1)?.megabytes.toFixed(0)} MB, ${signed(growth)} MB an hour`)
  if (isLong && growth > allowedMegabytesAnHour) isGrowing = true
  const restarts = gateway
    .log()
    .split('\n')
    .filter((line) => line.includes('"worker.ended"')).length
  console.log(`streams in ${minutes} min: ${printed(outcomes)}; lost: ${load.broken}; workers that ended: ${restarts}`)
  await gateway.stop()
  process.exitCode = load.broken > 0 || restarts > 0 || isGrowing ? 1 : 0
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** @param {number} value */
function signed(value) {
  return `${value >= 0 ? '+' : ''}${value.toFixed(1)}`
}

/** Returns the CPU time that a process has used. @param {number} pid */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // In ticks of a hundredth of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}
