import type { FormatData, ReasoningForm } from '../../../dialects/index.ts'
import { unreadableMarker } from '../../../grammar/index.ts'
import type { ChatTemplate } from '../../source/chat-template.ts'
import { withMadeIds } from '../probes/made-ids.ts'
import { withOpenEnd } from '../turn/open-end.ts'
import { isMarker, segmentsOf } from '../turn/segments.ts'
import type { Surroundings } from '../turn/surroundings.ts'
import { type TurnMarkers, withTail } from '../turn/turn-markers.ts'
import type { CallHypothesis } from './hypothesis.ts'
import type { CallLayout } from './layout.ts'

/** A hypothesis as a format: the data that readers, writers and grammars are made from. */
export function formatOf(
  template: ChatTemplate,
  surroundings: Surroundings,
  hypothesis: CallHypothesis | undefined,
  example: string,
): FormatData {
  const { frame, content } = surroundings
  const turnEnds = frame.callEnd === undefined ? frame.ends : [...frame.ends, frame.callEnd]
  const around = hypothesis ? [...withoutSection(hypothesis.layout), ...closingTokens(hypothesis.layout)] : []
  const { open = '', close = '' } = content.beforeCalls ?? {}
  const markers = [content.open, content.close, open, close, ...frame.ends, frame.header.trim(), ...around].filter(
    (marker) => marker !== '' && unreadableMarker(marker) === undefined,
  )
  return {
    name: 'template',
    families: 'the model of the template',
    source: template.name === '' ? 'a chat template' : `the chat template "${template.name}"`,
    example,
    blocks: (hypothesis?.blocks ?? []).map((block) => withMadeIds(withOpenEnd(block, turnEnds))),
    reasoning: formsOf(surroundings),
    markers: [...new Set(markers)],
    separator: hypothesis?.separator ?? '\n',
  }
}

/** The markers between and after calls without a section: no block holds them. */
function withoutSection({ section, separator }: CallLayout): string[] {
  if (section.open.trim() !== '') return []
  const between = segmentsOf(separator).map((segment) => segment.trim())
  return [...between.filter(isMarker), section.close.trim()]
}

/** Tokens that close calls are never text: models write them twice (LFM2). */
function closingTokens({ section, call }: CallLayout): string[] {
  return [section.close, call.close]
    .flatMap(segmentsOf)
    .filter((segment) => /^<[|\uff5c][^<>]+[|\uff5c]>$/.test(segment))
}

function formsOf({ frame: { header }, reasoning: { mode, open, close }, content }: Surroundings): ReasoningForm[] {
  if (mode === 'none' || close === '') return []
  // Without its own marker, reasoning begins at the beginning of the reply.
  const opener = open === '' ? header.trim() : open
  if (opener === '') return []
  if ([opener, close, content.open].some((marker) => unreadableMarker(marker) !== undefined)) return []
  // The marker that opens the text ends reasoning that was left open.
  const closers = content.open === '' || content.open.includes(opener) ? [close] : [close, content.open]
  return [{ open: opener, close: closers, kind: isMarker(opener) && /^<[\w:.-]+>$/.test(opener) ? 'tag' : 'special' }]
}

/** A format, followed by the blocks of another. */
export function joined(first: FormatData, second: FormatData): FormatData {
  return {
    ...first,
    blocks: [...first.blocks, ...second.blocks],
    reasoning: [...(first.reasoning ?? []), ...(second.reasoning ?? [])],
    markers: [...new Set([...(first.markers ?? []), ...(second.markers ?? [])])],
  }
}

/** Returns a turn that also ends with the text after calls without a section. */
export function withTurnEnd(frame: TurnMarkers, hypothesis: CallHypothesis | undefined): TurnMarkers {
  const { open, close } = hypothesis?.layout.section ?? { open: '', close: '' }
  const end = close.trim()
  if (open.trim() !== '' || end === '') return frame
  return { ...frame, ends: [...new Set([...frame.ends, end])], tails: withTail(frame.tails, end) }
}
