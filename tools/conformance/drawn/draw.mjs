// @ts-check
/**
 * Writes chat templates drawn at random into a folder, for `npm run conformance -- FOLDER --only round-trip --only grammar --templates` to be
 * run on: templates that nobody has seen before.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { drawnTemplate } from './template.mjs'

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const [folder] = positionals
const [numRuns, seed] = [Number(values.count), Number(values.seed)]
if (folder === undefined || !Number.isInteger(numRuns) || !Number.isInteger(seed)) {
  console.error('Usage: npm run conformance:draw -- FOLDER [--count 100] [--seed 1]')
  process.exit(2)
}
const templates = join(folder, 'templates')
mkdirSync(templates, { recursive: true })
for (const [index, source] of fc.sample(drawnTemplate, { numRuns, seed }).entries()) {
  writeFileSync(join(templates, `drawn-${seed}-${String(index).padStart(3, '0')}.jinja`), source)
}
console.log(`${numRuns} templates in ${templates}`)
