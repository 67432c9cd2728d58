// @ts-check
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtCommand } from './build.mjs'
import { collect, start } from './processes.mjs'

const startLimitMs = 15_000
/** Longer than the gateway itself gives to running requests. */
const stopLimitMs = 10_000

/**
 * Starts `anycall serve` on a free port.
 * @param {{ folder: string, args: readonly string[], config: object }} options `folder` is its home, where its configuration is written
 */
export async function startGateway({ folder, args, config }) {
  const file = join(folder, 'anycall.json')
  writeFileSync(file, JSON.stringify(config))
  const child = start(process.execPath, [builtCommand, 'serve', '--config', file, '--port', '0', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder },
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const closed = once(child, 'close')
  const url = await urlOf(stdout, closed)
  if (url === undefined) {
    child.kill('SIGKILL')
    throw new Error(`the gateway did not start:\n${stdout.text}${stderr.text}`)
  }
  return {
    url,
    /** Stops it; resolves with its exit code, or the signal that ended it, and its log. */
    stop: async () => {
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
      const [code, signal] = await closed
      clearTimeout(limit)
      return { end: code ?? signal, lines: stderr.text.split('\n').filter((line) => line !== '') }
    },
  }
}

/**
 * @param {{ text: string }} stdout
 * @param {Promise<unknown>} closed
 */
async function urlOf(stdout, closed) {
  const limit = AbortSignal.timeout(startLimitMs)
  let isRunning = true
  closed.then(() => {
    isRunning = false
  })
  while (isRunning && !limit.aborted) {
    const url = /listens on (http:\S+)/.exec(stdout.text)?.[1]
    if (url !== undefined) return url
    await delay(20)
  }
  return undefined
}
