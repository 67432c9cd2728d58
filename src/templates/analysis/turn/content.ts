import type { Note } from '../probes/finding.ts'
import { holdsNonce, nonces } from '../probes/nonces.ts'
import { after, before, between } from './around-words.ts'
import type { ReasoningFinding } from './reasoning.ts'
import { quote } from './reasoning.ts'
import type { ReplyRenders } from './reply-renders.ts'
import { isMarker, segmentsOf } from './segments.ts'
import type { TurnMarkers } from './turn-markers.ts'
import { isCloser } from './words.ts'

export type ContentMode = 'plain' | 'always-wrapped' | 'wrapped-with-reasoning'

export interface ContentFinding {
  mode: ContentMode
  open: string
  close: string
  /**
   * The text between the header and a text without reasoning: the mark of no reasoning, and the markers around the
   * text.
   */
  head: string
  /** The markers around a text that calls follow, which are written even if there is no text: Llama 4. */
  beforeCalls?: { open: string; close: string }
  /** A text beside calls is written after them: Gemma 4, MiniCPM 3. */
  isAfterCalls?: true
}

/** C1: the markers around the text of a reply, with reasoning and without. */
export function findContent(
  renders: ReplyRenders,
  frame: TurnMarkers,
  reasoning: ReasoningFinding,
  note: Note,
): ContentFinding {
  const head = before(renders.text, nonces.text)?.slice(frame.lead.length) ?? ''
  const alone = withoutEmptyReasoning(head, reasoning)
  // Gemma 4 writes text after the calls: the text before it is then no marker.
  const [middle] = [renders.thoughtText, renders.thoughtTextCall]
    .map((render) => between(render, nonces.reasoning, nonces.text))
    .filter((literal) => literal !== undefined && !holdsNonce(literal))
  const after = middle === undefined ? undefined : withoutEmptyReasoning(middle, { ...reasoning, open: '' })
  const mode = alone !== '' ? 'always-wrapped' : after ? 'wrapped-with-reasoning' : 'plain'
  const open = alone !== '' ? alone : (after ?? '')
  const close = mode === 'plain' ? '' : closeOf(renders, mode)
  note({
    id: 'C1',
    title: 'a text by itself, and after reasoning',
    shown: [head, middle ?? ''],
    finding: mode === 'plain' ? 'no markers around it' : `${mode}: ${quote(open)} and ${quote(close)}`,
  })
  const beforeCalls = mode === 'plain' && head.trim() === '' ? aroundTextBeforeCalls(renders, frame) : undefined
  const isAfterCalls = textFollowsCalls(renders, frame)
  return { mode, open, close, head, ...(beforeCalls && { beforeCalls }), ...(isAfterCalls && { isAfterCalls }) }
}

/** After the end of the turn it is another's. */
function textFollowsCalls({ textCall }: ReplyRenders, { ends }: TurnMarkers): boolean {
  const middle = between(textCall, nonces.names[0], nonces.text)
  return middle !== undefined && !ends.some((end) => end.trim() !== '' && middle.includes(end.trim()))
}

/** The markers that a call alone begins with, and between which a text is placed if there is one. */
function aroundTextBeforeCalls(
  { call, textCall }: ReplyRenders,
  { lead }: TurnMarkers,
): { open: string; close: string } | undefined {
  const [name] = nonces.names
  const open = before(textCall, nonces.text)?.slice(lead.length)
  const afterText = between(textCall, nonces.text, name)
  const alone = before(call, name)?.slice(lead.length)
  if (open === undefined || afterText === undefined || alone !== open + afterText) return undefined
  const [close = ''] = segmentsOf(afterText.trimStart())
  return isMarker(open.trim()) && isMarker(close.trim()) && isCloser(close)
    ? { open: open.trim(), close: close.trim() }
    : undefined
}

function closeOf({ text, thoughtText, thoughtTextCall }: ReplyRenders, mode: ContentMode): string {
  const [shown] = [thoughtText, thoughtTextCall].filter((render) => render?.includes(nonces.reasoning))
  const rest = after(mode === 'always-wrapped' ? text : (shown ?? text), nonces.text) ?? ''
  const [first = '', ...more] = segmentsOf(rest).filter((segment) => segment.trim() !== '')
  // A marker that nothing follows ends the turn as well.
  return more.length === 0 ? '' : first.trim()
}

/** The rest of a head without empty markers of reasoning. */
function withoutEmptyReasoning(head: string, { open, close }: ReasoningFinding): string {
  let rest = head.trimStart()
  if (open !== '' && rest.startsWith(open)) rest = rest.slice(open.length).trimStart()
  if (close !== '' && rest.startsWith(close)) rest = rest.slice(close.length)
  return rest.trim()
}
