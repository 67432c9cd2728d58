/**
 * Measures the speed of chat templates: `npm run bench:templates [-- DIR] [--quick] [--strict]` over all templates of
 * DIR/templates (default `../shared/conformance`), or `node tools/bench/templates.mjs` with the built library. It exits
 * with 0, or with 1 if `--strict` is set and a target is missed.
 *
 *   load       the template's source read and compiled
 *   render     the prompt of a conversation: a system text, two questions, a call with its result, 24 tools
 *   analysis   cold: of a template that was not analysed before; cached: of one that was
 *   reader     `createReader` for 1, 24 and 100 tools; new: of a client that was not seen before, so that no tool is
 *              known; again: with the tools of the time before
 *   grammar    `grammar` for the same tools, and both together as one request needs them
 *   schema     the grammar of a reply in JSON of a schema with 10, 100 and 1000 members: of a kind each, and all kinds;
 *              of the first template, as templates hardly differ in it
 *
 * A process is slow at first, whatever it does: the engine has compiled nothing yet, and of the formats that the library
 * knows each is compiled when it is first met. So all this is done in passes over all templates. The first pass is shown
 * as it is, with the very first analysis by itself; the others are what a template costs. Each pass of analyses has its
 * own copies, which differ from the templates by a comment, as analyses are cached by a template's content; each pass of
 * readers and grammars has tools of its own.
 *
 * Times are medians, of one machine and one run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { analyzeTemplate, safeLoadTemplate, safeRenderTemplate, templateDialect } from '../../dist/templates.mjs'
import { printTable, printTargets } from './print.mjs'
import { median } from './statistics.mjs'
import { printSchemas } from './templates/schemas.mjs'
import { medianOf, medianOfShort, timeOf } from './templates/times.mjs'
import { conversation, toolsOf } from './templates/tools.mjs'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, strict: { type: 'boolean', default: false } },
})
const specialTokens = { bos_token: '<s>', eos_token: '</s>' }
const passes = flags.quick ? 1 : 5
const runs = flags.quick ? 2 : 7
const sizes = [1, 24, 100]
const now = new Date(2026, 0, 15, 10, 30)
const both = 'reader and grammar'

function run() {
  const folder = join(
    positionals[0] ?? fileURLToPath(new URL('../../../shared/conformance', import.meta.url)),
    'templates',
  )
  const sources = readSources(folder)
  if (sources.length === 0) throw new Error(`There are no templates (.jinja) in ${folder}.`)
  console.log(`anycall: ${sources.length} chat templates`)
  console.log(`node ${process.version}; ${cpus().length} cores (${cpus()[0]?.model.trim()})`)
  const cold = analyses(sources)
  const rows = new Map([...cold, ...rendering(sources), ...cached(sources)])
  printRows('the templates', rows)
  const requests = sizes.map((size) => [size, requestsOf(sources, size)])
  for (const [size, ofSize] of requests) printRows(`${size} ${size === 1 ? 'tool' : 'tools'}`, ofSize)
  const slowest = printSchemas(dialectOf(sources[0]), runs)
  console.log('')
  const built = requests.find(([size]) => size === 24)[1].get(`${both}, new tools`)
  return printTargets([
    { name: 'analysis cold, the median template:', value: middle(rows.get('analysis, cold')), limit: 100, unit: 'ms' },
    {
      name: 'analysis cached, the median template:',
      value: middle(rows.get('analysis, cached')) * 1000,
      limit: 50,
      unit: 'µs',
    },
    { name: 'reader and grammar for 24 new tools, the median template:', value: middle(built), limit: 5, unit: 'ms' },
    { name: 'reader and grammar for 24 new tools, the worst template:', value: worst(built).ms, limit: 5, unit: 'ms' },
    { name: 'grammar of a schema with 100 members, the slowest kind:', value: slowest, limit: 50, unit: 'ms' },
  ])
}

function readSources(folder) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jinja'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.jinja'.length), source: readFileSync(join(folder, file), 'utf8') }))
}

/** A template, or a copy of it that nothing remembers. The line break belongs to the comment: templates are rendered without it. */
function load({ name, source }, copy) {
  const text = copy === undefined ? source : `{# copy ${copy} #}\n${source}`
  const loaded = safeLoadTemplate(text, { specialTokens })
  if (loaded.type === 'error') throw new Error(`${name}: ${loaded.message}`)
  return loaded.template
}

