// @ts-check
import { compare } from './compare.mjs'

/** @import { Difference, ExpectedCall, ExpectedMessage, Reading, TextCase } from '../library/types.ts' */

/**
 * The differences of a reading from its case: it may be the expected message, one that is as good or, if the case
 * allows it, one whose unknown or cut call stayed text.
 * @param {Reading} reading
 * @param {TextCase} textCase
 * @returns {Difference[]} against the expected message; none where the case passes
 */
export function judge(reading, textCase) {
  if (reading.faults.length > 0) return reading.faults.map((note) => ({ what: 'fault', note }))
  const [expected, ...accepted] = textCase.messages
  if (textCase.messages.some((message) => isAllowed(reading, message, textCase))) return []
  const differences = compare(reading, expected)
  if (accepted.length === 0) return differences
  return [...differences, { what: 'accept', note: `nor any of the other messages that pass (${accepted.length})` }]
}

/**
 * @param {Reading} reading
 * @param {ExpectedMessage} message
 * @param {TextCase} textCase
 */
function isAllowed(reading, message, textCase) {
  if (compare(reading, message).length === 0) return true
  if (textCase.unknownTool && unknownCallsStayedText(reading, message, textCase)) return true
  return textCase.truncated && cutCallWasTold(reading, message, textCase)
}

/**
 * True where the calls of tools that were not offered are in the content, and all else is as expected.
 * @param {Reading} reading
 * @param {ExpectedMessage} message
 * @param {TextCase} textCase
 */
function unknownCallsStayedText(reading, message, { tools, trigger, output }) {
  const offered = new Set(tools.map(({ name }) => name))
  const unknown = (message.calls ?? []).filter(({ name }) => !offered.has(name))
  const known = (message.calls ?? []).filter(({ name }) => offered.has(name))
  if (unknown.length === 0 || !matches(reading, message, known)) return false
  const shown = trigger === undefined ? output : output.replaceAll(trigger, '')
  if (visible(reading.content) === visible(shown)) return true
  // Other text of the output was read too: then the content of the calls must be in the text, and the rest still.
  return unknown.every((call) => holdsCall(reading, output, call)) && holds(reading.content, message.content ?? '')
}

/**
 * True where the call that was cut came out as incomplete or stayed text, whichever of both the message has, and all
 * else is as expected. Of a cut call only the name counts. One that came out as complete is a call like any other.
 * @param {Reading} reading
 * @param {ExpectedMessage} message
 * @param {TextCase} textCase
 */
function cutCallWasTold(reading, message, { tools }) {
  const expected = message.calls ?? []
  const before = expected.slice(0, -1)
  const last = expected.at(-1)
  const [cut, ...others] = reading.incomplete
  if (others.length > 0) return false
  if (cut) {
    const rest = { ...reading, incomplete: [] }
    if (cut.name === last?.name && compare(rest, { ...message, calls: before }).length === 0) return true
    const isOffered = tools.some(({ name }) => name === cut.name)
    const isBeginning = message.content === undefined || visible(message.content).startsWith(visible(reading.content))
    return isOffered && isBeginning && matches(rest, message, expected)
  }
  if (!last || !matches(reading, message, before)) return false
  return reading.content.includes(last.name) && holds(reading.content, message.content ?? '')
}

/**
 * True where the reading is the message with these calls, its content aside.
 * @param {Reading} reading
 * @param {ExpectedMessage} message
 * @param {readonly ExpectedCall[]} calls
 */
function matches(reading, message, calls) {
  const { content: _, ...others } = message
  // Marks that the content must be without are those of the call, which here is content.
  return compare(reading, { ...others, excludes: [], calls }).length === 0
}

/**
 * True where the content holds what the call is made of, and its name as often as the output, which may have it in prose.
 * @param {Reading} reading
 * @param {string} output
 * @param {ExpectedCall} call
 */
function holdsCall({ content, reasoning }, output, { name, ...call }) {
  const least = Math.max(1, count(output, name) - count(reasoning, name))
  return count(content, name) >= least && leaves(call.arguments).every((leaf) => holds(content, leaf))
}

/**
 * @param {string} text
 * @param {string} word
 */
function count(text, word) {
  return text.split(word).length - 1
}

/**
 * True where the content holds all characters of the text in their order: something may stand between them.
 * @param {string} content
 * @param {string} text
 */
function holds(content, text) {
  let at = 0
  for (const character of visible(text)) {
    const found = content.indexOf(character, at)
    if (found < 0) return false
    at = found + character.length
  }
  return true
}

/**
 * Keys and values as texts, without what differs with how a format quotes them.
 * @param {unknown} value
 * @returns {string[]}
 */
function leaves(value) {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [String(value).replace(/[^\p{L}\p{N}]/gu, '')]
  if (Array.isArray(value)) return value.flatMap(leaves)
  return Object.entries(value).flatMap(([key, member]) => [...leaves(key), ...leaves(member)])
}

/** @param {string} text */
function visible(text) {
  return text.replace(/\s+/g, '')
}
