// @ts-check
// The places where the programs run: a runtime's command, a bundle on Node, workerd, and a page's globals.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import vm from 'node:vm'
import { gatewayChecks } from './gateway-client.mjs'
import { app, root } from './install.mjs'
import { bundleAlone } from './package-checks.mjs'

/** @typedef {{ name: string, ok: boolean, said?: string }} Result */
/** @typedef {{ command: string, args: string[], env?: Record<string, string> }} Command */

const longestMs = 120_000

/** @param {Command} runtime @param {readonly string[]} args @param {string} [folder] */
function start({ command, args: before, env }, args, folder = app) {
  const child = spawn(command, [...before, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const over = new Promise((resolve) => {
    child.once('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
  return { child, over, said: () => ({ out, err }) }
}

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

/** @param {Record<string, () => Promise<void>>} checks @returns {Promise<Result[]>} */
async function runChecks(checks) {
  /** @type {Result[]} */
  const results = []
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check()
      results.push({ name: `server, ${name}`, ok: true })
    } catch (error) {
      results.push({ name: `server, ${name}`, ok: false, said: String(error).slice(0, 1500) })
    }
  }
  return results
}

/** The server that docs/runtimes.md shows under a heading, with these addresses. @param {string} heading @param {string} upstream @param {number} port */
function serverOf(heading, upstream, port) {
  const [, section = ''] = readFileSync(join(root, 'docs/runtimes.md'), 'utf8').split(`\n## ${heading}\n`)
  const code = /^```js\n([\s\S]*?)^```$/m.exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/runtimes.md has no server under "${heading}"`)
  // The model of the check writes its calls in this form.
  return code
    .replace('http://127.0.0.1:11434', upstream)
    .replace('port: 8787', `port: ${port}`)
    .replace("plan: 'prompted'", "plan: 'prompted', dialect: 'tool-call-json'")
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Serves as docs/runtimes.md shows it, and asks that server. @param {string} heading @param {Command} runtime @param {string} upstream */
async function serveAndAsk(heading, runtime, upstream) {
  const port = await freePort()
  const file = `server-${heading.toLowerCase()}.mjs`
  writeFileSync(join(app, file), serverOf(heading, upstream, port))
  const { child, over, said } = start(runtime, [file])
  const url = `http://127.0.0.1:${port}`
  try {
    for (let wait = 0; wait < 200; wait++) {
      if (child.exitCode !== null || (await fetch(`${url}/health`).catch(() => undefined))?.ok) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const results = await runChecks(gatewayChecks((path, init) => fetch(`${url}${path}`, init), upstream))
    return results.map((result) =>
      result.ok ? result : { ...result, said: `${result.said}\n${said().err.slice(0, 800)}` },
    )
  } finally {
    child.kill('SIGKILL')
    await over
  }
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
  if (heading === 'Node') {
    const mounted = await serveAndAsk('Hono', runtime, upstream)
    results.push({
      name: 'mounted in Hono',
      ok: mounted.every(({ ok }) => ok),
      said: mounted.map(({ said = '' }) => said).join('\n'),
    })
  }
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
