import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printTable } from '../print.mjs'
import { errorOf, meanOf, median } from '../statistics.mjs'

const program = fileURLToPath(new URL('one-build.mjs', import.meta.url))

/**
 * Compares two builds of the library: prints, for each reader and workload, the time of the first as a share of the other's. A process of each
 * build takes its turn, as one process differs from the next of the same build, and a shared machine from one minute to the next. A figure
 * is the median of the rounds and its standard error.
 */
export async function comparePairs(file, beside, { readers, rounds }) {
  const all = []
  for (let number = 0; number < readers; number++) {
    const ratios = new Map()
    let name = ''
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? [file, beside] : [beside, file]
      const found = new Map()
      for (const build of order) found.set(build, await measureBuild(build, number))
      const { reader, times } = found.get(file)
      name = reader
      for (const [workload, ms] of Object.entries(times)) {
        const other = found.get(beside).times[workload]
        if (ms !== null && other !== null) ratios.set(workload, [...(ratios.get(workload) ?? []), ms / other])
      }
    }
    console.log(`\n${name}, times as long as in the build beside it`)
    const figures = [...ratios].map(([workload, ofRounds]) => ({
      workload,
      value: median(ofRounds),
      error: errorOf(ofRounds),
    }))
    printTable(
      figures.map(({ workload, value, error }) => [
        workload,
        `${value.toFixed(2)} ± ${error.toFixed(2)}`,
        saidOf(value, error),
      ]),
      36,
      20,
    )
    all.push(...figures)
  }
  const slower = all.filter(({ value, error }) => value - 1 >= 2 * error)
  console.log(
    `\nall ${all.length} figures together: ${meanOf(all.map(({ value }) => value)).toFixed(2)}; slower by more than the noise: ${slower.length}`,
  )
}

function saidOf(value, error) {
  if (Math.abs(value - 1) < 2 * error) return 'within the noise'
  return value < 1 ? 'faster' : 'slower'
}

async function measureBuild(file, number) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, file, String(number)])
  return JSON.parse(stdout)
}
