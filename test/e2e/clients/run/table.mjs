// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../build.mjs'

/**
 * A row of the tables of clients and of SDKs, as the README has them.
 * @typedef {{ client: string, version: string, protocol: string, roundTrip: string, deep: string }} Row
 */

/** @typedef {'clients' | 'sdks'} TableName */

const readme = join(projectFolder, 'README.md')
const head = ['client', 'version', 'protocol', 'round trip', 'deep']

/**
 * Returns the row of one way in which a client reaches the gateway.
 * @param {import('../agents/client.mjs').Client} client
 * @param {import('../agents/client.mjs').Mode} mode
 * @param {readonly import('./run.mjs').Outcome[]} outcomes
 * @returns {Row}
 */
export function rowOf(client, mode, outcomes) {
  const passes = (/** @type {string} */ name) =>
    outcomes.some(({ scenario, problems }) => scenario === name && problems.length === 0)
  const extras = (mode.extras ?? []).map(({ name }) => (passes(name) ? name : `${name}: no`))
  const limits = [
    ...(mode.tools.image ? [] : [`no image: ${mode.withoutImage}`]),
    ...(mode.changesReplies ? [`replies change: ${mode.changesReplies}`] : []),
    ...(mode.rewrites ? [`prompts change: ${mode.rewrites}`] : []),
  ]
  const deep = passes('deep') ? ['yes', ...extras, ...limits] : ['no', ...extras]
  return { ...identify(client, mode), roundTrip: passes('round trip') ? 'yes' : 'no', deep: deep.join('; ') }
}

/**
 * Returns the cells that tell a row from others.
 * @param {import('../agents/client.mjs').Client} client
 * @param {import('../agents/client.mjs').Mode} mode
 */
export function identify({ name, version }, { protocol, provider }) {
  return { client: name, version, protocol: provider === undefined ? protocol : `${protocol} (${provider})` }
}

/**
 * Returns the row of a client that cannot be run.
 * @param {import('../agents/client.mjs').Absent} absent
 * @returns {Row}
 */
export function absentRow({ name, version, reason }) {
  return { client: name, version, protocol: '-', roundTrip: 'not run', deep: reason }
}

/** @param {readonly Row[]} rows */
export function toMarkdown(rows) {
  const lines = rows.map(({ client, version, protocol, roundTrip, deep }) => [
    client,
    version,
    protocol,
    roundTrip,
    deep,
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * Reads a table as `toMarkdown` writes it.
 * @param {string} text
 * @returns {Row[]}
 */
export function fromMarkdown(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) => {
    const [client = '', version = '', protocol = '', roundTrip = '', deep = ''] = line.slice(2, -2).split(' | ')
    return { client, version, protocol, roundTrip, deep }
  })
}

/**
 * Returns a table of the README, between its marks.
 * @param {string} text
 * @param {TableName} name
 * @throws {Error} if a mark is missing or the two are out of order
 */
export function splitReadme(text, name) {
  const [first, last] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const begin = text.indexOf(first)
  const end = text.indexOf(last)
  if (begin < 0 || end < begin) throw new Error(`README.md needs the lines "${first}" and "${last}", in this order`)
  const from = begin + first.length
  return { before: text.slice(0, from), table: text.slice(from, end), after: text.slice(end) }
}

/**
 * Changes the rows of a table of the README.
 * @param {TableName} name
 * @param {(before: readonly Row[]) => readonly Row[]} change
 */
export function editTable(name, change) {
  const { before, table, after } = splitReadme(readFileSync(readme, 'utf8'), name)
  writeFileSync(readme, `${before}\n${toMarkdown(change(fromMarkdown(table)))}\n${after}`)
}

/**
 * Writes rows into the table of clients. Rows of clients that were not run stay, those of `order` that do not exist any more go.
 * @param {readonly Row[]} rows
 * @param {readonly Pick<Row, 'client' | 'version' | 'protocol'>[]} order all rows that there may be
 */
export function writeTable(rows, order) {
  editTable('clients', (before) => mergeRows(before, rows, order))
}

/** The results of what was never run, in this version. */
const notRun = { roundTrip: 'not run yet', deep: 'not run yet' }

/**
 * Returns the rows of `order` with the newest results.
 * @param {readonly Row[]} before
 * @param {readonly Row[]} rows
 * @param {readonly Pick<Row, 'client' | 'version' | 'protocol'>[]} order
 */
export function mergeRows(before, rows, order) {
  const known = new Map([...before, ...rows].map((row) => [keyOf(row), row]))
  return order.map((row) => known.get(keyOf(row)) ?? { ...row, ...notRun })
}

/** @param {Pick<Row, 'client' | 'version' | 'protocol'>} row */
function keyOf({ client, version, protocol }) {
  return [client, version, protocol].join(' | ')
}
