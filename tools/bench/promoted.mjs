// @ts-check
/**
 * Measures how many bytes of a reply are promoted to V8's old memory, which only a full garbage collection frees:
 * `npm run bench:promoted [-- --replies 3000 --strict]`, or `node tools/bench/promoted.mjs` with the command as it was built. It sends streamed
 * requests, 16 at a time, to a gateway that remembers no replies, and reads V8's log of collections (`--trace-gc-nvp`). A request ends before
 * the second collection after its start, so nothing of it should be promoted. With `--strict` it ends with 1 if the bytes are over the limit.
 *
 * V8 does so by itself as well: if objects that one place of the code makes survive the collections of a process's first seconds, it makes
 * all objects of that place in old memory until the next full collection (allocation-site pretenuring). Each of them holds what it refers
 * to: in a third of all processes 3 or 17 kB a reply are promoted. That is measured without, with `--no-allocation-site-pretenuring`; the
 * throughput is the same with and without it (1.00, 64 pairs of rounds in 8 starts).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPath } from './load.mjs'
import { startProcess } from './processes.mjs'
import { createNumbering, messagesRequest } from './workloads.mjs'

const { values } = parseArgs({
  options: {
    replies: { type: 'string', default: '3000' },
    strict: { type: 'boolean', default: false },
  },
})
const replies = Number(values.replies)
const connections = 16
/** Kilobytes for each reply. 0.6 to 1.5 are measured; the body of a request alone has 9. */
const limit = 2
/** @param {string} name */
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

const kilobytes = await promotedInProcess()
if (values.strict && kilobytes > limit) {
  console.log('OVER: something holds a reply that is over until the next full collection.')
  process.exitCode = 1
}

/** Returns the kilobytes that are promoted for each reply, in a gateway of its own. */
async function promotedInProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-bench-'))
  const model = await startProcess(here('model-server.mjs'), [], { folder })
  const config = join(folder, 'anycall.json')
  writeFileSync(
    config,
    JSON.stringify({
      listen: { port: 0 },
      upstreams: { model: { type: 'openai-chat', url: `http://127.0.0.1:${model.port}/v1` } },
      models: [{ match: '*', upstream: 'model', plan: 'prompted' }],
      limits: { repliesMegabytes: 0 },
    }),
  )
  const args = [
    '--trace-gc-nvp',
    '--no-allocation-site-pretenuring',
    here('../../dist/main.mjs'),
    'serve',
    '--config',
    config,
  ]
  const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  gateway.stdout.on('data', (bytes) => {
    said += bytes
  })
  try {
    const path = pathTo(await port(gateway, () => said))
    // Code and what belongs to it is made first, and stays.
    await send(path, replies)
    said = ''
    await send(path, replies)
    path.close()
    const promoted = [...said.matchAll(/ gc=s .*? promoted=(\d+)/g)].map(([, bytes]) => Number(bytes))
    if (promoted.length === 0) throw new Error('V8 logged no collection: send more replies (--replies).')
    const each = promoted.reduce((sum, bytes) => sum + bytes, 0) / replies / 1024
    console.log(
      `${promoted.length} collections, ${each.toFixed(2)} kB promoted for each of ${replies} replies, limit ${limit} kB; node ${process.version}`,
    )
    return each
  } finally {
    gateway.kill()
    model.child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {import('node:child_process').ChildProcess} gateway
 * @param {() => string} said
 * @returns {Promise<number>}
 */
async function port(gateway, said) {
  for (;;) {
    const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said())
    if (found) return Number(found[1])
    if (gateway.exitCode !== null) throw new Error(`The gateway ended: ${said()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** @param {number} port */
function pathTo(port) {
  const next = createNumbering(messagesRequest('callBurst'))
  const headers = { 'content-type': 'application/json', 'content-length': next().length }
  const bodyFor = () => ({ body: next(), headers })
  return createPath({ name: 'promoted', port, path: '/v1/messages', bodyFor, usage: () => undefined })
}

/**
 * @param {ReturnType<typeof createPath>} path
 * @param {number} count
 */
async function send(path, count) {
  let left = count
  const keepBusy = async () => {
    while (left-- > 0) await path.request('callBurst', connections)
  }
  await Promise.all(Array.from({ length: connections }, keepBusy))
}
