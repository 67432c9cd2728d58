import type { FormatData } from '../../dialects/index.ts'
import type { TemplateCapabilities } from '../render/capabilities.ts'
import type { ChatTemplate } from '../source/chat-template.ts'
import type { CallHypothesis } from './calls/hypothesis.ts'
import type { AskedCalls } from './probes/asked-calls.ts'
import type { Comparison } from './probes/finding.ts'
import type { ProbeResult } from './proof/read-back.ts'
import type { ContentFinding } from './turn/content.ts'
import type { ReasoningFinding } from './turn/reasoning.ts'
import type { ReasoningSwitch } from './turn/reasoning-switch.ts'
import type { ReplyRenders } from './turn/reply-renders.ts'
import type { TurnMarkers } from './turn/turn-markers.ts'

/** The result of an analysis, with its proof. */
export interface TemplateAnalysis {
  template: ChatTemplate
  capabilities: TemplateCapabilities
  frame: TurnMarkers
  /** Replies are rendered with a message after them. */
  isFollowed: boolean
  /** The replies that frame and reasoning were found from. */
  renders: ReplyRenders
  reasoning: ReasoningFinding
  /** The variables that switch reasoning on and off, if the template has any. */
  reasoningSwitch: ReasoningSwitch | undefined
  content: ContentFinding
  /** The form of calls; undefined if the template renders none. */
  calls: Omit<CallHypothesis, 'blocks'> | undefined
  /** The form of calls that a template asks for in words without rendering any. */
  asked: AskedCalls | undefined
  /** The pattern of ids that makes the template name the tool. */
  ids: string | undefined
  /** The dialect as data: its reader, its writer and its grammar all come from it. */
  format: FormatData
  /** The origin of the format; the name of a built-in format if no inference was found. */
  handler: 'inferred' | 'response-template' | 'prompted' | `built-in: ${string}`
  /** The built-in formats that read all probes as well. */
  families: readonly string[]
  /** The format that won, in words. */
  hypothesis: string
  probes: readonly ProbeResult[]
  comparisons: readonly Comparison[]
  /** The probes that the winning format does not read. */
  unread: readonly string[]
}
