// @ts-check
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCommand } from '../clients/build.mjs'

/** @typedef {{ port: number, url: string, pid: number, stop(signal?: NodeJS.Signals): Promise<void>, log(): string }} Server */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** Ends all that was started, and still runs. */
export function stopAll() {
  for (const child of running) child.kill('SIGKILL')
}

/** @param {import('node:child_process').ChildProcess} child */
function followed(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Starts the model server. @param {number} port @returns {Promise<Server>} */
export async function startModel(port = 0) {
  const child = followed(fork(fileURLToPath(new URL('model.mjs', import.meta.url)), [String(port)]))
  const [message] = await once(child, 'message')
  return {
    port: message.port,
    url: `http://127.0.0.1:${message.port}/v1`,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGKILL') => ended(child, signal),
    log: () => '',
  }
}

/**
 * Starts a gateway with a configuration, and waits until it listens. `logFile` is by default one in `folder`.
 * @param {{ folder: string, name: string, config: object, logFile?: string, env?: Record<string, string> }} options
 * @returns {Promise<Server>}
 */
export async function startGateway({ folder, name, config, logFile = join(folder, `${name}.log`), env = {} }) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(config))
  const log = openSync(logFile, 'a')
  const child = followed(
    spawn(process.execPath, [builtCommand, 'serve', '--config', file], {
      stdio: ['ignore', 'pipe', log],
      env: { ...process.env, ...env },
    }),
  )
  closeSync(log)
  let said = ''
  for await (const text of child.stdout ?? []) {
    said += text
    const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
    if (port === undefined) continue
    child.stdout?.resume()
    return {
      port: Number(port),
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      stop: (signal = 'SIGTERM') => ended(child, signal),
      log: () => readFileSync(logFile, 'utf8'),
    }
  }
  throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').slice(-1000)}`)
}

/** @param {readonly number[]} modelPorts @param {object} [settings] */
export function configFor(modelPorts, settings = {}) {
  const upstreams = Object.fromEntries(
    modelPorts.map((port, index) => [
      `model-${index + 1}`,
      { type: 'openai-chat', url: `http://127.0.0.1:${port}/v1` },
    ]),
  )
  return {
    listen: { port: 0, graceSeconds: 30 },
    upstreams,
    models: [{ match: '*', upstream: Object.keys(upstreams), plan: 'prompted' }],
    limits: { concurrentRequests: 1000 },
    ...settings,
  }
}

/** Returns a port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The reason why HAProxy cannot be used; undefined if it can. */
export const noProxy =
  spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'haproxy is not installed: apt-get install haproxy'

/**
 * Starts HAProxy before servers. It takes a server out that no longer answers, and asks the next one if no connection can be made, or
 * one that was kept is closed as it is used again. `balance` is its way to choose one.
 * @param {{ folder: string, ports: readonly number[], balance?: string }} options
 * @returns {Promise<Server>}
 */
export async function startProxy({ folder, ports, balance = 'leastconn' }) {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 120s
  timeout server 120s
  retries 5
  option redispatch 1
  retry-on conn-failure empty-response
frontend clients
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance ${balance}
  option httpchk GET /readyz
  default-server inter 500ms fall 3 rise 1
${ports.map((replica, index) => `  server replica-${index + 1} 127.0.0.1:${replica} check`).join('\n')}
`,
  )
  const child = followed(spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] }))
  const url = `http://127.0.0.1:${port}`
  const end = performance.now() + 20_000
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) break
    if (performance.now() > end) throw new Error('HAProxy serves no replica after 20 s')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { port, url, pid: child.pid ?? 0, stop: (signal = 'SIGTERM') => ended(child, signal), log: () => '' }
}

const storeProgram = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** The reason why there is no store of responses; undefined if there can be one. */
export const noStore =
  storeProgram === undefined
    ? 'neither valkey-server nor redis-server is installed: apt-get install redis-server'
    : undefined

/** Starts Valkey or Redis, with its data in `folder`. @param {string} folder @param {number} [given] @returns {Promise<Server>} */
export async function startStore(folder, given) {
  const port = given ?? (await freePort())
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const keeping = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const child = followed(spawn(storeProgram ?? '', [...where, ...keeping], { stdio: ['ignore', 'pipe', 'ignore'] }))
  for await (const text of child.stdout ?? []) {
    if (!String(text).includes('Ready to accept connections')) continue
    child.stdout?.resume()
    break
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGTERM') => ended(child, signal),
    log: () => '',
  }
}
