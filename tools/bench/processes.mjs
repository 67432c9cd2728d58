import { fork } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Starts the four servers, each as a separate process on a free port of the loopback address; another build of anycall if
 * one is measured `beside` it, which has no metrics; and one that keeps `records` in a file. `settings`, as JSON, is added to the
 * configuration of the build that is measured. `isReversed`: the gateways are started in the other order.
 */
export async function startServers(
  anycallMain,
  { execArgv, beside, metrics, records, settings = '{}', isReversed = false },
) {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-bench-'))
  const running = []
  const start = async (file, args, options) => {
    const server = await startProcess(file, args, { folder, ...options })
    running.push(server)
    return server
  }
  const close = () => {
    for (const { child } of running) child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const model = await start(here('model-server.mjs'), [])
    const proxy = await start(here('bare-proxy.mjs'), [String(model.port)])
    const configOf = (name, settings) => {
      const file = join(folder, `${name}.json`)
      writeFileSync(file, JSON.stringify({ ...configFor(model.port), ...settings }))
      return file
    }
    const serve = (main, name, settings, options = { execArgv }) =>
      start(main, ['serve', '--config', configOf(name, settings)], { portFrom: 'banner', ...options })
    const own = { ...JSON.parse(settings), ...(metrics && { metrics: true }) }
    const starts = {
      anycall: () => serve(anycallMain, 'anycall', own),
      templated: () => start(here('templated-gateway.mjs'), [dirname(anycallMain), String(model.port)], { execArgv }),
      ...(beside && { beside: () => serve(beside, 'beside', {}, {}) }),
      ...(records && {
        records: () => serve(anycallMain, 'records', { ...own, records: { file: join(folder, 'records.db') } }),
      }),
    }
    const gateways = {}
    for (const name of isReversed ? Object.keys(starts).toReversed() : Object.keys(starts))
      gateways[name] = await starts[name]()
    const lastWords = () => running.map((server) => server.lastWords()).join('\n')
    return { model, proxy, ...gateways, close, lastWords }
  } catch (error) {
    close()
    throw error
  }
}

function configFor(port) {
  return {
    listen: { port: 0 },
    // A key, so that records have something to mask.
    upstreams: { model: { type: 'openai-chat', url: `http://127.0.0.1:${port}/v1`, key: 'key-of-the-benchmark' } },
    models: [{ match: '*', upstream: 'model', plan: 'prompted' }],
  }
}

/** Its log goes to a file, as a service's does. */
export async function startProcess(file, args, { folder, portFrom = 'message', execArgv = [] }) {
  const logFile = join(folder, `${basename(file)}.log`)
  const child = fork(file, args, {
    execArgv: ['--import', here('report-usage.mjs'), ...execArgv],
    stdio: ['ignore', 'pipe', openSync(logFile, 'a'), 'ipc'],
  })
  const port = await new Promise((settle, reject) => {
    const resolve = (port) => {
      child.off('exit', onExit)
      settle(port)
    }
    const onExit = (code) => reject(new Error(`${file} ended (${code}): ${readFileSync(logFile, 'utf8')}`))
    child.once('exit', onExit)
    if (portFrom === 'message') child.once('message', (message) => resolve(message.port))
    let said = ''
    child.stdout.on('data', (bytes) => {
      said += bytes
      const found = portFrom === 'banner' && /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (found) resolve(Number(found[1]))
    })
  })
  return {
    child,
    port,
    /** The end of its log, for error messages. */
    lastWords: () =>
      `${basename(file)}: ${child.exitCode ?? child.signalCode ?? 'runs'}\n${readFileSync(logFile, 'utf8').slice(-1500)}`,
    /** The most memory that it ever held, in MB, and the CPU time that it has used, in ms. */
    usage: () =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send('usage')
      }),
  }
}
