// @ts-check
// The servers that docs/runtimes.md shows, run and asked.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { start } from './command.mjs'
import { gatewayChecks } from './gateway-client.mjs'
import { app, root } from './install.mjs'

/** @typedef {import('./command.mjs').Result} Result */
/** @typedef {import('./command.mjs').Command} Command */

/** @param {Record<string, () => Promise<void>>} checks @returns {Promise<Result[]>} */
export async function runChecks(checks) {
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
export function serverOf(heading, upstream, port) {
  const [, section = ''] = readFileSync(join(root, 'docs/runtimes.md'), 'utf8').split(`\n## ${heading}\n`)
  const code = /^```js\n([\s\S]*?)^```$/m.exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/runtimes.md has no server under "${heading}"`)
  // The model of the check writes its calls in this form.
  return code
    .replace('http://127.0.0.1:11434', upstream)
    .replace('8787', String(port))
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

/**
 * Starts a server, asks it for what a gateway does, and stops it.
 * @param {Command} runtime @param {readonly string[]} args @param {{ url: string, upstream: string }} addresses that of the gateway in the server, and that of the model server
 */
async function ask(runtime, args, { url, upstream }) {
  const { child, over, said } = start(runtime, args)
  try {
    for (let wait = 0; wait < 200; wait++) {
      if (child.exitCode !== null || (await fetch(`${url}/v1/models`).catch(() => undefined))?.ok) break
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

/** Serves as docs/runtimes.md shows it, and asks that server. @param {string} heading @param {Command} runtime @param {string} upstream @param {string} base the gateway's path in the server */
export async function serveAndAsk(heading, runtime, upstream, base = '') {
  const port = await freePort()
  const file = `server-${heading.toLowerCase()}.mjs`
  writeFileSync(join(app, file), serverOf(heading, upstream, port))
  return ask(runtime, [file], { url: `http://127.0.0.1:${port}${base}`, upstream })
}

/** Gateways in servers of others. @param {Command} runtime a Node @param {string} upstream @returns {Promise<Result[]>} */
export async function mounted(runtime, upstream) {
  /** @type {Record<string, () => Promise<Result[]>>} */
  const servers = {
    'mounted in Hono': () => serveAndAsk('Hono', runtime, upstream, '/llm'),
    'mounted in Express': () => serveAndAsk('Express', runtime, upstream, '/llm'),
    'mounted in Fastify': () => serveAndAsk('Fastify', runtime, upstream, '/llm'),
    'a route of Next.js': () => askNext(runtime, upstream),
  }
  const results = []
  for (const [name, run] of Object.entries(servers)) {
    const asked = await run().catch((error) => [{ name, ok: false, said: String(error).slice(0, 1500) }])
    const said = asked.map(({ said = '' }) => said).join('\n')
    results.push({ name, ok: asked.every(({ ok }) => ok), said })
  }
  return results
}

const next = 'node_modules/next/dist/bin/next'
const nextApp = join(app, 'next')
/** It is built once; the model server of each place is another. */
const modelServer = 'MODEL_SERVER'
/** @type {Promise<void> | undefined} */
let built

/** @param {Command} runtime @param {string} upstream */
async function askNext(runtime, upstream) {
  built ??= buildNext({ command: process.execPath, args: [] })
  await built
  const port = await freePort()
  const args = [next, 'start', nextApp, '--hostname', '127.0.0.1', '--port', String(port)]
  return ask(withEnv(runtime, `${upstream}/v1`), args, { url: `http://127.0.0.1:${port}/api/llm`, upstream })
}

/** An application that has the gateway as its only route. @param {Command} runtime */
async function buildNext(runtime) {
  const route = join(nextApp, 'app/api/llm/v1/[...path]')
  rmSync(nextApp, { recursive: true, force: true })
  mkdirSync(route, { recursive: true })
  writeFileSync(join(nextApp, 'next.config.mjs'), `export default { turbopack: { root: ${JSON.stringify(app)} } }\n`)
  const address = 'http://127.0.0.1:9'
  const code = serverOf('Next.js', address, 0).replace(`'${address}/v1'`, `process.env.${modelServer}`)
  writeFileSync(join(route, 'route.js'), code)
  const { over, said } = start(withEnv(runtime, `${address}/v1`), [next, 'build', nextApp])
  await over
  const { out, err } = said()
  if (!out.includes('/api/llm/v1/[...path]')) throw new Error(`next build: ${out}\n${err}`)
}

/** @param {Command} runtime @param {string} address @returns {Command} */
function withEnv(runtime, address) {
  return { ...runtime, env: { ...runtime.env, NEXT_TELEMETRY_DISABLED: '1', [modelServer]: address } }
}
