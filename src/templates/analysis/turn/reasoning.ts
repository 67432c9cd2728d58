import type { Note } from '../probes/finding.ts'
import { nonces } from '../probes/nonces.ts'
import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { textPart } from '../probes/replies.ts'
import { before, between } from './around-words.ts'
import type { ReplyRenders } from './reply-renders.ts'
import { holdsMarker, segmentsOf } from './segments.ts'
import type { TurnMarkers } from './turn-markers.ts'
import { isCloser, wordsOf } from './words.ts'

/**
 * `tag-based`: between two markers. `delimiter`: from the beginning of the reply to a marker. `forced-open`: the prompt opens it.
 * `forced-closed`: and, with reasoning off, closes it again. `tools-only`: it is kept in front of calls alone.
 */
export type ReasoningMode = 'none' | 'tag-based' | 'delimiter' | 'forced-open' | 'forced-closed' | 'tools-only'

export interface ReasoningFinding {
  mode: ReasoningMode
  /** The markers, without white space around them; `open` is empty for `delimiter`. */
  open: string
  close: string
}

/** R1 and R3: the marker that ends reasoning, found in a reply with reasoning; empty if it shows none. */
export function reasoningEnd(renders: ReplyRenders): string {
  const { thoughtText, thoughtCall, on, off } = renders
  // Switched off, reasoning is opened and closed at once.
  const switched = on !== undefined && off?.startsWith(on.trimEnd()) ? off.slice(on.trimEnd().length) : undefined
  const middle =
    between(thoughtText, nonces.reasoning, nonces.text) ??
    between(thoughtCall, nonces.reasoning, nonces.names[0]) ??
    between(thoughtCall, nonces.reasoning, nonces.ids[0]) ??
    switched
  return (
    segmentsOf(middle ?? '')
      .find((segment) => segment.trim() !== '')
      ?.trim() ?? ''
  )
}

/** True if a text opens reasoning and does not close it. */
export function isInReasoning(before: string, { open, close }: ReasoningFinding): boolean {
  return open !== '' && before.lastIndexOf(open) > before.lastIndexOf(close)
}

/** R1 to R3: how reasoning is written, and who opens it. */
export function findReasoning(
  renderer: ProbeRenderer,
  renders: ReplyRenders,
  frame: TurnMarkers,
  close: string,
  note: Note,
): ReasoningFinding {
  const { thoughtText, thoughtCall } = renders
  const shownWithText = before(thoughtText, nonces.reasoning)
  const shown = shownWithText ?? before(thoughtCall, nonces.reasoning)
  const open = shown?.slice(frame.lead.length).trim() ?? ''
  note({
    id: 'R1',
    title: 'a reply with reasoning and text',
    shown: [cut(thoughtText, frame)],
    finding: shownWithText === undefined ? 'the reasoning is not shown' : where(open, close),
  })
  note({
    id: 'R3',
    title: 'a reply with reasoning and a call',
    shown: [cut(thoughtCall, frame)],
    finding:
      before(thoughtCall, nonces.reasoning) === undefined ? 'the reasoning is not shown' : 'shown before the call',
  })
  const begun = begunBy(renders, frame)
  if (shown === undefined) return findUnshown(renderer, begun, note)
  if (open === '') return { mode: 'delimiter', open, close }
  const isOpened = begun.open.includes(open) && !begun.open.includes(close)
  if (isOpened) return { mode: begun.closed.includes(close) ? 'forced-closed' : 'forced-open', open, close }
  return { mode: shownWithText === undefined ? 'tools-only' : 'tag-based', open, close }
}

/** The text of the generation prompts after the header, with reasoning on and off. */
function begunBy({ prompt, on, off }: ReplyRenders, { lead, header }: TurnMarkers): { open: string; closed: string } {
  const rest = (text: string | undefined) => {
    if (text === undefined) return ''
    if (text.startsWith(lead)) return text.slice(lead.length)
    const at = header === '' ? -1 : text.lastIndexOf(header)
    return at < 0 ? '' : text.slice(at + header.length)
  }
  return { open: rest(on ?? prompt), closed: rest(off ?? prompt) }
}

/** Templates that show no reasoning of earlier turns: the prompt may open it, or the text in which a model leaves it is taken apart. */
function findUnshown(renderer: ProbeRenderer, begun: { open: string; closed: string }, note: Note): ReasoningFinding {
  const markers = markersOf(begun.open + begun.closed)
  const known = [...renderer.template.compiled.mentions.texts].flatMap(markersOf)
  for (const open of new Set(markers)) {
    const close = closerOf(open, [...markers, ...known])
    if (close === '') continue
    const isKnown = takesApart(renderer, close)
    note({
      id: 'R1',
      title: `a text with ${quote(close)} in it`,
      shown: [],
      finding: isKnown ? 'the text before it is left out: it ends reasoning' : 'shown as it is',
    })
    const isOpened = begun.open.includes(open) && !begun.open.includes(close)
    const mode = !isOpened ? 'tag-based' : begun.closed.includes(close) ? 'forced-closed' : 'forced-open'
    return { mode, open, close }
  }
  const close = [...new Set(known)].find(
    (text) => wordsOf(text).size > 0 && isCloser(text) && takesApart(renderer, text),
  )
  const open = known.find((text) => close !== undefined && text !== close && sharesWord(text, close)) ?? ''
  if (close === undefined || open === '') return { mode: 'none', open: '', close: '' }
  return { mode: 'tag-based', open, close }
}

function markersOf(text: string): string[] {
  return segmentsOf(text)
    .map((segment) => segment.trim())
    .filter(holdsMarker)
}

/** The names of markers that open reasoning, even if the template has no marker that closes it. */
const saysReasoning = /think|thought|reason|reflect/i

/** The marker that closes another: one with the same word, or else, for names of reasoning, the name with a slash. */
function closerOf(open: string, known: readonly string[]): string {
  const found = known.find((text) => text !== open && sharesWord(text, open) && isCloser(text))
  if (found !== undefined) return found
  return /^<[\w:|]+>$/.test(open) && saysReasoning.test(open) ? `</${open.slice(1)}` : ''
}

function sharesWord(one: string, other: string): boolean {
  const words = wordsOf(one)
  return [...wordsOf(other)].some((word) => words.has(word))
}

/** True if a template leaves out the text before a marker in a reply. */
function takesApart(renderer: ProbeRenderer, close: string): boolean {
  const text = `${nonces.reasoning}${close}${nonces.text}`
  const rendered = renderer.reply([textPart(text)])
  return rendered?.includes(nonces.text) === true && !rendered.includes(nonces.reasoning)
}

function where(open: string, close: string): string {
  return open === '' ? `from the beginning to ${quote(close)}` : `between ${quote(open)} and ${quote(close)}`
}

function cut(text: string | undefined, { lead }: TurnMarkers): string {
  return text?.startsWith(lead) ? text.slice(lead.length) : (text ?? '')
}

export function quote(text: string): string {
  return JSON.stringify(text)
}
