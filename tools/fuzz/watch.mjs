// @ts-check
import { Worker } from 'node:worker_threads'
import { cpuMs } from './cpu.mjs'

/** @import { Finding, FuzzCase, Hunt, SlowInput } from './types.ts' */

/** No text takes so many milliseconds of CPU: the reader hangs. */
const longestSilence = 30_000

/**
 * Hunts in its own thread and shows what is found.
 * @param {Hunt} task
 * @returns {Promise<number>} how many faults were found
 */
export function watch(task) {
  const extent = task.minutes === undefined ? `${task.texts} texts` : `${task.minutes} minutes`
  console.log(`anycall: texts that break a law of the readers; seed ${task.seed}, ${extent}`)
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hunt.mjs', import.meta.url), { workerData: task })
    let found = 0
    let last = cpuMs()
    /** @type {FuzzCase | undefined} */
    let current
    const timer = setInterval(() => {
      if (cpuMs() - last < longestSilence) return
      if (current)
        show({ law: 'hangs', message: `no end after ${longestSilence} ms of CPU`, case: current, from: current.text })
      void finish(found + 1)
    }, 1000)
    const finish = async (/** @type {number} */ count) => {
      clearInterval(timer)
      await worker.terminate()
      resolve(count)
    }
    worker.on('error', (error) => {
      clearInterval(timer)
      reject(error)
    })
    worker.on('message', (message) => {
      last = cpuMs()
      if (message.type === 'case') current = message.case
      else if (message.type === 'beat') return
      else if (message.type === 'slow') {
        found++
        showSlow(message.slow)
      } else if (message.type === 'finding') {
        found++
        show(message.finding)
      } else {
        console.log(`\n${JSON.stringify(message.counts)}; ${found} faults`)
        for (const [kind, count] of message.kinds) console.log(`${String(count).padStart(7)} ${kind}`)
        void finish(found)
      }
    })
  })
}

/** @param {Finding} finding */
function show({ law, message, case: fuzzCase, from }) {
  console.log(`\n${law}: ${message}\n${JSON.stringify(fuzzCase)}`)
  if (from.length <= 300 && from !== fuzzCase.text) console.log(`from ${JSON.stringify(from)}`)
}

/** @param {SlowInput} slow */
function showSlow({ short, long, ...input }) {
  const [a, b] = [short, long].map(({ length, steps }) => `${steps} steps for ${length} characters`)
  console.log(`\nslow: ${a}, ${b}\n${JSON.stringify(input)}`)
}
