// @ts-check
// SDKs that are no dependencies of the project, each in a folder of its own: their peers exclude each other.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../clients/build.mjs'

const cache = join(projectFolder, '.cache/sdks')
/** npm runs nothing of the packages, so it does not matter which Node it is; the project's own settings are strict about that. */
const options = [
  '--no-save',
  '--engine-strict=false',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]
/** The Node that SDKs need which do not run on this one. */
const newerNode = 22

/**
 * The folder of an SDK, and the Node that runs it; or the reason why it cannot run.
 * @typedef {{ type: 'ready', folder: string, node: string } | { type: 'missing', reason: string }} Installed
 */

/**
 * Installs the packages of an SDK that are missing.
 * @param {string} name
 * @param {Readonly<Record<string, string>>} packages their versions
 * @returns {Installed}
 */
export function installSdk(name, packages) {
  const folder = join(cache, name)
  const missing = Object.entries(packages).filter(([of, version]) => manifestOf(folder, of)?.version !== version)
  try {
    if (missing.length > 0) install(folder, packages)
  } catch (error) {
    return { type: 'missing', reason: `npm cannot install it: ${firstLine(error)}` }
  }
  // Imports are resolved from the module that has them.
  writeFileSync(join(folder, 'load.mjs'), 'export const load = (name) => import(name)\n')
  const needed = Math.max(...Object.keys(packages).map((of) => neededNode(manifestOf(folder, of)?.engines?.node)))
  if (Number(process.versions.node.split('.')[0]) >= needed) return { type: 'ready', folder, node: process.execPath }
  if (needed > newerNode) return { type: 'missing', reason: `it needs Node ${needed}` }
  try {
    return { type: 'ready', folder, node: installNode() }
  } catch (error) {
    return { type: 'missing', reason: `it needs Node ${needed}, which npm cannot install here: ${firstLine(error)}` }
  }
}

function installNode() {
  const folder = join(cache, `node${newerNode}`)
  const platform = `${process.platform}-${process.arch}`
  const binary = join(folder, 'node_modules', `node-${platform}`, 'bin/node')
  if (!existsSync(binary)) install(folder, { [`node-${platform}`]: String(newerNode) })
  return binary
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} packages
 */
function install(folder, packages) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const list = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  console.log(`Installing ${list.join(', ')} into .cache/sdks`)
  execFileSync('npm', ['install', ...options, ...list], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

/**
 * @param {string} folder
 * @param {string} name
 */
function manifestOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Returns the lowest major version of Node that a package's `engines` allow.
 * @param {string | undefined} range
 */
function neededNode(range = '') {
  const majors = [...range.matchAll(/(\d+)(?:\.\d+)*/g)].map(([, major]) => Number(major))
  return majors.length === 0 ? 0 : Math.min(...majors)
}

/** @param {unknown} error */
function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]
}
