// @ts-check
import { isDeepStrictEqual } from 'node:util'

/** @import { Difference, ExpectedCall, ExpectedMessage, ReadCall, Reading } from '../library/types.ts' */

/**
 * The differences of a reading from the expected message. White space at both ends of content and reasoning does not
 * count, nor the notation of arguments. Parts that the expectation leaves out are not compared.
 * @param {Reading} reading
 * @param {ExpectedMessage} expected
 * @returns {Difference[]} none where it is
 */
export function compare(reading, expected) {
  return [
    ...compareTexts('content', reading.content, expected.content),
    ...compareTexts('reasoning', reading.reasoning, expected.reasoning),
    ...expected.contains
      .filter((text) => !reading.content.includes(text))
      .map((text) => ({
        what: 'content',
        expected: `with ${JSON.stringify(text)}`,
        got: JSON.stringify(reading.content),
      })),
    ...expected.excludes
      .filter((text) => reading.content.includes(text))
      .map((text) => ({
        what: 'content',
        expected: `without ${JSON.stringify(text)}`,
        got: JSON.stringify(reading.content),
      })),
    ...compareCalls(reading, expected.calls),
    ...Object.entries(expected.report).flatMap(([name, value]) => {
      const got = Object.entries(reading.report).find(([key]) => key === name)?.[1]
      if (isDeepStrictEqual(got, value)) return []
      return [{ what: name, expected: JSON.stringify(value), got: JSON.stringify(got) ?? 'nothing' }]
    }),
  ]
}

/**
 * True if the call is the expected one. Arguments and id count if the expectation has them.
 * @param {ReadCall} call
 * @param {ExpectedCall} expected
 */
export function isSameCall(call, expected) {
  if (call.name !== expected.name) return false
  if (expected.id !== undefined && call.id !== expected.id) return false
  return !('arguments' in expected) || isDeepStrictEqual(parsed(call.json), expected.arguments)
}

/**
 * @param {string} what
 * @param {string} got
 * @param {string | undefined} expected
 * @returns {Difference[]}
 */
function compareTexts(what, got, expected) {
  if (expected === undefined || got.trim() === expected.trim()) return []
  return [{ what, expected: JSON.stringify(expected), got: JSON.stringify(got) }]
}

/**
 * @param {Reading} reading
 * @param {readonly ExpectedCall[] | undefined} expected
 * @returns {Difference[]}
 */
function compareCalls({ calls, incomplete }, expected) {
  if (!expected) return []
  const same = calls.length === expected.length && expected.every((call, at) => isAlike(calls[at], call))
  if (same && incomplete.length === 0) return []
  const got = [...calls.map(showCall), ...incomplete.map((call) => `${showCall(call)} (incomplete)`)]
  return [{ what: 'calls', expected: list(expected.map(showExpectedCall)), got: list(got) }]
}

/**
 * @param {ReadCall | undefined} call
 * @param {ExpectedCall} expected
 */
function isAlike(call, expected) {
  return call !== undefined && isSameCall(call, expected)
}

/** @param {ReadCall} call */
function showCall({ name, json, id }) {
  return `${name}(${json})${id === undefined ? '' : ` with id ${id}`}`
}

/** @param {ExpectedCall} call */
function showExpectedCall({ name, id, ...call }) {
  const values = 'arguments' in call ? JSON.stringify(call.arguments) : '...'
  return `${name}(${values})${id === undefined ? '' : ` with id ${id}`}`
}

/** @param {readonly string[]} calls */
function list(calls) {
  return calls.length > 0 ? calls.join(', ') : 'none'
}

/** @param {string} json */
function parsed(json) {
  try {
    return /** @type {unknown} */ (JSON.parse(json))
  } catch {
    return undefined
  }
}
