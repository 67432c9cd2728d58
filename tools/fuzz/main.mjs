// @ts-check
// Hunts for texts that break a law of the readers: `npm run fuzz -- [--minutes N | --texts N] [--seed N]
// [--dialect NAME] [--case FILE] [--anycall FILE]`. It makes texts as models write them, or not quite, for each dialect of the library,
// reads them with the dialect's own reader and with the universal one, and checks what must hold for every text
// (laws.mjs). The same seed makes the same texts, and with
// --texts just so many of them; without one the seed is shown. What is found is made small and shown
// as a case, one JSON object on a line; --case reads such a file and checks it alone. Inputs for which the steps of a reader grow faster
// than their length are faults, too: steps are counted, no time is measured.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { faultOf } from './laws.mjs'
import { allSplits } from './splits.mjs'
import { watch } from './watch.mjs'

/** @import { FuzzCase, Library } from './types.ts' */

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    texts: { type: 'string' },
    seed: { type: 'string' },
    dialect: { type: 'string' },
    case: { type: 'string' },
    anycall: { type: 'string', default: fileURLToPath(new URL('../../dist/index.mjs', import.meta.url)) },
  },
})
const file = pathToFileURL(resolve(flags.anycall)).href

/** @param {string} path */
async function checkCases(path) {
  /** @type {Library} */
  const { createReader } = await import(file)
  const lines = readFileSync(path, 'utf8').split('\n')
  let faults = 0
  for (const line of lines.filter((one) => one.trim() !== '')) {
    /** @type {FuzzCase} */
    const fuzzCase = JSON.parse(line)
    const fault = faultOf(createReader, fuzzCase, allSplits(fuzzCase.text))
    if (fault) faults++
    console.log(fault ? `${fault.law}: ${fault.message}\n${line}` : `holds: ${line}`)
  }
  return faults
}

const seed = flags.seed ?? String(Math.floor(Math.random() * 1_000_000))
const extent = flags.texts === undefined ? { minutes: Number(flags.minutes) } : { texts: Number(flags.texts) }
const found =
  flags.case === undefined
    ? await watch({ file, seed, ...extent, dialect: flags.dialect })
    : await checkCases(flags.case)
if (found > 0) process.exitCode = 1
