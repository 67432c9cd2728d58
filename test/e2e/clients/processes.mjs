// @ts-check
import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

process.on('exit', () => {
  // Not SIGKILL: a process in the network namespace must end its own child processes.
  for (const child of running) child.kill()
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => process.exit(1))

/**
 * Starts a process that does not outlive this one.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(command, args, options) {
  const child = spawn(command, args, options)
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/**
 * Collects the output of a process's stream.
 * @param {import('node:stream').Readable | null} stream
 */
export function collect(stream) {
  const collected = { text: '' }
  stream?.setEncoding('utf8').on('data', (piece) => {
    collected.text += piece
  })
  return collected
}
