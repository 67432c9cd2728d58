import { Session } from 'node:inspector'

/**
 * Counts the steps of a piece of work: the executions of each block of the project's code, as the engine counts them.
 * The number is the same on every machine and under any load. Work within the engine (searching a text, regular
 * expressions) is not counted; that regular expressions take steps in proportion to a text is tested separately (see
 * regex-overlap.ts).
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
 * Returns the factor by which the steps grow while a text grows fourfold: 4 if each character takes a bounded number of
 * steps, 16 if each takes as many as there are characters before it. `read` receives the length of the text.
 */
export function growthOf(read: (length: number) => void, length: number): number {
  // Values that are made once for all texts are made before the measurement.
  read(16)
  const short = stepsOf(() => read(length))
  return stepsOf(() => read(length * 4)) / Math.max(short, length)
}

/** No more than this, where work is bounded for each character: what is compiled or remembered on the way is a part of it. */
export const linearGrowth = 6
