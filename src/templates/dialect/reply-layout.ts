import { memoize } from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import type { Block, FormatData } from '../../dialects/index.ts'
import { readableBlockOf, thinkTags } from '../../dialects/index.ts'
import {
  firstMarker,
  type OtherCalls,
  type ReasoningShape,
  type ReplyRequest,
  type ReplyShape,
  type Wrapping,
} from '../../grammar/index.ts'
import type { TemplateAnalysis } from '../analysis/analysis.ts'
import { slots } from '../analysis/probes/slots.ts'

/** The constraints on a reply, and the part of it that the prompt has begun. */
export interface ConstraintRequest extends ReplyRequest {
  /** The part of the reply that the prompt has begun, as `renderPrompt` returns it. */
  begun?: string
  /** False: the model is not to reason. */
  reasoning?: boolean
}

const anySlot = new RegExp(`[${Object.values(slots).join('')}]`)

/** Shorter beginnings of a block are met in any text. */
const shortestMark = 4

/**
 * Returns the layout of a whole reply from the end of the prompt on, for its grammar; `format` is the format that reads
 * it.
 */
export function replyLayout(analysis: TemplateAnalysis, format: FormatData, request: ConstraintRequest): ReplyShape {
  const { begun = '' } = request
  // Without a form of its own, the template's model is asked for calls in a built-in format.
  const [own = format.written, ...others] = analysis.format.blocks
  const reasoning = reasoningShape(analysis, begun, request.reasoning ?? true)
  const begunCall = reasoning?.isOpen ? '' : begunMarker(analysis, begun)
  return {
    calls: own?.tree,
    otherCalls: otherCalls(analysis),
    separator: format.separator,
    ...(begunCall !== '' && { begun: begunCall }),
    callsBeginLine: own !== undefined && own.place !== 'anywhere',
    reasoning,
    content: contentShape(analysis, begun, begunCall),
    contentBefore: analysis.content.beforeCalls,
    answers: [
      ...(analysis.content.mode === 'wrapped-with-reasoning' ? [analysis.content] : []),
      ...(format.answers ?? []),
    ],
    ...(analysis.content.isAfterCalls && { endsAfter: analysis.frame.ends.map((end) => end.trim()) }),
    marks: [
      ...[...thinkTags, ...(format.reasoning ?? [])]
        .filter(({ kind }) => kind !== 'header')
        .flatMap(({ open, close }) => [open, ...close]),
      ...(format.markers ?? []).filter((marker) => typeof marker === 'string'),
      ...others.flatMap((one) => readableBlockOf(one).prefixes.filter((prefix) => prefix.length >= shortestMark)),
    ],
  }
}

/**
 * Returns other forms of calls that the model may write: without the marker of their section, and those that models of
 * its family were seen to write. The other forms that its family's formats read are left out: Hunyuan's format reads
 * GLM's calls, but its models do not write them.
 */
const otherCalls = memoize((analysis: TemplateAnalysis): readonly OtherCalls[] => {
  const [own, ...others] = analysis.format.blocks
  if (!own) return []
  const openers = openersOf(own)
  const relatives = formats.filter(({ name }) => analysis.families.includes(name))
  const isOwn = (block: Block) => openersOf(block).some((prefix) => openers.some((opener) => areAlike(prefix, opener)))
  const { separator } = analysis.format
  const seen = relatives.flatMap(({ alsoWritten = [], ...relative }) =>
    // A form that begins like the template's own calls may come wherever those may.
    alsoWritten.map((block) =>
      isOwn(block) ? { ...block, separator, place: 'anywhere' as const } : { ...block, separator: relative.separator },
    ),
  )
  return [...others.map((one) => ({ ...one, separator })), ...seen].map(
    ({ tree, separator, place }): OtherCalls => ({ tree, separator, beginLine: place !== 'anywhere' }),
  )
})

/** The texts by which a block is read, and the one that it is written with. */
function openersOf(block: Block): string[] {
  return [...readableBlockOf(block).prefixes, firstMarker(block.tree).toLowerCase()]
}

/** True for two beginnings one of which is a prefix of the other. */
function areAlike(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
}

function reasoningShape(
  { reasoning: { mode, open, close } }: TemplateAnalysis,
  begun: string,
  isWanted: boolean,
): ReasoningShape | undefined {
  if (mode === 'none' || close === '') return undefined
  const closed = begun.lastIndexOf(close)
  const isOpen = open === '' ? closed < 0 : begun.lastIndexOf(open) > closed
  return { open, close, isOpen, isOff: !isWanted || closed >= 0 }
}

/** The part of the first call's opening marker that the prompt has begun: all of its text after reasoning, or nothing. */
function begunMarker({ calls, reasoning: { close } }: TemplateAnalysis, begun: string): string {
  if (!calls) return ''
  const { section, call } = calls.layout
  const [opening = ''] = (section.open + call.open).trimStart().split(anySlot)
  const closed = close === '' ? -1 : begun.lastIndexOf(close)
  const rest = (closed < 0 ? begun : begun.slice(closed + close.length)).trimStart()
  return opening.startsWith(rest) ? rest : ''
}

/** The markers around the text that the prompt has not begun, without the end of the turn. */
function contentShape({ content, frame }: TemplateAnalysis, begun: string, begunCall: string): Wrapping | undefined {
  const head = content.head.trim()
  // A marker that opens text distinguishes it from a call, even if nothing closes the text.
  if (begunCall !== '' && content.mode === 'plain' && head !== begunCall && head.startsWith(begunCall))
    return { open: head, close: '' }
  if (content.mode !== 'always-wrapped') return undefined
  const open = begun.trimEnd().endsWith(content.open) ? '' : content.open
  const close = frame.ends[0] === content.close && frame.ends.length === 1 ? '' : content.close
  return open === '' && close === '' ? undefined : { open, close }
}
