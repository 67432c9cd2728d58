import { memoize, RecentMap } from '../../conversation/index.ts'
import { atOnce, inPieces, type Steps } from '../../json/index.ts'
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
  return known.of(keyOf(template), () => atOnce(analysisOf(template)))
}

/**
 * Analyses a template in pieces, between which a server serves others: the first analysis of a process, which compiles the expressions of
 * all formats, takes half a second. `analyzeTemplate` has the result after that. A template that cannot be analysed rejects.
 *
 * @example
 * await prepareAnalysis(template)
 * const analysis = analyzeTemplate(template)
 */
export const prepareAnalysis: (template: ChatTemplate) => Promise<void> = memoize(async (template) => {
  const key = keyOf(template)
  if (!known.has(key)) {
    const analysis = await inPieces(analysisOf(template))
    // Another object of the same template may have been first.
    known.of(key, () => analysis)
  }
  // From now on this object has it, although others may take its place among the texts.
  analyzeTemplate(template)
})

function keyOf({ specialTokens, responseTemplate, source }: ChatTemplate): string {
  return `${JSON.stringify([specialTokens, responseTemplate])}\n${source}`
}

/** Four steps: the text around replies, hypotheses on calls, the proof of each by reading probes back, the best of them. */
function* analysisOf(template: ChatTemplate): Steps<TemplateAnalysis> {
  const first = new ProbeRenderer(template)
  const switching: Comparison[] = []
  const reasoningSwitch = findReasoningSwitch(first, (comparison) => void switching.push(comparison))
  yield

  const found = findTurns(first, reasoningSwitch)
  yield
  const { calls, turns } = findCalls(found)
  yield
  const { renderer, renders, surroundings } = turns
  const { hypotheses, ids, text } = calls

  const roundTrip = new RoundTrip(renderer, ids)
  const inferred = yield* proveInferred(turns, hypotheses, roundTrip)
  yield
  const published = provePublished(turns, inferred.format, roundTrip)
  yield

  const isPublishedBetter = published !== undefined && passes(published) > passes(inferred)
  const best = isPublishedBetter ? published : inferred
  const other = isPublishedBetter ? inferred : published
  const { hypothesis } = best
  const families = yield* recognised(
    (format) => roundTrip.readsAll(format, surroundings),
    roundTrip.sample(surroundings),
  )
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
