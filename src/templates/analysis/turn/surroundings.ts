import type { Comparison } from '../probes/finding.ts'
import { nonces } from '../probes/nonces.ts'
import { ProbeRenderer } from '../probes/probe-renderer.ts'
import { before } from './around-words.ts'
import { type ContentFinding, findContent } from './content.ts'
import { findReasoning, isInReasoning, type ReasoningFinding, reasoningEnd } from './reasoning.ts'
import type { ReasoningSwitch } from './reasoning-switch.ts'
import { type ReplyRenders, renderReplies } from './reply-renders.ts'
import { findTurnMarkers, type TurnMarkers, tailsOf } from './turn-markers.ts'

/** The text around calls: of the turn, of reasoning, and of the reply's text. */
export interface Surroundings {
  frame: TurnMarkers
  reasoning: ReasoningFinding
  content: ContentFinding
  /** The comparisons that these were found by. */
  comparisons: readonly Comparison[]
}

/** A template's turns: the rendered replies, their renderer, and the text around their calls. */
export interface RenderedTurns {
  renderer: ProbeRenderer
  renders: ReplyRenders
  surroundings: Surroundings
}

/**
 * Renders replies at the end of the conversation. If a text comes out as reasoning there (Apriel treats a last reply as
 * one to be continued), replies are rendered with another message after them.
 */
export function findTurns(first: ProbeRenderer, reasoningSwitch: ReasoningSwitch | undefined): RenderedTurns {
  const last = turnsOf(first, reasoningSwitch)
  const { reasoning } = last.surroundings
  if (!isInReasoning(before(last.renders.text, nonces.text) ?? '', reasoning)) return last
  return turnsOf(new ProbeRenderer(first.template, { isFollowed: true }), reasoningSwitch)
}

function turnsOf(renderer: ProbeRenderer, reasoningSwitch: ReasoningSwitch | undefined): RenderedTurns {
  const renders = renderReplies(renderer, reasoningSwitch)
  const markers = findTurnMarkers(renderer, renders, reasoningEnd(renders))
  return { renderer, renders, surroundings: surroundingsOf({ renderer, renders }, markers) }
}

/** Finds the text around reasoning and around a reply's text, within the markers of a turn. */
export function surroundingsOf(
  { renderer, renders }: Pick<RenderedTurns, 'renderer' | 'renders'>,
  markers: TurnMarkers,
): Surroundings {
  const comparisons: Comparison[] = []
  const note = (comparison: Comparison) => void comparisons.push(comparison)
  const reasoning = findReasoning(renderer, renders, markers, reasoningEnd(renders), note)
  const content = findContent(renders, markers, reasoning, note)
  const frame = { ...markers, tails: tailsOf(renders, markers, content.close) }
  return { frame, reasoning, content, comparisons }
}
