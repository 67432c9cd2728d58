import type { FormatData } from '../dialects/format.ts'
import { thinkTags } from '../dialects/reasoning-forms.ts'
import { readable } from '../dialects/reply-format.ts'
import type { ReasoningShape, ReplyRequest, ReplyShape, Wrapping } from '../grammar/index.ts'
import type { TemplateAnalysis } from './analysis/analyze.ts'

/** What is asked of a reply, and how the prompt begins it. */
export interface ConstraintRequest extends ReplyRequest {
  /** What of the reply the prompt has begun, as `renderPrompt` says. */
  begun?: string
  /** False: the model is not to reason. */
  reasoning?: boolean
}

/** Shorter beginnings of a block are met in any text. */
const shortestMark = 4

/** How a template's model writes a whole reply from where the prompt ends, for its grammar; `format` is what reads it. */
export function replyShape(analysis: TemplateAnalysis, format: FormatData, request: ConstraintRequest): ReplyShape {
  const { begun = '' } = request
  const own = analysis.format
  const [block, ...others] = own.blocks
  return {
    calls: block?.tree,
    separator: own.separator,
    callsBeginLine: block !== undefined && block.place !== 'anywhere',
    reasoning: reasoningShape(analysis, begun, request.reasoning ?? true),
    content: contentShape(analysis, begun),
    marks: [
      ...[...thinkTags, ...(format.reasoning ?? [])].flatMap(({ open, close }) => [open, ...close]),
      ...(format.markers ?? []).filter((marker) => typeof marker === 'string'),
      ...others.flatMap((one) => readable(one).prefixes.filter((prefix) => prefix.length >= shortestMark)),
    ],
  }
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

/** What wraps the text, so far as the prompt has not begun it; what ends the turn is no part of that. */
function contentShape({ content, frame }: TemplateAnalysis, begun: string): Wrapping | undefined {
  if (content.mode !== 'always-wrapped') return undefined
  const open = begun.trimEnd().endsWith(content.open) ? '' : content.open
  const close = frame.ends[0] === content.close && frame.ends.length === 1 ? '' : content.close
  return open === '' && close === '' ? undefined : { open, close }
}
