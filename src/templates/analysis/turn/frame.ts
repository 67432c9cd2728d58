import type { Turn } from '../../../conversation/index.ts'
import { nonces } from '../probes/nonces.ts'
import { type ProbeRenderer, userTurn } from '../probes/probe-renderer.ts'
import { callPart, reasoningPart, stringCall, textPart } from '../probes/replies.ts'
import type { ReasoningSwitch } from './reasoning-switch.ts'
import { holdsMarker, isMarker, segmentsOf, sharedEnd, sharedStart } from './segments.ts'
import { isCloser, wordsOf } from './words.ts'

/** The replies of probes as they are rendered, from the end of the user's text on; undefined where the template refuses. */
export interface ReplyRenders {
  text: string | undefined
  call: string | undefined
  /** Reasoning and text, reasoning and a call. */
  thoughtText: string | undefined
  thoughtCall: string | undefined
  thoughtTextCall: string | undefined
  /** A text and a call. */
  textCall: string | undefined
  /** A prompt with a call and its result. */
  result: string | undefined
  /** A text with the user's next message after it. */
  history: string | undefined
  /** The generation prompts: as the template makes it by itself, and with reasoning switched on and off. */
  prompt: string | undefined
  on: string | undefined
  off: string | undefined
}

/** Where the model's text begins and ends in what a template renders. */
export interface TurnMarkers {
  /** What a prompt ends with before anything of the reply: `<|im_start|>assistant\n`. Empty where nothing stands there. */
  header: string
  /** The header with what ends the user's text before it. */
  lead: string
  /** What stands there before calls alone, where a template leaves out the header with the text. */
  callLead?: string
  /** What ends a turn: the first marker after a text, and all of them. */
  ends: readonly string[]
  /** What ends a turn of calls and no other; it may close the last call as well. */
  callEnd?: string
  /** All that stands after the last part of a reply that is not for the model to say: of a text, and of a call. */
  tails: readonly string[]
}

export function renderReplies(renderer: ProbeRenderer, reasoningSwitch: ReasoningSwitch | undefined): ReplyRenders {
  const { can } = renderer
  const call = callPart(stringCall(1), 0)
  const { on, off } = reasoningSwitch ?? {}
  return {
    text: renderer.reply([textPart()]),
    call: can.calls ? renderer.reply([call]) : undefined,
    thoughtText: can.reasoning ? renderer.reply([reasoningPart(), textPart()]) : undefined,
    thoughtCall: can.reasoning && can.calls ? renderer.reply([reasoningPart(), call]) : undefined,
    thoughtTextCall:
      can.reasoning && can.calls && can.textWithCalls ? renderer.reply([reasoningPart(), textPart(), call]) : undefined,
    textCall: can.calls && can.textWithCalls ? renderer.reply([textPart(), call]) : undefined,
    result: can.results ? withResult(renderer) : undefined,
    history: renderer.after([
      { role: 'assistant', parts: [textPart()] },
      { role: 'user', parts: [{ type: 'text', text: nonces.laterUser }] },
    ]),
    prompt: renderer.prompt(),
    on: on && renderer.prompt(on),
    off: off && renderer.prompt(off),
  }
}

/** What stands before a word in a text; undefined where that is not there. */
export function before(text: string | undefined, word: string): string | undefined {
  const at = text?.indexOf(word) ?? -1
  return at < 0 ? undefined : text?.slice(0, at)
}

/** What stands between two words. */
export function between(text: string | undefined, first: string, second: string): string | undefined {
  const from = text?.indexOf(first) ?? -1
  const to = from < 0 ? -1 : (text?.indexOf(second, from + first.length) ?? -1)
  return to < 0 ? undefined : text?.slice(from + first.length, to)
}

/** What stands after a word. */
export function after(text: string | undefined, word: string): string | undefined {
  const at = text?.lastIndexOf(word) ?? -1
  return at < 0 ? undefined : text?.slice(at + word.length)
}

/** What the model writes of a reply as it is rendered, from the end of the user's text on; undefined where it begins otherwise. */
export function afterLead(reply: string, { lead, callLead }: TurnMarkers): string | undefined {
  const start = [lead, callLead].find((one) => one !== undefined && reply.startsWith(one))
  return start === undefined ? undefined : reply.slice(start.length)
}

