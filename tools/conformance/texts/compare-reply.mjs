// @ts-check
import { isDeepStrictEqual } from 'node:util'
import { compare } from './compare.mjs'

/** @import { Difference, ReadCall, Reading } from '../library/types.ts' */
/** @import { ExpectedReply } from '../library/template-types.ts' */

/**
 * The differences of a reading from the expected reply. White space at both ends of content and reasoning does not
 * count. Arguments are compared as JSON values; for a call that was cut their text is compared, up to the shorter
 * length.
 * @param {Reading} reading
 * @param {ExpectedReply} expected
 * @returns {Difference[]}
 */
export function compareReply(reading, expected) {
  const faults = reading.faults.map((note) => ({ what: 'fault', note }))
  const { content, reasoning, calls } = expected
  const last = calls.at(-1)
  const wanted = { content, reasoning, calls, contains: [], excludes: [], report: {} }
  const [cut, ...others] = reading.incomplete
  if (!expected.isCut || !last || 'arguments' in last) {
    return [...faults, ...compare(reading, wanted), ...numbersThatChanged(reading, expected)]
  }
  const before = { ...wanted, calls: calls.slice(0, -1) }
  if (!cut) return [...faults, ...compare(reading, wanted)]
  const rest = others.length > 0 ? reading : { ...reading, incomplete: [] }
  return [...faults, ...compare(rest, before), ...compareCut(cut, last)]
}

/**
 * @param {ReadCall} got
 * @param {ExpectedReply['calls'][number]} expected
 * @returns {Difference[]}
 */
function compareCut(got, expected) {
  const [one, other] = [withoutSpace(got.json), withoutSpace(expected.json)]
  const isBeginning = one.startsWith(other) || other.startsWith(one)
  const hasId = expected.id === undefined || got.id === expected.id
  if (got.name === expected.name && hasId && isBeginning) return []
  return [{ what: 'cut call', expected: show(expected), got: show(got) }]
}

/**
 * Numbers whose digits a JavaScript number cannot hold, so that comparing values does not show a change.
 * @param {Reading} reading
 * @param {ExpectedReply} expected
 * @returns {Difference[]}
 */
function numbersThatChanged({ calls }, expected) {
  return expected.calls.flatMap(({ json }, at) => {
    const [wanted, got] = [longNumbers(json), longNumbers(calls[at]?.json ?? '')]
    return isDeepStrictEqual(wanted, got) ? [] : [{ what: 'digits', expected: wanted.join(' '), got: got.join(' ') }]
  })
}

/** @param {string} json */
function longNumbers(json) {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, '""').match(/\d{16,}/g) ?? []
}

/**
 * Without the white space between the parts of a JSON text.
 * @param {string} json
 */
function withoutSpace(json) {
  return json.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gs, '$1')
}

/** @param {{ name: string, json: string, id?: string }} call */
function show({ name, json, id }) {
  return `${name}(${json}${id === undefined ? '' : `, with id ${id}`}`
}
