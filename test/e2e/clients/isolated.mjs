// @ts-check
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { isOnLoopbackOnly, isolate, openRefusingProxy } from './network.mjs'
import { start } from './processes.mjs'

/** Tells a script that it runs inside the network namespace that it made. */
const insideFlag = '--inside'

/**
 * The network of a run: `place` in words, and the variables that the client needs for it.
 * @typedef {{ place: string, env: Record<string, string> }} Network
 */

/**
 * Runs a script of end-to-end tests with no network but loopback. Installs the client and builds the gateway first, while there is a
 * network. Then the script starts itself anew in a network namespace; without one, a proxy refuses everything outside. Returns the
 * exit code.
 * @param {object} script
 * @param {string} script.url the script's own `import.meta.url`
 * @param {() => void} script.install installs the client
 * @param {(network: Network) => Promise<number>} script.run runs all scenarios, and returns the exit code
 */
export async function runIsolated({ url, install, run }) {
  const args = process.argv.slice(2)
  if (args.includes(insideFlag)) {
    if (!isOnLoopbackOnly()) throw new Error('the network namespace has more than loopback')
    return run({ place: 'no network but loopback', env: {} })
  }
  install()
  ensureBuilt()
  const isolation = isolate()
  if (isolation.type === 'possible') {
    const [command, ...before] = isolation.command
    const inside = [...before, process.execPath, fileURLToPath(url), insideFlag, ...args]
    const [code] = await once(start(command, inside, { stdio: 'inherit' }), 'close')
    return code ?? 1
  }
  console.log(`No network namespace (${isolation.reason}); a proxy that refuses everything stands in for it.\n`)
  const proxy = await openRefusingProxy()
  const code = await run({ place: 'outside connections refused by a proxy', env: proxy.env })
  proxy.close()
  console.log(`\nOutside hosts that the client asked for: ${[...proxy.refused].join(', ') || 'none'}`)
  return code
}

/** Returns the version of the gateway that is tested. */
export function anycallVersion() {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version
}

/**
 * Reads output with one JSON value on each line. `odd` are lines that are no JSON.
 * @param {string} output
 * @returns {{ values: any[], odd: string[] }}
 */
export function readJsonLines(output) {
  /** @type {string[]} */
  const odd = []
  const values = output.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line)]
    } catch {
      odd.push(line)
      return []
    }
  })
  return { values, odd }
}
