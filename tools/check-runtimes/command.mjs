// @ts-check
// A runtime's command, with what it says.
import { spawn } from 'node:child_process'
import { app } from './install.mjs'

/** @typedef {{ name: string, ok: boolean, said?: string }} Result */
/** @typedef {{ command: string, args: string[], env?: Record<string, string> }} Command */

const longestMs = 300_000

/** @param {Command} runtime @param {readonly string[]} args @param {string} [folder] */
export function start({ command, args: before, env }, args, folder = app) {
  const child = spawn(command, [...before, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const over = new Promise((resolve) => {
    child.once('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
  return { child, over, said: () => ({ out, err }) }
}
