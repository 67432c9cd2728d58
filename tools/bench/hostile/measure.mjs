import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** Every so often another request is sent while a hostile one is served. */
const everyMs = 5

/**
 * Sends one request, and resolves with the status of the response when it is complete, or with the reason why there is
 * none.
 */
export function send(port, { method = 'POST', path, bytes, headers = {}, agent, timeoutMs }) {
  return new Promise((resolve) => {
    const length = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }
    const options = { host: '127.0.0.1', port, method, path, agent, headers: { ...length, ...headers } }
    const sent = request(options, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
      response.once('error', () => resolve('broken off'))
    })
    sent.once('error', (error) => resolve(error.code ?? error.message))
    if (timeoutMs !== undefined) {
      const timer = setTimeout(() => sent.destroy(new Error('no answer')), timeoutMs)
      sent.once('close', () => clearTimeout(timer))
    }
    sent.end(bytes)
  })
}

const small = {
  health: { method: 'GET', path: '/health' },
  completion: {
    path: '/v1/chat/completions',
    bytes: Buffer.from(JSON.stringify({ model: 'calm', messages: [{ role: 'user', content: 'Hello' }] })),
  },
}

/**
 * Sends small requests of these names again and again, each on its own kept connection; `stop` returns the longest time that one took.
 */
export function others(port, names) {
  let isOver = false
  const loops = names.map(async (name) => {
    const one = small[name]
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let worst = 0
    while (!isOver) {
      const started = performance.now()
      await send(port, { ...one, agent })
      worst = Math.max(worst, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    agent.destroy()
    return worst
  })
  return {
    async stop() {
      isOver = true
      return Math.max(...(await Promise.all(loops)))
    },
  }
}

/** The CPU time of a process so far, in milliseconds; undefined on systems without /proc. */
export function cpuMs(pid) {
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  // In ticks, of which Linux has a hundred a second.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10
}

/** The most memory that a process held since `forgetPeak`, in MB. */
export function peakMegabytes(pid) {
  const found = /VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')
  return found ? Number(found[1]) / 1024 : undefined
}

export function forgetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // If the kernel cannot reset it, the figure is the maximum since the process began.
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