/** The very first, then all of them with a cold engine, then the median of passes. */
function analyses(sources) {
  const passOf = (copy) =>
    sources.map((one) => {
      const template = load(one, copy)
      return { name: one.name, ms: timeOf(() => analyzeTemplate(template)) }
    })
  const first = passOf('first')
  const rest = Array.from({ length: passes }, (_, pass) => passOf(pass))
  const cold = sources.map(({ name }, at) => ({ name, ms: median(rest.map((pass) => pass[at].ms)) }))
  return [
    ['analysis, the first of a process', first.slice(0, 1)],
    ['analysis, the first pass', first],
    ['analysis, cold', cold],
  ]
}

function rendering(sources) {
  const talk = conversation()
  const loads = sources.map((one) => ({ name: one.name, ms: medianOf(runs, () => load(one)) }))
  const renders = sources.map((one) => {
    const template = load(one)
    const render = () => {
      const { type, message } = safeRenderTemplate(template, talk, { now })
      if (type === 'error') throw new Error(`${one.name}: ${message}`)
    }
    // The capabilities of the template are found once.
    render()
    return { name: one.name, ms: medianOf(runs * 3, render) }
  })
  return [
    ['load', loads],
    ['render', renders],
  ]
}

/** `cached` asks with the template that was analysed, `reloaded` with the same content that was read anew. */
function cached(sources) {
  const each = (templateOf) =>
    sources.map((one) => {
      analyzeTemplate(load(one))
      return { name: one.name, ms: templateOf(one) }
    })
  return [
    [
      'analysis, cached',
      each((one) => {
        const template = load(one)
        return medianOfShort(() => analyzeTemplate(template))
      }),
    ],
    [
      'analysis, cached and reloaded',
      each((one) => {
        const templates = Array.from({ length: runs }, () => load(one))
        return medianOf(runs, (at) => analyzeTemplate(templates[at]))
      }),
    ],
  ]
}

/**
 * Reader and grammar for a number of tools, of every template, in passes like the analyses: the first includes
 * compilation by the engine, then the median of the others.
 */
function requestsOf(sources, size) {
  const builds = buildsOf(sources.map(({ source, name }) => ({ name, dialect: dialectOf({ source, name }) })))
  const passOf = (pass) =>
    builds.map(({ label, name, build }) => {
      const request = requestOf(size, `${label[0]}${label.length}${pass}`)
      return { label, name, fresh: timeOf(() => build(request)), again: timeOf(() => build(request)) }
    })
  const first = passOf('first')
  const rest = Array.from({ length: runs }, (_, pass) => passOf(pass))
  const rows = new Map()
  const add = (row, name, ms) => rows.set(row, [...(rows.get(row) ?? []), { name, ms }])
  for (const [at, { label, name, fresh }] of first.entries()) {
    if (label === both) add(`${label}, the first pass`, name, fresh)
    add(`${label}, new tools`, name, median(rest.map((pass) => pass[at].fresh)))
    add(`${label}, the same again`, name, median(rest.map((pass) => pass[at].again)))
  }
  return rows
}

/** The things that are built, kind by kind: each kind for all templates. */
function buildsOf(templates) {
  const kinds = {
    reader: (dialect, request) => void dialect.createReader(request),
    grammar: (dialect, request) => void dialect.grammar(request),
    [both]: (dialect, request) => {
      dialect.createReader(request)
      dialect.grammar(request)
    },
  }
  return Object.entries(kinds).flatMap(([label, build]) =>
    templates.map(({ name, dialect }) => ({ label, name, build: (request) => build(dialect, request) })),
  )
}

function dialectOf(one) {
  return templateDialect(analyzeTemplate(load(one)))
}

function requestOf(size, client) {
  return { tools: toolsOf(size, client), toolChoice: { type: 'auto' }, parallelCalls: true }
}

function middle(times) {
  return median(times.map(({ ms }) => ms))
}

function worst(times) {
  return times.reduce((one, other) => (other.ms > one.ms ? other : one))
}

function printRows(title, rows) {
  console.log(`\n${title}`)
  printTable(
    [
      ['', 'median', 'worst', '', ''],
      ...[...rows].map(([label, times]) => {
        const { ms, name } = worst(times)
        return [label, show(middle(times)), show(ms), `  ${name}`]
      }),
    ],
    36,
    12,
  )
}

function show(ms) {
  return ms < 0.1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

const missed = run()
if (flags.strict && missed > 0) process.exitCode = 1
