import { memoize, RecentMap } from '../../conversation/index.ts'
import type { ChatTemplate } from '../source/chat-template.ts'
import type { TemplateAnalysis } from './analysis.ts'
import { callComparisons } from './calls/comparisons.ts'
import { recognised } from './calls/families.ts'
import { findCalls } from './calls/find-calls.ts'
import { joined, withTurnEnd } from './calls/format-of.ts'
import type { CallHypothesis } from './calls/hypothesis.ts'
import { findAskedCalls } from './probes/asked-calls.ts'
import type { Comparison } from './probes/finding.ts'
import { ProbeRenderer } from './probes/probe-renderer.ts'
import { readable } from './probes/readable.ts'
import { type Proven, passes, proveInferred, provePublished } from './proof/prove.ts'
import { RoundTrip } from './proof/round-trip.ts'
import { findReasoningSwitch } from './turn/reasoning-switch.ts'
import { findTurns } from './turn/surroundings.ts'

const mostKnown = 64
const known = new RecentMap<string, TemplateAnalysis>(mostKnown)

/**
 * Returns how a template's model writes its replies, found by rendering probes and comparing. Each template is analysed once. The
 * same object is found by identity: a look-up by text takes 0.02 ms in each request of a gateway.
 *
 * @example
 * const { handler, capabilities } = analyzeTemplate(loadTemplate(source))
 */
export const analyzeTemplate: (template: ChatTemplate) => TemplateAnalysis = memoize((template) =>
  analyzeText(template),
)

function analyzeText(template: ChatTemplate): TemplateAnalysis {
  const key = `${JSON.stringify([template.specialTokens, template.responseTemplate])}\n${template.source}`
  return known.of(key, () => analyze(template))
}

/** Four steps: the text around replies, hypotheses on calls, the proof of each by reading probes back, the best of them. */
function analyze(template: ChatTemplate): TemplateAnalysis {
  const first = new ProbeRenderer(template)
  const switching: Comparison[] = []
  const reasoningSwitch = findReasoningSwitch(first, (comparison) => void switching.push(comparison))

  const { calls, turns } = findCalls(findTurns(first, reasoningSwitch))
  const { renderer, renders, surroundings } = turns
  const { hypotheses, ids, text } = calls

  const roundTrip = new RoundTrip(renderer, ids)
  const inferred = proveInferred(turns, hypotheses, roundTrip)
  const published = provePublished(turns, inferred.format, roundTrip)

  const isPublishedBetter = published !== undefined && passes(published) > passes(inferred)
  const best = isPublishedBetter ? published : inferred
  const other = isPublishedBetter ? inferred : published
  const { hypothesis } = best
  const families = recognised((format) => roundTrip.readsAll(format, surroundings), roundTrip.sample(surroundings))
  return {
    template,
    capabilities: renderer.can,
    frame: withTurnEnd(surroundings.frame, hypothesis),
    isFollowed: renderer.isFollowed,
    renders,
    reasoning: surroundings.reasoning,
    reasoningSwitch,
    content: surroundings.content,
    calls: hypothesis && withoutBlocks(hypothesis),
    asked: findAskedCalls(renderer),
    ids,
    format: other ? joined(best.format, other.format) : best.format,
    handler: isPublishedBetter ? 'response-template' : handlerOf(best, families),
    families,
    hypothesis: hypothesis?.words ?? 'no calls',
    probes: best.results,
    comparisons: [
      ...[...switching, ...surroundings.comparisons].map(forPeople),
      ...(text ? callComparisons(text, hypothesis, ids) : []),
    ],
    unread: best.results.filter(({ passed }) => !passed).map(({ name, why }) => `${name}: ${why ?? ''}`),
  }
}

/** Without a hypothesis, the first built-in format that reads the same is named, if there is one. */
function handlerOf({ hypothesis }: Proven, families: readonly string[]): TemplateAnalysis['handler'] {
  if (hypothesis) return 'inferred'
  return families[0] === undefined ? 'prompted' : `built-in: ${families[0]}`
}

function withoutBlocks({ blocks: _, ...others }: CallHypothesis): Omit<CallHypothesis, 'blocks'> {
  return others
}

/** A comparison with words in place of the probes' own: `<function=NAME>`. */
function forPeople(comparison: Comparison): Comparison {
  return { ...comparison, shown: comparison.shown.map(readable), finding: readable(comparison.finding) }
}
