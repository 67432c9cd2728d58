// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand } from '../../clients/build.mjs'
import { configFor, noStore, startGateway, startModel, startStore } from '../servers.mjs'
import { Load, printed } from '../streams.mjs'

/** @typedef {import('./restarts.mjs').Options} Options */
/** @typedef {import('./restarts.mjs').Result} Result */

const model = 'words-20-200'
const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Stops the store of responses, and starts it again. Requests that need it are told so; streams go on.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function storeGone({ folder, streams }) {
  if (noStore !== undefined) return { saw: 'left out', fault: noStore }
  const words = await startModel()
  let store = await startStore(folder)
  const responses = { store: store.url, timeout: 1 }
  const listen = { port: 0, workers: 2 }
  const config = configFor([words.port], { responses, listen })
  const gateway = await startGateway({ folder, name: 'gateway', config })
  const ask = async (/** @type {string | undefined} */ previous) => {
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'words-3-10', input: 'Count.', previous_response_id: previous }),
    })
    const { id } = await answer.json()
    return { status: answer.status, id: typeof id === 'string' ? id : undefined }
  }
  const load = new Load({ url: gateway.url, model, concurrent: streams })
  const first = await ask(undefined)
  const with1 = [await ask(first.id), await ask(first.id), await ask(first.id), await ask(first.id)]
  await store.stop('SIGKILL')
  const without = [await ask(first.id), await ask(undefined)]
  store = await startStore(folder, store.port)
  /** @type {Awaited<ReturnType<typeof ask>>} */
  let after = await ask(first.id)
  for (let tries = 0; tries < 50 && after.status !== 200; tries++) {
    await wait(200)
    after = await ask(first.id)
  }
  const outcomes = await load.end()
  const statuses = (/** @type {{ status: number }[]} */ answers) => answers.map(({ status }) => status).join(', ')
  const isAsExpected =
    load.broken === 0 &&
    with1.every(({ status }) => status === 200) &&
    without[0]?.status === 503 &&
    after.status === 200
  return {
    saw: `${streams} streams with the store gone: ${printed(outcomes)}; a response continued with the store: ${statuses(with1)}; without it: ${without[0]?.status}, a new one: ${without[1]?.status}; once it is back: ${after.status}`,
    fault: isAsExpected ? undefined : 'expected: streams whole, 200 with the store, 503 without, 200 once it is back',
  }
}

/**
 * Fills the disk of the log and of the records. No stream may break, and both are written again once there is room.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function diskFull({ folder, streams }) {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status !== 0) {
    return { saw: 'left out', fault: 'a small disk cannot be mounted: this needs the rights of root' }
  }
  try {
    const words = await startModel()
    const records = { file: join(disk, 'records.db'), megabytes: 100 }
    const config = configFor([words.port], { records })
    const gateway = await startGateway({ folder, name: 'gateway', config, logFile: join(disk, 'gateway.log') })
    const load = new Load({ url: gateway.url, model, concurrent: streams })
    await load.opened(streams)
    const filler = join(disk, 'filler')
    // It ends when nothing more fits.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'count=16384'])
    await wait(8000)
    rmSync(filler)
    const before = gateway.log().split('\n').length
    await wait(2000)
    const outcomes = await load.end()
    const written = gateway.log().split('\n').length - before
    await gateway.stop()
    const listed = spawnSync(process.execPath, [builtCommand, 'records', 'list', '--file', records.file, '--json'])
    const kept = String(listed.stdout).trim().split('\n').filter(Boolean).length
    return {
      saw: `the disk of log and records full for 8 s under ${streams} streams: ${printed(outcomes)}; lines of the log after it: ${written}; records in the file: ${kept}`,
      fault:
        load.broken === 0 && written > 0 && kept > 0
          ? undefined
          : `expected: all streams whole, log and records written again; ${listed.stderr}`,
    }
  } finally {
    spawnSync('umount', ['-l', disk])
  }
}

const fakeTime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file))

/**
 * Sets the gateway's clock back by an hour, and then ahead by two. No stream may break or wait for it.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function clockSet({ folder, streams }) {
  if (fakeTime === undefined) return { saw: 'left out', fault: 'faketime is not installed: apt-get install faketime' }
  const words = await startModel()
  const clock = join(folder, 'clock')
  const set = (/** @type {string} */ offset) => writeFileSync(clock, `${offset}\n`)
  set('+0')
  const gateway = await startGateway({
    folder,
    name: 'gateway',
    config: configFor([words.port]),
    // The clock that only grows is not one that a person can set.
    env: {
      LD_PRELOAD: fakeTime,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  })
  const load = new Load({ url: gateway.url, model, concurrent: streams })
  await load.opened(streams)
  set('-3600')
  await wait(6000)
  set('+7200')
  await wait(6000)
  const outcomes = await load.end()
  const lines = gateway
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  const times = requests.map(({ time }) => Date.parse(time))
  const spread = Math.round((Math.max(...times) - Math.min(...times)) / 60_000)
  const durations = requests.map(({ ms }) => Number(ms))
  const isAsExpected = load.broken === 0 && spread > 100 && durations.every((ms) => ms >= 0 && ms < 600_000)
  return {
    saw: `the clock set back by 1 h and ahead by 2 h under ${streams} streams: ${printed(outcomes)}; the log spans ${spread} min, requests in it took ${Math.min(...durations)} to ${Math.max(...durations)} ms`,
    fault: isAsExpected ? undefined : 'expected: all streams whole, and durations that the clock does not change',
  }
}
