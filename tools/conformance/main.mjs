// @ts-check
// Scores a folder of conformance data with the library as it was built: `npm run conformance -- DIR`.
// Plain JavaScript, because Node 20 does not read TypeScript.
import { existsSync } from 'node:fs'
import { runConformance } from './command.mjs'

/** @import { Library } from './library/types.ts' */

/** Whoever reads the output may have read enough of it. */
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error
})

const built = new URL('../../dist/index.mjs', import.meta.url)
const templates = new URL('../../dist/templates.mjs', import.meta.url)
/** @type {Library} */
const library = { ...(await import(built.href)), ...(existsSync(templates) ? await import(templates.href) : {}) }

process.exitCode = runConformance(process.argv.slice(2), library, {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
})
