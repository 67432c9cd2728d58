import { nonces } from '../probes/nonces.ts'
import { type ProbeRenderer, userTurn } from '../probes/probe-renderer.ts'
import { after, before } from './around-words.ts'
import type { ReplyRenders } from './reply-renders.ts'
import { segmentsOf, sharedEnd, sharedStart } from './segments.ts'
import { isCloser, wordsOf } from './words.ts'

/** The beginning of a reply, up to the first character that is the model's. */
export interface TurnStart {
  /** The end of a prompt before anything of the reply: `<|im_start|>assistant\n`. Empty if there is none. */
  header: string
  /** The header, preceded by the end of the user's text. */
  lead: string
  /** The lead before calls alone, if the template leaves out the header with the text. */
  callLead?: string
}

/**
 * Finds the beginning of replies: the text that all of them begin with, and that prompts end with. `reasoningClose` is
 * the marker that ends reasoning: the marker that opens it is not part of the header, although every reply may begin
 * with it.
 */
export function findTurnStart(
  renderer: ProbeRenderer,
  renders: ReplyRenders,
  reasoningClose: string,
): TurnStart | undefined {
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
  const all = startOf(renderer, renders, [...texts, ...calls], reasoningClose)
  if (all.header.trim() !== '') return all
  return startWithoutCalls(renderer, renders, texts, calls, reasoningClose) ?? all
}

/** The start of a template that writes no header if a reply has no text: Falcon 3. */
function startWithoutCalls(
  renderer: ProbeRenderer,
  renders: ReplyRenders,
  texts: readonly string[],
  calls: readonly string[],
  close: string,
): TurnStart | undefined {
  if (texts.length === 0 || calls.length === 0) return undefined
  const { lead, header } = startOf(renderer, renders, texts, close)
  const [first = ''] = segmentsOf(header.trim())
  if (first === '' || calls.some((head) => head.includes(first))) return undefined
  return { lead, header, callLead: [lead, ...calls].reduce(sharedStart) }
}

/** The common beginning of all replies, as far as the prompts end with it. */
function startOf(renderer: ProbeRenderer, renders: ReplyRenders, heads: readonly string[], close: string): TurnStart {
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
  // Text after a role's name, on the same line, would be one marker with the name.
  const common = sharedMarkers(heads)
  const prompts = [renders.prompt, renders.on, renders.off].filter((prompt) => prompt !== undefined)
  if (common.length > lead.length && prompts.every((prompt) => prompt.startsWith(common))) lead = common
  lead = withoutOpener(lead, close)
  return { lead, header: headerOf(renderer, lead, renders) }
}

/** The characters that all literals begin with, without an unfinished marker or list at the end. */
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

/** The index of a marker that the last one closes, with nothing between: a template may write empty reasoning. */
function emptyReasoningAt(segments: readonly string[]): number {
  const end = segments.findLastIndex((segment) => segment.trim() !== '')
  const [last = '', before = ''] = [segments[end], segments[end - 1]]
  const words = wordsOf(last)
  return words.size > 0 && isCloser(last) && !isCloser(before) && holdsAll(wordsOf(before), words) ? end - 1 : -1
}

function holdsAll(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every((word) => words.has(word))
}

/** The lead without the end of the user's message, which also occurs before another message of the user. */
function headerOf(renderer: ProbeRenderer, lead: string, renders: ReplyRenders): string {
  const own = renders.prompt === undefined || renders.prompt.startsWith(lead) ? lead : sharedEnd(lead, renders.prompt)
  const header = withoutUserEnd(renderer, own, renders)
  // The marker that ends the model's text may end the user's text as well.
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
