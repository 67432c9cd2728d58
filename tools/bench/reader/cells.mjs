import { faultOf, takesBack } from './contenders.mjs'
import { measure, time } from './measure.mjs'
import { lengths } from './workloads.mjs'

/**
 * A cell is the result of one contender and one workload: `{ms, pieces, characters}` with a `remark` if there is one;
 * `{fault}` if the reply is wrong; or `{skipped}` with the ms that it would have taken.
 */

/** A cell for each length; a length that would take longer than the budget (ms) is not run. */
export async function measureLengths(contender, createWorkload, budget) {
  const cells = {}
  let last
  for (const [label, length] of Object.entries(lengths)) {
    // Estimated as quadratic, which it is if it is slow at all.
    const expected = last === undefined ? 0 : last.ms * (length / last.length) ** 2
    if (last?.ms > 200 && expected > budget) {
      cells[label] = { skipped: expected }
      continue
    }
    cells[label] = await measureOne(contender, createWorkload(length))
    const ms = cells[label].ms ?? cells[label].spent
    if (ms !== undefined) last = { length, ms }
  }
  return cells
}

/** The cell of one workload; nothing is timed before the reply is known to be right. */
export async function measureOne(contender, workload) {
  try {
    const { run, check, pieces, characters } = contender.prepare(workload)
    const checked = check && (await time(check))
    const fault = checked && faultOf(checked.result, workload)
    if (fault !== undefined) return { fault, spent: checked.ms }
    const remark = checked && takesBack(checked.result) ? 'streamed pieces were taken back' : undefined
    return { ms: await measure(run), pieces, characters, remark }
  } catch (error) {
    return { fault: `threw: ${error instanceof Error ? error.message : error}` }
  }
}

export function microsecondsOf({ ms, pieces }) {
  return (ms * 1000) / pieces
}

/** The time of the longer workload divided by that of the shorter one. */
export function growthOf(cells, shorter, longer) {
  const both = [cells[shorter], cells[longer]]
  return targetValue(both, () => cells[longer].ms / cells[shorter].ms)
}

/** A value for a target: undefined if nothing was measured, null if a reply was wrong, so that it is missed. */
export function targetValue(cells, compute) {
  if (cells.some(({ fault }) => fault !== undefined)) return null
  return cells.length > 0 && cells.every(({ ms }) => ms !== undefined) ? compute() : undefined
}
