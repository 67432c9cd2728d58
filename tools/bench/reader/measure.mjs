import { median } from '../statistics.mjs'

const warmUpMs = 300
const sampleMs = 500
const fewest = 5
const most = 300

/** The median time of a run in ms. */
export async function measure(run) {
  const first = await time(run)
  for (let spent = first.ms; spent < warmUpMs; ) spent += (await time(run)).ms
  // A run that is long enough has warmed itself up.
  const times = first.ms > warmUpMs ? [first.ms] : []
  for (let spent = 0; times.length < most && (spent < sampleMs || times.length < fewest); ) {
    if (first.ms > sampleMs && times.length > 0 && spent + first.ms > 4 * sampleMs) break
    const { ms } = await time(run)
    times.push(ms)
    spent += ms
  }
  return median(times)
}

/** The time of one run in ms, and its result. */
export async function time(run) {
  const start = performance.now()
  const result = run()
  // Only contenders that return a promise pay for it.
  const settled = result instanceof Promise ? await result : result
  return { ms: performance.now() - start, result: settled }
}
