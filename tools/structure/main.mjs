// Holds the structure of src/ to the rules of docs/architecture.md: dependency-cruiser's, which .dependency-cruiser.mjs
// has, no circle among folders, no folder with more files than a reader takes in at once, docstrings that begin with a
// verb or a noun phrase, and no function that V8 keeps until a full garbage collection.
// `npm run structure`

import { readdirSync, readFileSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'
import config from '../../.dependency-cruiser.mjs'
import { circles } from './circles.mjs'
import { docstringFaults } from './docstrings.mjs'
import { keptClosures } from './kept-closures.mjs'

/** Files of a folder, its tests not counted. */
const mostFiles = 16

const { forbidden, options } = config
const { output } = await cruise(['src'], {
  ...options,
  ruleSet: { forbidden },
  validate: true,
  outputType: 'json',
})
/** @type {import('dependency-cruiser').ICruiseResult} */
const result = JSON.parse(String(output))

const faults = result.summary.violations.map(
  ({ rule, from, to, cycle }) => `${rule.name}: ${from} -> ${cycle?.map(({ name }) => name).join(' -> ') ?? to}`,
)

const files = result.modules.filter(({ source }) => source.startsWith('src/') && !source.endsWith('.test.ts'))

/** The folders that each folder imports. An index only passes on what its room has, so it is in no circle. */
const imports = new Map()
for (const { source, dependencies } of files) {
  if (source.endsWith('/index.ts')) continue
  const from = folderOf(source)
  const to = imports.get(from) ?? new Set()
  imports.set(from, to)
  for (const { resolved } of dependencies) {
    if (resolved.startsWith('src/') && !resolved.endsWith('/index.ts') && folderOf(resolved) !== from)
      to.add(folderOf(resolved))
  }
}
for (const circle of circles(imports)) faults.push(`circle among folders: ${circle.join(', ')}`)

const counts = new Map()
for (const { source } of files) counts.set(folderOf(source), (counts.get(folderOf(source)) ?? 0) + 1)
for (const [folder, count] of counts) {
  if (count > mostFiles) faults.push(`${folder}: ${count} files; ${mostFiles} at most, then folders of one idea each`)
}

for (const folder of ['src', 'test', 'tools']) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:ts|mjs)$/.test(name)) continue
    const file = `${folder}/${name}`
    const source = readFileSync(file, 'utf8')
    faults.push(...docstringFaults(source, file))
    if (folder === 'src' && !file.endsWith('.test.ts')) faults.push(...keptClosures(source, file))
  }
}

for (const fault of faults) console.error(fault)
console.log(`${files.length} files in ${counts.size} folders: ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1

/** @param {string} path */
function folderOf(path) {
  return path.slice(0, path.lastIndexOf('/'))
}
