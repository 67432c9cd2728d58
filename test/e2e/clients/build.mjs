// @ts-check
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url))
/** The command's entry point, as the package ships it. */
export const builtCommand = join(projectFolder, 'dist/main.mjs')

const sources = ['src', 'package.json', 'build.mjs']

/** Builds the package if the build is missing or older than a source. */
export function ensureBuilt() {
  const built = statSync(builtCommand, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (sources.every((source) => newest(join(projectFolder, source)) < built)) return
  console.log('Building the gateway')
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Returns the time of the latest change of a file at or below a path. Folders count too: only they record that a file
 * was deleted.
 * @param {string} path
 * @returns {number}
 */
function newest(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
