import type { ReplyEvent } from '../../conversation/index.ts'
import type { Dialect } from '../format/dialect.ts'
import { callsOf, mergeEvents, type Reading, type ReadingOptions, readPieces, textOf } from './reading.ts'

// The laws of dialects, as functions. Each returns a description of the fault, or undefined.

/** Reads a text, and reads it again in other pieces: both readings must be the same. */
export function chunkFault(
  dialect: Dialect,
  text: string,
  pieces: readonly string[],
  options: ReadingOptions,
): string | undefined {
  const whole = readPieces(dialect, [text], options)
  const cut = readPieces(dialect, pieces, options)
  if (!isSame(whole.events, cut.events)) {
    return `read in ${pieces.length} pieces it is ${shown(cut.events)}, and as a whole ${shown(whole.events)}`
  }
  return isSame(whole.spans, cut.spans) ? undefined : `in ${pieces.length} pieces its parts have other roles`
}

/** Merged events only grow: each but the last stays as it is, the last may have more text. */
export function retractionFault(
  dialect: Dialect,
  pieces: readonly string[],
  options: ReadingOptions,
): string | undefined {
  const all: ReplyEvent[] = []
  let before: ReplyEvent[] = []
  for (const batch of readPieces(dialect, pieces, options).batches) {
    all.push(...batch)
    const merged = mergeEvents(all)
    const taken = before.findIndex((event, index) => !hasGrown(event, merged[index], index === before.length - 1))
    if (taken >= 0) return `${shown(before.slice(taken, taken + 1))} became ${shown(merged.slice(taken, taken + 1))}`
    before = merged
  }
  return undefined
}

function hasGrown(event: ReplyEvent, now: ReplyEvent | undefined, isLast: boolean): boolean {
  if (isLast && event.type === 'call-arguments' && now?.type === event.type) return now.json.startsWith(event.json)
  if (isLast && (event.type === 'text' || event.type === 'reasoning') && now?.type === event.type) {
    return now.text.startsWith(event.text)
  }
  return isSame(event, now)
}

/** Every character has one role, and text and reasoning are emitted as they are. */
export function lossFault({ events, spans }: Reading, text: string): string | undefined {
  let at = 0
  for (const { start, end } of spans) {
    if (start !== at) return `the text from ${Math.min(at, start)} to ${Math.max(at, start)} has no role, or two`
    at = end
  }
  if (at !== text.length) return `the text from ${at} to ${text.length} has no role`
  const spanned = (...roles: string[]) =>
    bare(spans.map(({ role, start, end }) => (roles.includes(role) ? text.slice(start, end) : '')).join(''))
  // Neutralised markers are restored in the output: without word joiners both sides are alike.
  const given = bare(textOf(events))
  if (given !== spanned('text', 'rejected')) return `its text is ${JSON.stringify(given)}`
  const thought = bare(textOf(events, 'reasoning'))
  return thought === spanned('reasoning') ? undefined : `its reasoning is ${JSON.stringify(thought)}`
}

const bare = (text: string): string => text.replaceAll('\u2060', '')

/** The last event is the only `finish`, each call ends, and a complete call has valid arguments. */
export function endFault({ events }: Reading, reason: 'stop' | 'length'): string | undefined {
  const last = events.at(-1)
  if (last?.type !== 'finish' || events.filter(({ type }) => type === 'finish').length !== 1) {
    return 'its last event is not its only finish'
  }
  const count = (type: ReplyEvent['type']) => events.filter((event) => event.type === type).length
  if (count('call-start') !== count('call-end')) return 'a call has no end, or two'
  const calls = callsOf(events)
  const wrong = calls.find(({ json, complete }) => isJsonObject(json) !== complete)
  if (wrong) return `the call of ${wrong.name} is ${wrong.complete ? 'complete' : 'incomplete'} with ${wrong.json}`
  const expected = reason === 'stop' && calls.some(({ complete }) => complete) ? 'calls' : reason
  return last.reason === expected ? undefined : `its finish has the reason ${last.reason}, not ${expected}`
}

function isJsonObject(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns events as people can read them, cut to a few. */
export function shown(events: readonly ReplyEvent[]): string {
  return JSON.stringify(events).slice(0, 400)
}
