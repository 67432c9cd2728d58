// @ts-check
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { collect, start } from '../clients/processes.mjs'
import { installSdk } from './install.mjs'
import { sdks } from './sdks.mjs'

/** The longest that an SDK may take for all its protocols and plans. */
const timeLimitMs = 150_000

/**
 * A row of the table of clients.
 * @typedef {object} SdkRow
 * @property {string} client
 * @property {string} version
 * @property {string} protocol
 * @property {string} roundTrip `pass`, `fail`, or the reason why it cannot run: tools in several steps, on each plan
 * @property {string} deep the same of its helpers for structured replies; `none` if it has none
 * @property {string} [note] what was tried, or what the SDK cannot do
 * @property {string[]} problems
 */

/**
 * Installs all SDKs that are missing. Needs the network; `sdkRows` does not.
 * @param {string} [only] the name of the one that is wanted
 */
export function installSdks(only) {
  for (const { name, packages } of chosen(only)) installSdk(name, packages)
}

/**
 * Runs all SDKs against the built gateway, and returns a row for each protocol of each.
 * @param {string} [only] the name of the one that is wanted
 * @returns {Promise<SdkRow[]>}
 */
export async function sdkRows(only) {
  const rows = []
  for (const sdk of chosen(only)) rows.push(...(await rowsOf(sdk)))
  return rows
}

/**
 * True if tools or structured replies failed.
 * @param {SdkRow} row
 */
export function hasFailed({ roundTrip, deep }) {
  return roundTrip === 'fail' || deep === 'fail'
}

/**
 * Returns what is wrong, a line each.
 * @param {readonly SdkRow[]} rows
 */
export function problemsOf(rows) {
  return rows.flatMap(({ client, protocol, problems }) =>
    problems.map((problem) => `${client}, ${protocol}: ${problem}`),
  )
}

/** @param {string} [only] */
function chosen(only) {
  const found = sdks.filter(({ name }) => only === undefined || name === only)
  if (found.length > 0) return found
  throw new Error(`There is no SDK "${only}". They are: ${sdks.map(({ name }) => name).join(', ')}.`)
}

/**
 * @param {import('./sdks.mjs').Sdk} sdk
 * @returns {Promise<SdkRow[]>}
 */
async function rowsOf({ name, title, packages, main }) {
  const row = { client: title, version: packages[main] ?? '' }
  const installed = installSdk(name, packages)
  if (installed.type === 'missing')
    return [{ ...row, protocol: '-', roundTrip: installed.reason, deep: '-', problems: [] }]
  const { folder, node } = installed
  const marker = `rows-${randomBytes(8).toString('hex')}:`
  const script = fileURLToPath(new URL('./run-one.mjs', import.meta.url))
  const child = start(node, [script, name, folder, marker], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code, signal] = await once(child, 'close')
  const line = stdout.text.split('\n').find((one) => one.startsWith(marker))
  if (line === undefined) {
    const problems = [`its process ended with ${code ?? signal}`, ...stderr.text.trim().split('\n').slice(-6)]
    return [{ ...row, protocol: '-', roundTrip: 'fail', deep: 'fail', problems }]
  }
  return JSON.parse(line.slice(marker.length)).map((/** @type {any} */ ran) => ({ ...row, ...resultOf(ran) }))
}

/** @param {{ protocol: string, note?: string, hasTools: boolean, more: string[], helpers: string[], problems: { tools: string[], structured: string[] } }} ran */
function resultOf({ protocol, note, hasTools, more, helpers, problems: { tools, structured } }) {
  return {
    protocol,
    roundTrip: !hasTools ? '-' : tools.length > 0 ? 'fail' : 'pass',
    deep: helpers.length === 0 ? 'none' : structured.length > 0 ? 'fail' : 'pass',
    note: [...more, ...helpers, ...(note === undefined ? [] : [note])].join(', '),
    problems: [...tools, ...structured],
  }
}
