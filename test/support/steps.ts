import { Session } from 'node:inspector'

/**
 * How many steps a piece of work takes: how often each block of the project's code is run, as the engine counts it. The
 * number is the same on every machine and under any load. What the engine does by itself (search in a text, expressions)
 * is no step; that expressions take steps in proportion to a text is a property of them (see regex-overlap.ts).
 *
 * @example
 * stepsOf(() => read('x'.repeat(1000))) // about ten times stepsOf(() => read('x'.repeat(100)))
 */
export function stepsOf(work: () => void): number {
  const session = new Session()
  session.connect()
  try {
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    work()
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error
      for (const { url, functions } of coverage.result) {
        if (!/\/(?:src|conformance|dist)\//.test(url)) continue
        for (const { ranges } of functions) for (const { count } of ranges) steps += count
      }
    })
    session.post('Profiler.stopPreciseCoverage')
    return steps
  } finally {
    session.disconnect()
  }
}

/**
 * How many times the steps grow while a text grows fourfold: 4 where each character takes a bounded number of steps,
 * 16 where each takes as many as there were before it. `read` is given how long the text is to be.
 */
export function growthOf(read: (length: number) => void, length: number): number {
  // What is made once for all texts is made before.
  read(16)
  const short = stepsOf(() => read(length))
  return stepsOf(() => read(length * 4)) / Math.max(short, length)
}

/** No more than this, where work is bounded for each character: what is compiled or remembered on the way is a part of it. */
export const linearGrowth = 6
