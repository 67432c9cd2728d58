// Prints how many bytes a bundle of one import has, minified and compressed by gzip, and fails if one is over its budget
// (budget.json). A user's bundler takes what an import needs: this is what they pay.
// `npm run sizes`

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = new URL('../../', import.meta.url)
/** @type {Record<string, number>} */
const budgets = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'))
/** @type {{ exports: Record<string, { default: string } | string> }} */
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** @param {string} entry */
function fileOf(entry) {
  const found = exports[entry.replace('anycall', '.')]
  if (typeof found !== 'object') throw new Error(`budget.json: the package has no entry ${entry}`)
  return new URL(found.default, root).pathname
}

/** @param {string} name @param {string} entry */
async function sizeOf(name, entry) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${name} } from ${JSON.stringify(fileOf(entry))}\nconsole.log(${name})`,
      resolveDir: root.pathname,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  })
  const [{ contents }] = outputFiles
  return { minified: contents.length, compressed: gzipSync(contents).length }
}

for (const [what, budget] of Object.entries(budgets)) {
  const [name = '', entry = ''] = what.split(' of ')
  const { minified, compressed } = await sizeOf(name, entry)
  const isOver = compressed > budget
  if (isOver) process.exitCode = 1
  const row = [what.padEnd(36), String(minified).padStart(8), String(compressed).padStart(8), `of ${budget}`]
  console.log(`${row.join('  ')}${isOver ? '  OVER ITS BUDGET' : ''}`)
}
