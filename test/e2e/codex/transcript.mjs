// @ts-check
import { readJsonLines } from '../clients/isolated.mjs'

/**
 * The events of Codex's JSON output.
 * @typedef {object} Transcript
 * @property {readonly Record<string, any>[]} items those that were completed, in order
 * @property {string} answer its last message
 * @property {readonly string[]} errors what it reports
 * @property {readonly string[]} odd lines that are no JSON
 * @property {boolean} isCompleted
 */

/** Codex supports its own models only, and warns of others; it also warns of a compacted conversation. */
const harmless = /^Model metadata for `[^`]+` not found|^Heads up: Long threads and multiple compactions/

/**
 * @param {string} output
 * @returns {Transcript}
 */
export function readTranscript(output) {
  const { values: events, odd } = readJsonLines(output)
  const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => item)
  const errors = [...events, ...items].filter(({ type }) => type === 'error').map(({ message }) => String(message))
  return {
    items,
    answer: items.findLast(({ type }) => type === 'agent_message')?.text ?? '',
    errors: errors.filter((message) => !harmless.test(message)),
    odd,
    isCompleted: events.some(({ type }) => type === 'turn.completed'),
  }
}
