// @ts-check
// The places where the programs run: a runtime's command, a bundle on Node, workerd, and a page's globals.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { start } from './command.mjs'
import { gatewayChecks } from './gateway-client.mjs'
import { app } from './install.mjs'
import { bundleAlone } from './package-checks.mjs'
import { mounted, runChecks, serveAndAsk, serverOf } from './servers.mjs'

/** @typedef {import('./command.mjs').Result} Result */
/** @typedef {import('./command.mjs').Command} Command */

/** Runs `run.mjs`, which prints a line of JSON for each program. @param {Command} runtime @param {readonly string[]} args @param {string} [folder] @returns {Promise<Result[]>} */
async function runPrograms(runtime, args, folder) {
  const { over, said } = start(runtime, args, folder)
  await over
  const { out, err } = said()
  const results = out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  return results.length > 0 ? results : [{ name: 'the programs start', ok: false, said: err.slice(0, 1500) }]
}

/** @param {string} name @param {Command} runtime @param {string} upstream @returns {Promise<Result[]>} */
export async function onCommand(name, runtime, upstream) {
  // The gateway's permissions are those that the page names; the package `ai` asks for the machine's name besides.
  const programs = name.startsWith('Deno') ? { ...runtime, args: [...runtime.args, '--allow-sys'] } : runtime
  const heading = name.split(' ')[0] ?? name
  const results = [
    ...(await runPrograms(programs, ['run.mjs', upstream])),
    ...(await serveAndAsk(heading, runtime, upstream)),
  ]
  if (heading === 'Node') results.push(...(await mounted(runtime, upstream)))
  const version = start(programs, [join('node_modules/anycall/dist/main.mjs'), '--version'])
  await version.over
  results.push({
    name: 'the command',
    ok: /^\d+\.\d+\.\d+\n$/.test(version.said().out),
    said: version.said().err.slice(0, 500),
  })
  return results
}

/** All programs in one file, where no package is around. @param {any} esbuild @param {string} upstream */
export async function bundledOnNode(esbuild, upstream) {
  // CommonJS packages in the bundle load Node's modules with `require`.
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
  const bundle = await bundleAlone(esbuild, 'run.mjs', { platform: 'node', format: 'esm', banner }, 'bundle.mjs')
  try {
    return await runPrograms({ command: process.execPath, args: [] }, [bundle.file, upstream], bundle.folder)
  } finally {
    bundle.remove()
  }
}

/** @param {any} esbuild @param {any} miniflare @param {string} upstream @returns {Promise<Result[]>} */
export async function inWorker(esbuild, miniflare, upstream) {
  const conditions = ['workerd', 'worker', 'browser']
  const options = { platform: 'browser', format: 'esm', conditions }
  writeFileSync(join(app, 'server-worker.mjs'), serverOf('Cloudflare Workers', upstream, 0))
  const [programs, server] = [
    await bundleAlone(esbuild, 'worker.mjs', options, 'programs.mjs'),
    await bundleAlone(esbuild, 'server-worker.mjs', options, 'server.mjs'),
  ]
  const worker = (/** @type {string} */ file) =>
    new miniflare.Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(file, 'utf8') }],
      compatibilityDate: '2026-07-01',
      port: 0,
      host: '127.0.0.1',
    })
  const running = [worker(programs.file), worker(server.file)]
  try {
    const address = await running[0].ready
    const results = await (await fetch(`${address.origin}/?upstream=${upstream}`)).json()
    const { origin } = await running[1].ready
    return [...results, ...(await runChecks(gatewayChecks((path, init) => fetch(`${origin}${path}`, init), upstream)))]
  } catch (error) {
    return [{ name: 'the Worker starts', ok: false, said: String(error).slice(0, 1500) }]
  } finally {
    await Promise.all(running.map((one) => one.dispose().catch(() => {})))
    programs.remove()
    server.remove()
  }
}

/** The globals of a page that the programs and the package may use, and none of Node's. */
const webGlobals = [
  ...[
    'AbortController',
    'AbortSignal',
    'Blob',
    'DOMException',
    'Event',
    'EventTarget',
    'Headers',
    'Request',
    'Response',
    'FormData',
    'URL',
    'URLSearchParams',
  ],
  ...[
    'ReadableStream',
    'TransformStream',
    'WritableStream',
    'TextDecoderStream',
    'TextEncoderStream',
    'CompressionStream',
    'DecompressionStream',
    'TextDecoder',
    'TextEncoder',
  ],
  ...[
    'fetch',
    'crypto',
    'performance',
    'structuredClone',
    'queueMicrotask',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'atob',
    'btoa',
    'console',
  ],
]

/** @param {any} esbuild @param {string} upstream @returns {Promise<Result[]>} */
export async function inPage(esbuild, upstream) {
  const options = { platform: 'browser', format: 'iife', globalName: 'programs' }
  const bundle = await bundleAlone(esbuild, 'worker.mjs', options, 'page.js')
  try {
    const context = vm.createContext(
      Object.fromEntries(webGlobals.map((name) => [name, /** @type {any} */ (globalThis)[name]])),
    )
    vm.runInContext(readFileSync(bundle.file, 'utf8'), context, { filename: 'page.js' })
    const results = await vm.runInContext(`programs.runAll(${JSON.stringify(upstream)})`, context)
    return JSON.parse(JSON.stringify(results))
  } catch (error) {
    return [
      { name: 'the page loads', ok: false, said: String(error instanceof Error ? error.stack : error).slice(0, 1500) },
    ]
  } finally {
    bundle.remove()
  }
}
