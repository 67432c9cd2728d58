// @ts-check
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

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

/**
 * Ends the processes that a program left running. They are recognised by their home folder, which only this run uses. Other systems than
 * Linux have no /proc: there the processes stay.
 * @param {string} home
 * @returns {number} their count
 */
export function endLeftBehind(home) {
  let ended = 0
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name) || !variablesOf(name).includes(`HOME=${home}`)) continue
    try {
      process.kill(Number(name), 'SIGKILL')
      ended++
    } catch {
      // It has just ended by itself.
    }
  }
  return ended
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Returns the variables of a process; none if it has ended, or is another user's.
 * @param {string} id
 */
function variablesOf(id) {
  try {
    return readFileSync(`/proc/${id}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
