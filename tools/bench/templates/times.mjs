import { median } from '../statistics.mjs'

/** The ms of one run. */
export function timeOf(run) {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** The median ms of a number of runs, each of which receives its number. */
export function medianOf(count, run) {
  return median(Array.from({ length: count }, (_, index) => timeOf(() => run(index))))
}

/** The ms of a run that is too short for the clock: of many in a row, the median of a few times. */
export function medianOfShort(run, batch = 100, count = 15) {
  return (
    medianOf(count, () => {
      for (let at = 0; at < batch; at++) run()
    }) / batch
  )
}
