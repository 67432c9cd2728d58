// @ts-check
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configFor, freePort, noProxy, startGateway, startModel, startProxy } from '../servers.mjs'
import { Load, printed } from '../streams.mjs'
import { workersOf } from '../workers.mjs'

/** @typedef {{ saw: string, fault?: string | undefined }} Result */
/** @typedef {{ folder: string, streams: number }} Options */

const model = 'words-20-200'

/**
 * Restarts two replicas one after the other, below HAProxy. No stream may break.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function rollingRestart({ folder, streams }) {
  if (noProxy !== undefined) return { saw: 'left out', fault: noProxy }
  const words = await startModel()
  const ports = [await freePort(), await freePort()]
  const start = (/** @type {number} */ index) => {
    const listen = { port: ports[index], drainSeconds: 3, graceSeconds: 30 }
    return startGateway({ folder, name: `replica-${index}`, config: configFor([words.port], { listen }) })
  }
  const replicas = [await start(0), await start(1)]
  const proxy = await startProxy({ folder, ports })
  const load = new Load({ url: proxy.url, model, concurrent: streams })
  await load.opened(streams * 0.9)
  for (const index of [0, 1]) {
    await replicas[index]?.stop('SIGTERM')
    replicas[index] = await start(index)
    await load.opened(streams * 0.9)
    // The proxy has to see it, before the other one goes.
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  const outcomes = await load.end()
  return {
    saw: `two replicas restarted under ${streams} streams: ${printed(outcomes)}`,
    fault: load.broken > 0 ? `${load.broken} streams broke` : undefined,
  }
}

/**
 * Kills one of two workers. Its streams are cut, those of the other are whole, and new ones are served.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function killedWorker({ folder, streams }) {
  const words = await startModel()
  const listen = { port: 0, workers: 2, graceSeconds: 30 }
  const gateway = await startGateway({ folder, name: 'gateway', config: configFor([words.port], { listen }) })
  const load = new Load({ url: gateway.url, model, concurrent: streams })
  await load.opened(streams)
  const [victim = 0] = workersOf(gateway.pid)
  process.kill(victim, 'SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const back = workersOf(gateway.pid).length
  const outcomes = await load.end()
  const whole = outcomes.get('whole') ?? 0
  const isAsExpected = back === 2 && load.broken <= streams * 0.75 && whole >= streams
  return {
    saw: `one of two workers killed under ${streams} streams: ${printed(outcomes)}; ${back} workers run after 5 s`,
    fault: isAsExpected ? undefined : 'expected: at most the streams of one worker cut, and two workers again',
  }
}

/**
 * Kills one of two upstreams. Its streams end with the protocol's error event, new ones go to the other.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function killedUpstream({ folder, streams }) {
  const models = [await startModel(), await startModel()]
  const gateway = await startGateway({ folder, name: 'gateway', config: configFor(models.map(({ port }) => port)) })
  const load = new Load({ url: gateway.url, model, concurrent: streams })
  await load.opened(streams)
  await models[0]?.stop('SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const outcomes = await load.end()
  const told = outcomes.get('error event') ?? 0
  const isAsExpected = load.broken === told && told <= streams && (outcomes.get('whole') ?? 0) >= streams
  return {
    saw: `one of two upstreams killed under ${streams} streams: ${printed(outcomes)}`,
    fault: isAsExpected
      ? undefined
      : 'expected: streams of that upstream end with an error event, all others are whole',
  }
}

const reloads = 100

/**
 * Loads the configuration again a hundred times: with the upstreams the other way round, and each tenth time with one that is wrong. No
 * stream may break.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function reloaded({ folder, streams }) {
  const ports = [(await startModel()).port, (await startModel()).port]
  const listen = { port: 0, workers: 2, graceSeconds: 30 }
  const configs = [ports, ports.toReversed()].map((list) => JSON.stringify(configFor(list, { listen })))
  const gateway = await startGateway({ folder, name: 'gateway', config: JSON.parse(configs[0] ?? '') })
  const load = new Load({ url: gateway.url, model, concurrent: streams })
  await load.opened(streams)
  const logged = (/** @type {string} */ event) => gateway.log().split(`"event":"config.${event}`).length - 1
  for (let round = 1; round <= reloads; round++) {
    const before = logged('')
    const text = round % 10 === 0 ? '{' : (configs[round % 2] ?? '')
    writeFileSync(join(folder, 'gateway.json'), text)
    process.kill(gateway.pid, 'SIGHUP')
    const end = performance.now() + 5000
    while (logged('') === before && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const outcomes = await load.end()
  const [served, refused] = [logged('reloaded'), logged('refused')]
  const isAsExpected = load.broken === 0 && served >= reloads * 0.9 && refused >= reloads * 0.1
  return {
    saw: `the configuration loaded ${served} times and refused ${refused} times under ${streams} streams: ${printed(outcomes)}`,
    fault: isAsExpected ? undefined : 'expected: all streams whole, and each configuration loaded or refused',
  }
}
