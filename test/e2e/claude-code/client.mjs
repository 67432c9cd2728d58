// @ts-check
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../clients/build.mjs'
import { collect, start } from '../clients/processes.mjs'

/**
 * The releases that are run. Pinned: what a client sends drifts from release to release, and a test must not fail by itself. The newer one defers
 * the tools of MCP servers.
 */
export const clientVersions = /** @type {const} */ ({ established: '2.1.197', recent: '2.1.331' })

/** @typedef {keyof typeof clientVersions} Release */

const cacheFolder = join(projectFolder, '.cache/claude-code')

/** A cold start reads 245 MB from disk; a healthy run takes about a second. */
const timeLimitMs = 60_000

/** Installs the releases from the registry into the project's cache, unless they are there. */
export function ensureClients() {
  for (const version of Object.values(clientVersions)) ensureClient(version)
}

/** @param {string} version */
function ensureClient(version) {
  if (installedVersion(version) === version && findBinary(version) !== undefined) return
  const folder = folderOf(version)
  console.log(`Installing @anthropic-ai/claude-code ${version} (about 300 MB, once) into ${folder}`)
  // Its install script only copies the binary, which is run from where it lies. That script wants Node 22; the binary needs no Node.
  const options = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--engine-strict=false',
  ]
  const install = ['install', '--prefix', folder, ...options, `@anthropic-ai/claude-code@${version}`]
  execFileSync('npm', install, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (findBinary(version) === undefined) {
    throw new Error(`@anthropic-ai/claude-code ${version} has no binary for ${process.platform} ${process.arch}`)
  }
}

/** @param {string} version */
function folderOf(version) {
  return join(cacheFolder, version)
}

/** @param {string} version */
function scopeOf(version) {
  return join(folderOf(version), 'node_modules/@anthropic-ai')
}

/** @param {string} version */
function installedVersion(version) {
  const file = join(scopeOf(version), 'claude-code/package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

/**
 * Returns the binary, which is in the package of its platform; npm installs only the one that fits.
 * @param {string} version
 */
function findBinary(version) {
  const scopeFolder = scopeOf(version)
  const packages = existsSync(scopeFolder) ? readdirSync(scopeFolder) : []
  const names = packages.filter((name) => name.startsWith('claude-code-'))
  const files = names.flatMap((name) => ['claude', 'claude.exe'].map((file) => join(scopeFolder, name, file)))
  return files.find((file) => existsSync(file))
}

/**
 * @typedef {object} ClientRun
 * @property {Release} release
 * @property {string} gatewayUrl
 * @property {string} home an empty folder, so that no settings of the person who runs the test are read
 * @property {string} cwd
 * @property {string} prompt
 * @property {readonly string[]} args
 * @property {Record<string, string>} env what the network needs
 */

/**
 * Runs the client on one prompt until it ends by itself or its time is up.
 * @param {ClientRun} run
 */
export async function runClient({ release, gatewayUrl, home, cwd, prompt, args, env }) {
  const binary = findBinary(clientVersions[release])
  if (binary === undefined) throw new Error('Claude Code is not installed')
  const flags = ['--output-format', 'stream-json', '--verbose', '--model', 'anycall-scripted']
  const child = start(binary, ['-p', prompt, ...flags, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      ANTHROPIC_BASE_URL: gatewayUrl,
      ANTHROPIC_API_KEY: 'any',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // A request that fails once fails the test; ten retries would only exceed the time limit.
      CLAUDE_CODE_MAX_RETRIES: '1',
      ...env,
    },
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code, signal] = await once(child, 'close')
  const end = signal === 'SIGKILL' ? `did not end within ${timeLimitMs / 1000} s` : `exit code ${code ?? signal}`
  return { ok: code === 0, end, stdout: stdout.text, stderr: stderr.text }
}
