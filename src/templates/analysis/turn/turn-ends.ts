import { nonces } from '../probes/nonces.ts'
import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { callPart, stringCall } from '../probes/replies.ts'
import { after, before, between } from './around-words.ts'
import type { ReplyRenders } from './reply-renders.ts'
import { holdsMarker, isMarker, segmentsOf, sharedStart } from './segments.ts'
import type { TurnStart } from './turn-start.ts'
import { wordsOf } from './words.ts'

/** The markers that end a turn. */
export interface TurnEnds {
  /** The first marker after a text, and all that follow it. */
  ends: readonly string[]
  /** The marker that ends a turn of calls and no other turn; it may close the last call as well. */
  callEnd?: string
}

/** Finds the markers that end turns: those after texts, those after calls, and those before the result of a call. */
export function findTurnEnds(renderer: ProbeRenderer, renders: ReplyRenders, start: TurnStart): TurnEnds {
  const rests = [after(renders.text, nonces.text), between(renders.history, nonces.text, nonces.laterUser)]
  const ends = [...new Set(rests.flatMap((rest) => endsOf(rest ?? '', start.header)))]
  const handover = endOfCallsAlone(renderer, renders, start, ends)
  if (handover !== undefined) return { ends, callEnd: handover }
  const beforeResult = endBeforeResult(renders, [...ends, ...segmentsOf(start.header.trim()).slice(0, 1)])
  const callEnd = endOfCalls(renders, start.header, ends)
  return {
    ends: beforeResult === undefined ? ends : [...ends, beforeResult],
    ...(callEnd !== undefined && { callEnd }),
  }
}

/** More than these markers end no turn. */
const mostEnds = 4

function endsOf(tail: string, header: string): string[] {
  const [first] = segmentsOf(header.trim())
  const ends: string[] = []
  for (const segment of segmentsOf(tail)) {
    if (segment.trim() === '') continue
    const isFirst = ends.length === 0 && !/^[\p{L}\p{N}]/u.test(segment)
    if (segment === first || segment.length > 80 || ends.length >= mostEnds) break
    if (!isFirst && !holdsMarker(segment)) break
    ends.push(segment.trim())
  }
  return ends
}

/**
 * The marker that ends a turn of calls if no end of a text does: GLM's models hand over to their tools with a separate
 * token, as they do to the user. An engine that does not stop there lets the model invent the results. `known` are the
 * ends and the header's marker.
 */
function endBeforeResult({ call, result }: ReplyRenders, known: readonly string[]): string | undefined {
  const closing = after(call, nonces.values[0])
  const followed = between(result, nonces.values[0], nonces.result)
  if (closing === undefined || followed === undefined || known.some((end) => followed.includes(end))) return undefined
  const rest = followed.slice(sharedStart(closing, followed).length)
  const marker = segmentsOf(rest).find(holdsMarker)?.trim()
  return marker !== undefined && isMarker(marker) ? marker : undefined
}

/**
 * The marker that ends a turn of calls only: Llama 3's `<|eom_id|>`. It has no word in common with the openers, so it
 * closes nothing, and comes between two calls only if the second is a separate message.
 */
function endOfCallsAlone(
  renderer: ProbeRenderer,
  { call }: ReplyRenders,
  { lead, header }: TurnStart,
  ends: readonly string[],
): string | undefined {
  const [name] = nonces.names
  const opening = wordsOf(before(call, name)?.slice(lead.length) ?? '')
  const closing = after(call, nonces.values[0]) ?? ''
  const marker = /(?:<[^<>\n]+>|\[\/?[A-Za-z_ ]+\])$/.exec(closing.trimEnd())?.[0] ?? ''
  const words = [...wordsOf(marker)]
  const isOwn = marker !== '' && !ends.some((end) => closing.includes(end))
  if (!isOwn || words.length === 0 || words.some((word) => opening.has(word))) return undefined
  if (!renderer.can.parallelCalls) return marker
  const pair = renderer.reply([callPart(stringCall(1), 0), callPart(stringCall(1, 1), 1)])
  const between = pair?.slice(pair.indexOf(name), pair.lastIndexOf(nonces.names[1]))
  // If each call is a message, the next one has its own header.
  const rest = header.trim() === '' ? between : between?.replaceAll(marker + header, '')
  return rest?.includes(marker) === false ? marker : undefined
}

/** The marker that closes a call, if the next message begins right after it with its usual marker: nothing else ends the turn. */
function endOfCalls({ call, result }: ReplyRenders, header: string, ends: readonly string[]): string | undefined {
  const closing = after(call, nonces.values[0])?.trimEnd()
  const followed = between(result, nonces.values[0], nonces.result)
  const [opener] = /^<[^<>\n]+>/.exec(header.trim()) ?? []
  if (closing === undefined || opener === undefined || !followed?.startsWith(closing)) return undefined
  if (ends.some((end) => followed.includes(end)) || !followed.slice(closing.length).trimStart().startsWith(opener))
    return undefined
  return /<[^<>\n]+>$/.exec(closing)?.[0]
}
