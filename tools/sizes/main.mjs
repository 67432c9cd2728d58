// Prints how many bytes a bundle of one import has, or a page of the build, minified and compressed by gzip, and fails if one is
// over its budget (budget.json). A user's bundler takes what an import needs: this is what they pay.
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
async function bundleOf(name, entry) {
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
  return outputFiles[0].contents
}

for (const [what, budget] of Object.entries(budgets)) {
  const [name = '', entry] = what.split(' of ')
  const contents = entry === undefined ? readFileSync(new URL(`dist/${name}`, root)) : await bundleOf(name, entry)
  const minified = contents.length
  const compressed = gzipSync(contents).length
  const isOver = compressed > budget
  if (isOver) process.exitCode = 1
  const row = [what.padEnd(36), String(minified).padStart(8), String(compressed).padStart(8), `of ${budget}`]
  console.log(`${row.join('  ')}${isOver ? '  OVER ITS BUDGET' : ''}`)
}