/** `close` is the marker that ends reasoning: what opens it is no part of the header, though every reply may begin with it. */
export function findTurnMarkers(
  renderer: ProbeRenderer,
  renders: ReplyRenders,
  close: string,
): TurnMarkers | undefined {
  const texts = [
    before(renders.text, nonces.text),
    before(renders.thoughtText, nonces.reasoning),
    before(renders.history, nonces.text),
  ].filter((head) => head !== undefined)
  const calls = [
    before(renders.call, nonces.names[0]) ?? before(renders.call, nonces.ids[0]),
    before(renders.thoughtCall, nonces.reasoning),
  ].filter((head) => head !== undefined)
  if (texts.length + calls.length === 0) return undefined
  const all = startOf(renderer, renders, [...texts, ...calls], close)
  const start = (all.header.trim() === '' && startWithoutCalls(renderer, renders, texts, calls, close)) || all
  const tails = [after(renders.text, nonces.text), between(renders.history, nonces.text, nonces.laterUser)]
  const ends = [...new Set(tails.flatMap((tail) => endsOf(tail ?? '', start.header)))]
  const handover = endOfCallsAlone(renderer, renders, start, ends)
  const known = [...ends, ...segmentsOf(start.header.trim()).slice(0, 1)]
  const beforeResult = handover === undefined ? endBeforeResult(renders, known) : undefined
  const callEnd = handover ?? endOfCalls(renders, start.header, ends)
  return {
    ...start,
    ends: beforeResult === undefined ? ends : [...ends, beforeResult],
    ...(callEnd !== undefined && { callEnd }),
    tails: [],
  }
}

type Start = Pick<TurnMarkers, 'header' | 'lead' | 'callLead'>

/** The start of a template that writes no header where a reply has no text: Falcon 3. */
function startWithoutCalls(
  renderer: ProbeRenderer,
  renders: ReplyRenders,
  texts: readonly string[],
  calls: readonly string[],
  close: string,
): Start | undefined {
  if (texts.length === 0 || calls.length === 0) return undefined
  const { lead, header } = startOf(renderer, renders, texts, close)
  const [first = ''] = segmentsOf(header.trim())
  if (first === '' || calls.some((head) => head.includes(first))) return undefined
  return { lead, header, callLead: [lead, ...calls].reduce(sharedStart) }
}

/** What all replies begin with, as the prompts end. */
function startOf(renderer: ProbeRenderer, renders: ReplyRenders, heads: readonly string[], close: string): Start {
  let lead = heads.reduce(sharedStart)
  for (const prompt of [renders.prompt, renders.on, renders.off]) {
    if (prompt === undefined) continue
    const isShared = heads.every((head) => head.startsWith(prompt))
    if (lead.startsWith(prompt) || (isShared && prompt.length > lead.length)) lead = prompt
  }
  if (renders.on !== undefined && renders.off !== undefined) {
    const shared = sharedStart(renders.on, renders.off)
    if (shared !== '' && lead.startsWith(shared)) lead = shared
  }
  // What follows a role's name on its line would be one marker with it.
  const common = sharedMarkers(heads)
  const prompts = [renders.prompt, renders.on, renders.off].filter((prompt) => prompt !== undefined)
  if (common.length > lead.length && prompts.every((prompt) => prompt.startsWith(common))) lead = common
  lead = withoutOpener(lead, close)
  return { lead, header: headerOf(renderer, lead, renders) }
}

