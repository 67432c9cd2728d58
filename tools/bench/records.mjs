/**
 * Shows that records stay within their bounds: `npm run bench:records [-- --exchanges 24000]`, or `node tools/bench/records.mjs` with the
 * command as it was built. Streamed requests go through a gateway that keeps records in a file. It prints the resident memory, the
 * size of the file and the number of dropped records ten times, kills the gateway (SIGKILL) while it writes, and reads all records of the file. It ends with 1 if a record
 * is torn, if the file is over its limit, or if the memory of the last quarter is more than 15 % above that of
 * the third: until then the gateway's caches fill, with and without records.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPath, percentile } from './load.mjs'
import { startProcess } from './processes.mjs'
import { createNumbering, messagesRequest } from './workloads.mjs'

const { values } = parseArgs({ options: { exchanges: { type: 'string', default: '24000' } } })
const exchanges = Number(values.exchanges)
const samples = 20
const connections = 16
const megabytes = 16
/** Records may take all of the time: with the default few are kept under this load, and the file never reaches its limit. */
const busyShare = 1
const grows = 1.15
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const main = here('../../dist/main.mjs')

const folder = mkdtempSync(join(tmpdir(), 'anycall-bench-'))
const servers = []
try {
  const model = await startProcess(here('model-server.mjs'), [], { folder })
  servers.push(model)
  const file = join(folder, 'records.db')
  const config = join(folder, 'anycall.json')
  const upstreams = { model: { type: 'openai-chat', url: `http://127.0.0.1:${model.port}/v1` } }
  const models = [{ match: '*', upstream: 'model', plan: 'prompted' }]
  writeFileSync(
    config,
    JSON.stringify({ listen: { port: 0 }, upstreams, models, records: { file, megabytes, busyShare } }),
  )
  const gateway = await startProcess(main, ['serve', '--config', config], { folder, portFrom: 'banner' })
  servers.push(gateway)
  const problems = await run(gateway, file)
  for (const problem of problems) console.log(`problem: ${problem}`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  for (const { child } of servers) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function run(gateway, file) {
  const path = pathTo(gateway)
  const problems = []
  const memory = []
  for (let sample = 0; sample < samples; sample++) {
    await send(path, exchanges / samples)
    memory.push(residentMegabytes(gateway.child.pid))
    const bytes = sizeOf(file)
    if (bytes > megabytes * 1024 ** 2) problems.push(`the file has ${bytes} bytes, more than ${megabytes} MB`)
    if (sample % 2 === 1)
      console.log(
        `${((sample + 1) * exchanges) / samples} exchanges: ${memory.at(-1).toFixed(0)} MB, file ${(bytes / 1024 ** 2).toFixed(1)} MB, ${await droppedBy(gateway)} dropped`,
      )
  }
  const quarter = samples / 4
  const [third, last] = [memory.slice(2 * quarter, 3 * quarter), memory.slice(-quarter)].map((some) =>
    percentile(some, 0.5),
  )
  console.log(`memory: ${third.toFixed(0)} MB in the third quarter, ${last.toFixed(0)} MB in the last one`)
  if (last > grows * third) problems.push('the memory grows')
  // Killed in the middle of its writing.
  const sending = send(path, 500).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 300))
  gateway.child.kill('SIGKILL')
  await Promise.all([once(gateway.child, 'exit'), sending])
  path.close()
  const lines = execFileSync(process.execPath, [main, 'records', 'export', '--file', file], { maxBuffer: 2e9 })
  const kept = lines
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  // A brief record has no answer, but the text that the answer was made of.
  const isWhole = ({ isBrief, answer, attempts }) => Boolean((isBrief ? attempts.at(-1)?.text : answer.body)?.text)
  const torn = kept.filter((record) => record.timings.end === undefined || !isWhole(record))
  console.log(`${kept.length} records after SIGKILL, ${torn.length} of them torn`)
  if (kept.length === 0 || torn.length > 0) problems.push(`${torn.length} of ${kept.length} records are torn`)
  return problems
}

function pathTo({ port, usage }) {
  const next = createNumbering(messagesRequest('callBurst'))
  const headers = { 'content-type': 'application/json', 'content-length': next().length, 'x-api-key': 'none' }
  return createPath({ name: 'records', port, usage, path: '/v1/messages', bodyFor: () => ({ body: next(), headers }) })
}

async function send(path, count) {
  let left = count
  const keepBusy = async () => {
    while (left-- > 0) await path.request('callBurst', connections)
  }
  await Promise.all(Array.from({ length: connections }, keepBusy))
}

/** The records that were dropped so far. A gateway answers once the records that wait are written. */
async function droppedBy({ port }) {
  const response = await fetch(`http://127.0.0.1:${port}/inspector/api/health`)
  return (await response.json()).kept.dropped
}

function residentMegabytes(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024
}

/** The file with its write-ahead log. */
function sizeOf(file) {
  const name = file.split('/').at(-1)
  const names = readdirSync(folder).filter((one) => one === name || one === `${name}-wal`)
  return names.reduce((sum, one) => sum + statSync(join(folder, one)).size, 0)
}
