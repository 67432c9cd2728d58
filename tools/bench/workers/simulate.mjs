/**
 * Simulates a gateway whose workers have a core each, as `node:cluster` gives connections to workers in turn: each connection is opened,
 * carries some requests, and is opened again. The primary has a core of its own. Returns replies a second.
 * Times in milliseconds. `random` returns numbers from 0 to 1.
 */
export function simulate({
  workers,
  connections,
  requestsPerConnection,
  serviceMs,
  acceptMs,
  thinkMs,
  durationMs,
  random,
}) {
  /** The times at which the primary and the workers have nothing to do any more. */
  let primaryFree = 0
  const free = Array(workers).fill(0)
  let nextWorker = 0
  let replies = 0
  const drawn = (mean) => -mean * Math.log(1 - random())
  const open = (at) => {
    primaryFree = Math.max(primaryFree, at) + acceptMs
    const worker = nextWorker++ % workers
    return { worker, left: requestsPerConnection, at: primaryFree }
  }
  const queue = new Queue()
  for (let index = 0; index < connections; index++) queue.push(open(drawn(thinkMs)))
  for (let one = queue.pop(); one !== undefined && one.at < durationMs; one = queue.pop()) {
    const end = Math.max(free[one.worker], one.at) + drawn(serviceMs)
    free[one.worker] = end
    if (end < durationMs) replies++
    const next = end + drawn(thinkMs)
    queue.push(one.left > 1 ? { ...one, left: one.left - 1, at: next } : open(next))
  }
  return (replies * 1000) / durationMs
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A binary heap by `at`. */
class Queue {
  #items = []

  push(item) {
    const items = this.#items
    let index = items.push(item) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (items[parent].at <= item.at) break
      items[index] = items[parent]
      index = parent
    }
    items[index] = item
  }

  pop() {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1].at < items[child].at) child++
      if (items[child].at >= last.at) break
      items[index] = items[child]
      index = child
    }
    items[index] = last
    return first
  }
}
