// @ts-check
import { Session } from 'node:inspector'

/** The files whose code counts: of a build, or of the sources in a test. */
const counted = /\/(?:src|conformance|dist)\//

/**
 * The engine counts the blocks only of functions that it compiles during counting, which is when they are first called.
 * So the counting begins with this module, before the measured code is called for the first time, and does not end.
 */
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * Counts the steps of a piece of work: the executions of each block of the project's code, as the engine counts them.
 * The number is the same on every machine and under any load. Work within the engine (searching a text, regular
 * expressions) is not counted; that regular expressions take steps in proportion to a text is tested separately (see
 * src/grammar/regex/overlap.ts).
 *
 * @example
 * stepsOf(() => read('x'.repeat(1000))) // about ten times stepsOf(() => read('x'.repeat(100)))
 * @param {() => void} work
 * @returns {number}
 */
export function stepsOf(work) {
  takeSteps()
  work()
  return takeSteps()
}

/** The steps since this was last asked. */
function takeSteps() {
  let steps = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result) {
      if (!counted.test(url)) continue
      for (const { ranges } of functions) for (const { count } of ranges) steps += count
    }
  })
  return steps
}
