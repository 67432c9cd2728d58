// @ts-check
// What runs the models: llama.cpp in this process, or a llama-server for each.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { installLlamaServer } from './install-llama-server.mjs'

/**
 * @typedef {{ name: string, file: string }} Model
 * @typedef {object} Engine
 * @property {(model: Model) => Promise<object>} upstream its entry in a configuration
 * @property {(model: Model) => Promise<() => Promise<void>>} start before the model is asked; what it gives back stops it
 */

const contextSize = 16_384
/** It starts in a tenth of a second on an idle machine. */
const startSeconds = 300

/** @type {Engine} */
export const inProcess = {
  upstream: async ({ file }) => ({ type: 'gguf', file, contextSize, threads: 1, gpuLayers: 0, sequences: 1 }),
  start: async () => async () => {},
}

/** @returns {Promise<Engine>} */
export async function llamaServers() {
  const { command, args, cwd } = await installLlamaServer()
  /** @type {Map<string, number>} */
  const ports = new Map()
  return {
    async upstream({ name }) {
      const port = await freePort()
      ports.set(name, port)
      return { type: 'llama-server', url: `http://127.0.0.1:${port}` }
    },
    async start({ name, file }) {
      const port = ports.get(name) ?? 0
      const sizes = ['-c', String(contextSize), '-np', '1', '-t', '1']
      // By default it excludes tokens less than a twentieth as likely as a marker: most characters.
      const rareTokens = ['--min-p', '0']
      const server = spawn(command, [...args, '-m', file, '--jinja', '--port', String(port), ...sizes, ...rareTokens], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      // Whatever becomes of this process, its servers end with it.
      const kill = () => server.kill('SIGKILL')
      process.once('exit', kill)
      let log = ''
      for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (log += data))
      const ended = new Promise((resolve) => server.once('exit', resolve))
      const deadline = performance.now() + startSeconds * 1000
      while (!(await isHealthy(port))) {
        if (server.exitCode !== null || performance.now() > deadline) {
          throw new Error(`llama-server did not start with ${file}:\n${log}`)
        }
        await sleep(50)
      }
      return async () => {
        // It keeps nothing; asked to end, it hung once.
        kill()
        process.removeListener('exit', kill)
        await ended
      }
    },
  }
}

/** @param {number} port */
async function isHealthy(port) {
  const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
  return response?.ok === true
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
