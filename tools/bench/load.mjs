import { Agent, request as send } from 'node:http'

/** A path to the model: `bodyFor` gives what it is sent for one workload, `usage` what the measured process has used. */
export function createPath({ name, port, path, bodyFor, usage }) {
  const agents = new Map()
  /** One agent for each number of connections, so that a phase does not inherit another's idle ones. */
  const agentFor = (connections) => {
    if (!agents.has(connections)) agents.set(connections, new Agent({ keepAlive: true, maxSockets: connections }))
    return agents.get(connections)
  }
  return {
    name,
    usage,
    request: (workload, connections = 1) =>
      exchange({ port, path, agent: agentFor(connections), ...bodyFor(workload) }).catch((error) => {
        throw new Error(`${name}, ${workload}, ${connections} connections: ${error.message}`)
      }),
    close: () => {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/** One request: milliseconds to the first byte of the reply's body and to its end; rejects unless all went well. */
function exchange({ port, path, agent, body, headers }) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    let firstByte
    const chunks = []
    const request = send({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
      response.on('data', (bytes) => {
        firstByte ??= performance.now() - started
        chunks.push(bytes)
      })
      response.on('end', () => {
        const total = performance.now() - started
        if (response.statusCode === 200) resolve({ firstByte, total, chunks })
        else reject(new Error(`status ${response.statusCode}: ${Buffer.concat(chunks)}`))
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Sends requests one after another, to each path of a set in turn, so that what disturbs the machine disturbs all alike;
 * the sets take turns too, a block of requests each. A path may be in several sets. Gives for each path the times of its
 * requests, `count` for each set that it is in, and how many SSE events each reply had.
 */
export async function measureLatency(sets, workload, { warmUp, count, blocks }) {
  const times = new Map(sets.flat().map((path) => [path.name, { firstByte: [], total: [], events: [] }]))
  for (let block = 0; block < blocks; block++) {
    for (const set of sets) {
      for (let round = -warmUp; round < count / blocks; round++) {
        for (const path of set) {
          const { firstByte, total, chunks } = await path.request(workload)
          if (round < 0) continue
          times.get(path.name).events.push(countEvents(chunks))
          times.get(path.name).firstByte.push(firstByte)
          times.get(path.name).total.push(total)
        }
      }
    }
  }
  return times
}

function countEvents(chunks) {
  return Buffer.concat(chunks).toString('latin1').split('\n\n').length - 1
}

/** Keeps `connections` busy for a while. Returns replies a second, and milliseconds of the process's CPU time for each reply. */
async function loadFor(path, workload, { connections, ms }) {
  const before = await path.usage()
  const started = performance.now()
  const end = started + ms
  let replies = 0
  const keepBusy = async () => {
    while (performance.now() < end) {
      await path.request(workload, connections)
      replies++
    }
  }
  await Promise.all(Array.from({ length: connections }, keepBusy))
  const rate = (replies * 1000) / (performance.now() - started)
  return { rate, cpuMs: ((await path.usage()).cpuMs - before.cpuMs) / replies }
}

/**
 * Replies per second and CPU time per reply, one number for each of `rounds`, the paths taking turns. The CPU time is
 * the cost of a reply for the process even if the machine has other work.
 */
export async function measureThroughput(paths, workload, { rounds, connections, ms }) {
  const rates = new Map(paths.map((path) => [path.name, []]))
  const cpuMs = new Map(paths.map((path) => [path.name, []]))
  for (let round = 0; round < rounds; round++) {
    // In alternating order: a round is the slower the more the one before it left to do.
    for (const path of round % 2 === 0 ? paths : paths.toReversed()) {
      const load = await loadFor(path, workload, { connections, ms })
      rates.get(path.name).push(load.rate)
      cpuMs.get(path.name).push(load.cpuMs)
    }
  }
  return { rates, cpuMs }
}

/** The value below which the given share of the values is. */
export function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
