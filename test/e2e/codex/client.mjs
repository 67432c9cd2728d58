// @ts-check
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../clients/build.mjs'
import { collect, start } from '../clients/processes.mjs'

/** Pinned: requests of a client change from release to release, and a test must not fail without a change here. */
export const clientVersion = '0.169.0'

const cacheFolder = join(projectFolder, '.cache/codex')
const scopeFolder = join(cacheFolder, 'node_modules/@openai')

/** A healthy run takes a few seconds. */
const timeLimitMs = 90_000

/** Installs the client from the registry into the project's cache, unless it is there. */
export function ensureClient() {
  if (installedVersion() === clientVersion && findBinary() !== undefined) return
  console.log(`Installing @openai/codex ${clientVersion} (about 300 MB, once) into ${cacheFolder}`)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const install = ['install', '--prefix', cacheFolder, ...options, `@openai/codex@${clientVersion}`]
  execFileSync('npm', install, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (findBinary() === undefined) {
    throw new Error(`@openai/codex ${clientVersion} has no binary for ${process.platform} ${process.arch}`)
  }
}

function installedVersion() {
  const file = join(scopeFolder, 'codex/package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

/** The binary is in the package of its platform, in a folder that is named after the target it was compiled for. */
function findBinary() {
  const packages = existsSync(scopeFolder) ? readdirSync(scopeFolder) : []
  const vendors = packages.map((name) => join(scopeFolder, name, 'vendor')).filter((folder) => existsSync(folder))
  const targets = vendors.flatMap((folder) => readdirSync(folder).map((target) => join(folder, target, 'bin')))
  const files = targets.flatMap((folder) => ['codex', 'codex.exe'].map((file) => join(folder, file)))
  return files.find((file) => existsSync(file))
}

/**
 * Returns the client's configuration: the gateway as its only provider.
 * @param {{ cwd: string, gatewayUrl: string, provider: string, config: string, retries?: number }} options `provider` is its name, by which the client decides what it may ask for; `config` is added
 */
export function configText({ cwd, gatewayUrl, provider, config, retries }) {
  return `model_provider = "anycall"
approval_policy = "never"
sandbox_mode = "danger-full-access"
${config}
[model_providers.anycall]
name = "${provider}"
base_url = "${gatewayUrl}/v1"
wire_api = "responses"
${retries === undefined ? '' : `stream_max_retries = ${retries}\n`}
# Without a network, it would wait for its reports to be sent.
[analytics]
enabled = false

[projects."${cwd}"]
trust_level = "trusted"
`
}

/**
 * Writes the client's configuration.
 * @param {Parameters<typeof configText>[0] & { home: string }} options
 */
export function configureClient({ home, ...options }) {
  const folder = join(home, '.codex')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), configText(options))
}

/**
 * Runs the client on one prompt until it ends by itself or its time is up.
 * @param {{ home: string, cwd: string, model: string, prompt: string, resume: boolean, env: Record<string, string> }} run `home` is a folder of its own, so that no settings of the person who runs the test are read
 */
export async function runClient({ home, cwd, model, prompt, resume, env }) {
  const binary = findBinary()
  if (binary === undefined) throw new Error('Codex is not installed')
  const flags = ['--json', '--skip-git-repo-check', '-m', model]
  const child = start(binary, ['exec', ...(resume ? ['resume', '--last'] : []), ...flags, prompt], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, '.codex'), TMPDIR: home, ...env },
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code, signal] = await once(child, 'close')
  const end = signal === 'SIGKILL' ? `did not end within ${timeLimitMs / 1000} s` : `exit code ${code ?? signal}`
  return { ok: code === 0, end, stdout: stdout.text, stderr: stderr.text }
}
