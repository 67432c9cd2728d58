// @ts-check
// A real llama-server: Debian's package with the libraries that it needs, unpacked into .cache/ beside those of this system.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const cache = fileURLToPath(new URL('../../../.cache/llama-server', import.meta.url))
const mirror = 'https://deb.debian.org/debian'
const suite = 'sid'
const wanted = 'llama.cpp-tools'
/**
 * Packages that are not installed because the server does not need them: those that ask questions, and those that fetch
 * models.
 */
const left = new Set(['debconf', 'debconf-2.0', 'wget', 'curl'])
const libraries = 'usr/lib/x86_64-linux-gnu'

/** It is not available here, which is no fault of the tested code. */
export class NoLlamaServer extends Error {}

/**
 * Installs it if it is missing; resolves with the command that starts it, and the folder in which it must start. Throws
 * NoLlamaServer on another system, or if the packages cannot be fetched.
 * @returns {Promise<{ command: string, args: string[], cwd: string }>}
 */
export async function installLlamaServer() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoLlamaServer(`its packages are for Linux on x64, this is ${process.platform} on ${process.arch}`)
  const root = join(cache, 'root')
  if (!existsSync(root)) await unpackAll(root)
  const lib = join(root, libraries)
  // The loader of those libraries: the system's own may be older than they are.
  const search = [lib, join(lib, 'llama'), join(lib, 'ggml')].join(':')
  return {
    command: join(lib, 'ld-linux-x86-64.so.2'),
    args: ['--library-path', search, join(root, 'usr/bin/llama-server')],
    // The folder in which it searches for the library of this processor.
    cwd: join(lib, 'ggml/backends0'),
  }
}

/** @param {string} root */
async function unpackAll(root) {
  console.log(`Unpacking Debian's ${wanted} into .cache/llama-server ...`)
  rmSync(cache, { recursive: true, force: true })
  const part = join(cache, 'part')
  mkdirSync(part, { recursive: true })
  const index = gunzipSync(await fetched(`dists/${suite}/main/binary-amd64/Packages.gz`)).toString('utf8')
  for (const { file, sha256 } of needed(index)) {
    const bytes = await fetched(file)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${file} is not what its index says`)
    const deb = join(cache, basename(file))
    writeFileSync(deb, bytes)
    execFileSync('dpkg-deb', ['-x', deb, part])
    rmSync(deb)
  }
  renameSync(part, root)
}

/** @param {string} path @returns {Promise<Buffer>} */
async function fetched(path) {
  const url = `${mirror}/${path}`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  } catch (error) {
    throw new NoLlamaServer(`${url}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * The package and all that it depends on.
 * @param {string} index of all packages
 */
function needed(index) {
  /** @type {Map<string, Record<string, string>>} */
  const packages = new Map()
  for (const paragraph of index.split('\n\n')) {
    const fields = Object.fromEntries(
      [...paragraph.matchAll(/^([\w-]+): (.*)$/gm)].map(([, key, value]) => [key, value]),
    )
    if (fields.Package) packages.set(fields.Package, fields)
  }
  /** @type {Map<string, { file: string, sha256: string }>} */
  const found = new Map()
  const queue = [wanted]
  for (const name of queue) {
    const one = packages.get(name)
    if (!one || found.has(name)) continue
    found.set(name, { file: one.Filename ?? '', sha256: one.SHA256 ?? '' })
    const depends = [one.Depends, one['Pre-Depends']].flatMap((list) => list?.split(',') ?? [])
    const names = depends.map((each) => /^\s*([\w.+-]+)/.exec(each)?.[1] ?? '')
    queue.push(...names.filter((each) => each !== '' && !left.has(each)))
  }
  if (!found.has(wanted)) throw new NoLlamaServer(`there is no ${wanted} in Debian ${suite}`)
  return found.values()
}