/** What all literals begin with, letter by letter, without a marker or a list that begins there. */
function sharedMarkers([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const other of others) {
    let at = 0
    while (at < length && first[at] === other[at]) at++
    length = at
  }
  return first.slice(0, length).replace(/(?:<[^<>]*|\[[^[\]]*)$/, '')
}

/** Cuts off the marker that belongs to the one which closes reasoning: the two share a word. */
function withoutOpener(lead: string, close: string): string {
  const segments = segmentsOf(lead)
  const empty = emptyReasoningAt(segments)
  if (empty >= 0) return segments.slice(0, empty).join('')
  const words = wordsOf(close)
  if (words.size === 0) return lead
  const at = segments.findLastIndex((segment) => holdsAll(wordsOf(segment), words))
  return at < 0 ? lead : segments.slice(0, at).join('')
}

/** Where a marker stands that the last one closes, with nothing between the two: a template may write so that nothing was thought. */
function emptyReasoningAt(segments: readonly string[]): number {
  const end = segments.findLastIndex((segment) => segment.trim() !== '')
  const [last = '', before = ''] = [segments[end], segments[end - 1]]
  const words = wordsOf(last)
  return words.size > 0 && isCloser(last) && !isCloser(before) && holdsAll(wordsOf(before), words) ? end - 1 : -1
}

function holdsAll(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every((word) => words.has(word))
}

/** The lead without what ends the user's message, which is what also stands there where another message of the user follows. */
function headerOf(renderer: ProbeRenderer, lead: string, renders: ReplyRenders): string {
  const own = renders.prompt === undefined || renders.prompt.startsWith(lead) ? lead : sharedEnd(lead, renders.prompt)
  const header = withoutUserEnd(renderer, own, renders)
  // What ends the model's text may well end the user's.
  return header.slice(sharedStart((after(renders.text, nonces.text) ?? '').trimStart(), header).length)
}

function withoutUserEnd(renderer: ProbeRenderer, own: string, { result }: ReplyRenders): string {
  const { can } = renderer
  if (can.repeatedUser) {
    const end = sharedStart(before(renderer.after([userTurn(nonces.laterUser)]), nonces.laterUser) ?? '', own)
    return own.slice(end.length)
  }
  return sharedEnd(own, after(result, nonces.result) ?? own)
}

/**
 * What ends a turn of calls where no end of a text does: GLM's models hand over to their tools with a token of its own, as they
 * do to the user. An engine that does not stop there lets the model make up the results. `known` are the ends and the header's marker.
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
 * What ends a turn of calls, and no other: Llama 3's `<|eom_id|>`. It has no word of what opens them, so that it closes nothing, and stands
 * between two only where the second is a message of its own.
 */
function endOfCallsAlone(
  renderer: ProbeRenderer,
  { call }: ReplyRenders,
  { lead, header }: Start,
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
  // Where each call is a message, the next one has a header of its own.
  const rest = header.trim() === '' ? between : between?.replaceAll(marker + header, '')
  return rest?.includes(marker) === false ? marker : undefined
}

/** What closes a call where the next message begins right after it, with the marker that all begin with: nothing else ends the turn. */
function endOfCalls({ call, result }: ReplyRenders, header: string, ends: readonly string[]): string | undefined {
  const closing = after(call, nonces.values[0])?.trimEnd()
  const followed = between(result, nonces.values[0], nonces.result)
  const [opener] = /^<[^<>\n]+>/.exec(header.trim()) ?? []
  if (closing === undefined || opener === undefined || !followed?.startsWith(closing)) return undefined
  if (ends.some((end) => followed.includes(end)) || !followed.slice(closing.length).trimStart().startsWith(opener))
    return undefined
  return /<[^<>\n]+>$/.exec(closing)?.[0]
}

/** A prompt with a call and its result. */
function withResult(renderer: ProbeRenderer): string | undefined {
  const result: Turn = {
    role: 'user',
    parts: [
      {
        type: 'result',
        callId: nonces.ids[0],
        name: nonces.names[0],
        content: [{ type: 'text', text: nonces.result }],
        isError: false,
      },
    ],
  }
  const call: Turn = { role: 'assistant', parts: [callPart(stringCall(1), 0)] }
  return renderer.after([call, result], { generation: true })
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

/** What stands after a text, and after a call, from what ends the turn on; `contentClose` ends the text alone. */
export function tailsOf({ text, call }: ReplyRenders, frame: TurnMarkers, contentClose: string): string[] {
  const rests = [after(text, nonces.text), after(call, nonces.values[0])].filter((rest) => rest !== undefined)
  const tails = rests.map((rest) => rest.slice(endIn(rest, frame, contentClose)))
  return [...new Set(tails)].filter((tail) => tail.trim() !== '').sort((one, other) => other.length - one.length)
}

/** What a model would write of a reply: up to what ends its turn, which is not for it to say. */
export function untilEnd(reply: string, frame: TurnMarkers, contentClose: string): string {
  const tail = frame.tails.find((one) => reply.endsWith(one))
  // What ends a turn of calls may be what closes them.
  if (tail === undefined && frame.callEnd !== undefined && reply.trimEnd().endsWith(frame.callEnd)) return reply
  return reply.slice(0, tail === undefined ? endIn(reply, frame, contentClose) : reply.length - tail.length)
}

/** Where a turn ends in a text that holds nothing of a client's; the end of the text where nothing says. */
function endIn(text: string, { ends, header }: TurnMarkers, contentClose: string): number {
  const [end] = ends.filter((one) => one !== contentClose)
  const at = end === undefined ? -1 : text.indexOf(end)
  const limit = at < 0 ? text.length : at
  // Some templates end no turn, or add what they say before the next: another turn begins with the same marker.
  const [start = '', ...rest] = segmentsOf(header.trim())
  const next = rest.length === 0 ? -1 : text.indexOf(start)
  return next > 0 && next < limit && !text.startsWith(header.trim(), next) ? next : limit
}
