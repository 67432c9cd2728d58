import { nonces } from '../probes/nonces.ts'
import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { after } from './around-words.ts'
import type { ReplyRenders } from './reply-renders.ts'
import { segmentsOf } from './segments.ts'
import { findTurnEnds, type TurnEnds } from './turn-ends.ts'
import { findTurnStart, type TurnStart } from './turn-start.ts'

/** The text around a reply in a template's output. */
export interface TurnMarkers extends TurnStart, TurnEnds {
  /** Everything after the last part of a reply that is not for the model to write: after a text, and after a call. */
  tails: readonly string[]
}

const noMarkers: TurnMarkers = { header: '', lead: '', ends: [], tails: [] }

/** Finds the beginning and the ends of replies; `tails` is empty until the markers around the text are known. */
export function findTurnMarkers(renderer: ProbeRenderer, renders: ReplyRenders, reasoningClose: string): TurnMarkers {
  const start = findTurnStart(renderer, renders, reasoningClose)
  return start ? { ...start, ...findTurnEnds(renderer, renders, start), tails: [] } : noMarkers
}

/** The part of a rendered reply that the model writes, with the end of the turn; undefined if it begins in another way. */
export function afterLead(reply: string, { lead, callLead }: TurnMarkers): string | undefined {
  const start = [lead, callLead].find((one) => one !== undefined && reply.startsWith(one))
  return start === undefined ? undefined : reply.slice(start.length)
}

/**
 * The text after the last part of a reply, from the end of the turn on; `contentClose` ends the text alone. One empty
 * tail means that the template ends nothing after its last message (Apriel 1.6).
 */
export function tailsOf({ text, call }: ReplyRenders, frame: TurnMarkers, contentClose: string): string[] {
  const rests = [after(text, nonces.text), after(call, nonces.values[0])].filter((rest) => rest !== undefined)
  const tails = [...new Set(rests.map((rest) => rest.slice(endIn(rest, frame, contentClose))))]
  const ending = tails.filter((tail) => tail.trim() !== '')
  if (ending.length === 0 && tails.includes('')) return ['']
  return longestFirst(ending)
}

/** Returns the tails with one more, in the order in which they are tried. */
export function withTail(tails: readonly string[], tail: string): string[] {
  return longestFirst([...new Set([...tails, tail])])
}

function longestFirst(texts: readonly string[]): string[] {
  return texts.toSorted((one, other) => other.length - one.length)
}

/** The part of a reply that the model writes: up to the end of its turn. */
export function untilEnd(reply: string, frame: TurnMarkers, contentClose: string): string {
  const tail = frame.tails.find((one) => reply.endsWith(one))
  // The end of a turn of calls may be the marker that closes the calls.
  if (tail === undefined && frame.callEnd !== undefined && reply.trimEnd().endsWith(frame.callEnd)) return reply
  return reply.slice(0, tail === undefined ? endIn(reply, frame, contentClose) : reply.length - tail.length)
}

/** The offset of the end of a turn in a text that holds nothing of a client's; the length of the text if nothing ends it. */
function endIn(text: string, { ends, header }: TurnMarkers, contentClose: string): number {
  const [end] = ends.filter((one) => one !== contentClose)
  const at = end === undefined ? -1 : text.indexOf(end)
  const limit = at < 0 ? text.length : at
  // Some templates end no turn, or write the end before the next one: another turn begins with the same marker.
  const [start = '', ...rest] = segmentsOf(header.trim())
  const next = rest.length === 0 ? -1 : text.indexOf(start)
  return next > 0 && next < limit && !text.startsWith(header.trim(), next) ? next : limit
}
