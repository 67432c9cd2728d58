// @ts-check
import { editTable } from '../clients/run/table.mjs'
import { sdks } from './sdks.mjs'

/** @typedef {import('../clients/run/table.mjs').Row} Row */
/** @typedef {import('./index.mjs').SdkRow} SdkRow */

/** The end of a protocol's name: the SDK was run with whole replies, or with streams. */
const delivery = /, (whole|streamed)$/

/**
 * Returns the rows of the table, in which replies whole and streamed are one.
 * @param {readonly SdkRow[]} ran
 * @returns {Row[]}
 */
export function tableRows(ran) {
  /** @type {Map<string, SdkRow[]>} */
  const groups = new Map()
  for (const row of ran) {
    const key = `${row.client} ${row.protocol.replace(delivery, '')}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map(joined)
}

/**
 * @param {SdkRow[]} rows
 * @returns {Row}
 */
function joined(rows) {
  const { client = '', version = '', protocol = '' } = rows[0] ?? {}
  const streamed = rows.filter((row) => row.protocol.endsWith(', streamed')).length
  const ways = streamed === 0 ? '' : streamed < rows.length ? ', whole and streamed' : ', streamed'
  const tried = new Set(rows.flatMap(({ note = '' }) => note.split(', ')).filter((word) => word !== ''))
  return {
    client,
    version,
    protocol: `${protocol.replace(delivery, '')}${ways}`,
    roundTrip: verdict(rows.map(({ roundTrip }) => roundTrip)),
    deep: [verdict(rows.map(({ deep }) => deep)), ...tried].join('; '),
  }
}

/**
 * Returns one result for several; a reason why nothing could be run stays as it is.
 * @param {readonly string[]} results
 */
function verdict(results) {
  if (results.includes('fail')) return 'no'
  return results.includes('pass') ? 'yes' : (results[0] ?? '-')
}

/**
 * Writes rows into the table of the README. The rows of SDKs that were not run stay.
 * @param {readonly Row[]} rows
 */
export function writeSdkTable(rows) {
  editTable('sdks', (before) =>
    sdks.flatMap(({ title, main, packages }) => {
      const version = packages[main] ?? ''
      const of = [rows, before].map((some) => some.filter((row) => row.client === title && row.version === version))
      const notRun = { client: title, version, protocol: '-', roundTrip: 'not run yet', deep: 'not run yet' }
      return of.find((some) => some.length > 0) ?? [notRun]
    }),
  )
}
