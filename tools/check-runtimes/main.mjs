// @ts-check
// Runs the packed package on every runtime: `npm run check:runtimes [-- --only NAME] [--write]`. The runtimes come from npm and are
// kept in .cache/. Prints what works where, as the table of docs/runtimes.md; `--write` puts it there. Ends with 1 where a cell is not
// what it should be, and where the page has another table.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installAll, root } from './install.mjs'
import {
  aiSdkTypesHold,
  bundlesHold,
  declarationsHold,
  libraryTypesHold,
  snippetsHold,
  treeShakingHolds,
} from './package-checks.mjs'
import { bundledOnNode, inPage, inWorker, onCommand } from './places.mjs'
import { startUpstream } from './upstream.mjs'

const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const page = join(root, 'docs/runtimes.md')
const installed = installAll()
const esbuild = await installed.esbuild()

/** @typedef {{ name: string, ok: boolean, said?: string }} Result */

/** @type {Record<string, (upstream: string) => Promise<Result[]>>} */
const places = {
  ...Object.fromEntries(
    Object.entries(installed.commands).map(([name, command]) => [
      name,
      (/** @type {string} */ upstream) => onCommand(name, command, upstream),
    ]),
  ),
  'Node, bundled': (upstream) => bundledOnNode(esbuild, upstream),
  workerd: async (upstream) => inWorker(esbuild, await installed.miniflare(), upstream),
  'a page': (upstream) => inPage(esbuild, upstream),
}

/** @type {Record<string, () => void | Promise<void>>} */
const packageChecks = {
  'the declarations name only what there is': declarationsHold,
  'types: the library, without Node': libraryTypesHold,
  'types: AI SDK 6': () => aiSdkTypesHold('ai6'),
  'types: AI SDK 7': () => aiSdkTypesHold('ai7'),
  'types: the TypeScript in README and docs': snippetsHold,
  'each entry bundles without externals': () => bundlesHold(esbuild),
  'what is not imported is left out of a bundle': () => treeShakingHolds(esbuild),
}

/** @type {Map<string, Map<string, Result>>} */
const table = new Map()
let failures = 0
/** @param {string} name @param {string} said */
const failed = (name, said) => {
  failures++
  console.log(`FAILED: ${name}: ${said}`)
}

for (const [name, run] of Object.entries(places)) {
  if (flags.only !== undefined && !name.startsWith(flags.only)) continue
  const upstream = await startUpstream()
  const started = performance.now()
  const results = await run(upstream.url)
  upstream.close()
  table.set(name, new Map(results.map((result) => [result.name, result])))
  for (const { name: what, ok, said = '' } of results) if (!ok) failed(`${name}, ${what}`, said)
  if (results.length === 0) failed(name, 'nothing ran')
  console.log(
    `${name}: ${results.filter(({ ok }) => ok).length} of ${results.length} in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
}
if (flags.only === undefined || flags.only === 'package') {
  for (const [name, check] of Object.entries(packageChecks)) {
    try {
      await check()
      console.log(`ok: ${name}`)
    } catch (error) {
      failed(name, String(error).slice(0, 2000))
    }
  }
}

const features = [...new Set([...table.values()].flatMap((results) => [...results.keys()]))]
const rows = [
  ['', ...table.keys()],
  ['---', ...[...table.keys()].map(() => '---')],
  ...features.map((feature) => [feature, ...[...table.values()].map((results) => cell(results.get(feature)))]),
]
const text = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
console.log(`\n${text}\n`)

/** @param {Result | undefined} result */
function cell(result) {
  if (result === undefined) return '–'
  return result.ok ? 'yes' : 'no'
}

if (flags.only === undefined) {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(/(?<=<!-- made by .* -->\n)/)
  const after = rest.slice(rest.indexOf('<!-- end -->'))
  const made = `${before}${text}\n${after}`
  if (flags.write) writeFileSync(page, made)
  else if (`${before}${rest}` !== made)
    failed('docs/runtimes.md', 'has another table; npm run check:runtimes -- --write puts this one there')
}
console.log(failures === 0 ? 'all as it should be' : `${failures} failed`)
process.exit(failures === 0 ? 0 : 1)
