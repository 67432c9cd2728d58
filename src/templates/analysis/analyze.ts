import { RecentMap } from '../../conversation/index.ts'
import type { FormatData } from '../../dialects/index.ts'
import { unreadableMarker } from '../../grammar/index.ts'
import { formatOfResponseTemplate } from '../response-template/response-template.ts'
import type { ChatTemplate } from '../source/chat-template.ts'
import type { TemplateAnalysis } from './analysis.ts'
import { CallText, type Surroundings } from './calls/call-text.ts'
import { callComparisons } from './calls/comparisons.ts'
import { recognised } from './calls/families.ts'
import { formatOf, joined, withTurnEnd } from './calls/format-of.ts'
import type { CallHypothesis } from './calls/hypothesis.ts'
import { inferJsonCalls } from './calls/infer-json.ts'
import { inferNamedCalls } from './calls/infer-named.ts'
import { inferPythonCalls } from './calls/infer-python.ts'
import { inferTaggedCalls } from './calls/infer-tagged.ts'
import { findAskedCalls } from './probes/asked-calls.ts'
import type { Comparison, Note } from './probes/finding.ts'
import { type IdPattern, idPatterns } from './probes/ids.ts'
import { nonces } from './probes/nonces.ts'
import { ProbeRenderer } from './probes/probe-renderer.ts'
import { readable } from './probes/readable.ts'
import { type Proven, passes, RoundTrip } from './proof/proof.ts'
import { isInReasoning } from './proof/round-trip.ts'
import { findContent } from './turn/content.ts'
import { exampleOf } from './turn/example.ts'
import { before, findTurnMarkers, type ReplyRenders, renderReplies, type TurnMarkers, tailsOf } from './turn/frame.ts'
import { findReasoning, reasoningEnd } from './turn/reasoning.ts'
import { findReasoningSwitch } from './turn/reasoning-switch.ts'

const shapes: readonly ((calls: CallText) => CallHypothesis | undefined)[] = [
  inferJsonCalls,
  inferNamedCalls,
  inferPythonCalls,
  inferTaggedCalls,
]

const mostKnown = 64
const known = new RecentMap<string, TemplateAnalysis>(mostKnown)
/** To know a template by its text takes 0.02 ms: each request of a gateway asks for the same object. */
const analysed = new WeakMap<ChatTemplate, TemplateAnalysis>()

/** Finds how a template's model writes its replies, by rendering probes and comparing. Each template is analysed once. */
export function analyzeTemplate(template: ChatTemplate): TemplateAnalysis {
  const analysis = analysed.get(template) ?? analyzeText(template)
  analysed.set(template, analysis)
  return analysis
}

function analyzeText(template: ChatTemplate): TemplateAnalysis {
  const key = `${JSON.stringify([template.specialTokens, template.responseTemplate])}\n${template.source}`
  return known.of(key, () => new Analyzer(template).analyze())
}

class Analyzer {
  readonly #template: ChatTemplate
  readonly #renderer: ProbeRenderer
  readonly #roundTrip: RoundTrip
  readonly #comparisons = new Map<string, Comparison>()
  /** The text that the hypotheses on calls are made from. */
  #calls: CallText | undefined
  /** A comparison that is made again, with more known, takes the place of the one before. */
  readonly #note: Note = (comparison) =>
    void this.#comparisons.set(comparison.id + comparison.title, {
      ...comparison,
      shown: comparison.shown.map(readable),
      finding: readable(comparison.finding),
    })

  constructor(template: ChatTemplate) {
    this.#template = template
    this.#renderer = new ProbeRenderer(template)
    this.#roundTrip = new RoundTrip(this.#renderer)
  }

  analyze(): TemplateAnalysis {
    const renderer = this.#renderer
    const reasoningSwitch = findReasoningSwitch(renderer, this.#note)
    let renders = renderReplies(renderer, reasoningSwitch)
    let first = this.#around(renders)
    if (isInReasoning(before(renders.text, nonces.text) ?? '', first.reasoning)) {
      renderer.isFollowed = true
      renders = renderReplies(renderer, reasoningSwitch)
      first = this.#around(renders)
    }
    const found = first.frame
    const { hypotheses, ids } = this.#hypotheses(first)
    this.#roundTrip.ids = ids
    const opener = hypotheses.map(openerInHeader(found)).find((text) => text !== '') ?? ''
    const surroundings = opener === '' ? first : this.#around(renders, withoutOpener(found, opener))
    const candidates = opener === '' ? hypotheses : this.#hypotheses(surroundings).hypotheses
    const inferred = this.#prove(surroundings, candidates)
    const published = this.#published(surroundings, inferred.format)
    const isBetter = published !== undefined && passes(published.results) > passes(inferred.results)
    const best: Proven = isBetter ? published : inferred
    const families = recognised(
      (format) => this.#roundTrip.readsAll(format, surroundings),
      this.#roundTrip.sample(surroundings),
    )
    const { reasoning, content } = surroundings
    const frame = withTurnEnd(surroundings.frame, best.hypothesis)
    const { blocks: _, ...calls } = best.hypothesis ?? { blocks: [] }
    return {
      template: this.#template,
      capabilities: renderer.can,
      frame,
      isFollowed: renderer.isFollowed,
      renders,
      reasoning,
      reasoningSwitch,
      content,
      calls: best.hypothesis && 'shape' in calls ? calls : undefined,
      asked: findAskedCalls(renderer),
      ids,
      format: published ? joined(best.format, isBetter ? inferred.format : published.format) : best.format,
      handler: isBetter ? 'response-template' : handlerOf(best, families),
      families,
      hypothesis: best.hypothesis?.words ?? 'no calls',
      probes: best.results,
      comparisons: [
        ...this.#comparisons.values(),
        ...(this.#calls ? callComparisons(this.#calls, best.hypothesis, ids) : []),
      ],
      unread: best.results.filter(({ passed }) => !passed).map(({ name, why }) => `${name}: ${why ?? ''}`),
    }
  }

  /** What stands around calls, in a frame or in the one that is found. */
  #around(renders: ReplyRenders, given?: TurnMarkers): Surroundings {
    const renderer = this.#renderer
    const end = reasoningEnd(renders)
    const none: TurnMarkers = { header: '', lead: '', ends: [], tails: [] }
    const frame = given ?? findTurnMarkers(renderer, renders, end) ?? none
    const reasoning = findReasoning(renderer, renders, frame, end, this.#note)
    const content = findContent(renders, frame, reasoning, this.#note)
    return { frame: { ...frame, tails: tailsOf(renders, frame, content.close) }, reasoning, content }
  }

  #hypotheses(surroundings: Surroundings): { hypotheses: CallHypothesis[]; ids: string | undefined } {
    if (!this.#renderer.can.calls) return { hypotheses: [], ids: undefined }
    const infer = (idOf?: IdPattern) => {
      const calls = new CallText(this.#renderer, surroundings, idOf)
      this.#calls = calls
      return shapes.flatMap((shape) => {
        const hypothesis = shape(calls)
        return hypothesis && isReadable(hypothesis) ? [hypothesis] : []
      })
    }
    const plain = infer()
    if (plain.length > 0) return { hypotheses: plain, ids: undefined }
    for (const [ids, idOf] of Object.entries(idPatterns)) {
      const hypotheses = infer(idOf)
      if (hypotheses.length > 0) return { hypotheses, ids }
    }
    return { hypotheses: [], ids: undefined }
  }

  /** The first hypothesis that reads all probes back; without one, that which reads the most. */
  #prove(surroundings: Surroundings, hypotheses: readonly CallHypothesis[]): Proven {
    let best: Proven | undefined
    for (const hypothesis of hypotheses.length > 0 ? hypotheses : [undefined]) {
      const format = formatOf(this.#template, surroundings, hypothesis, exampleOf(this.#renderer, surroundings.frame))
      const results = this.#roundTrip.results(format, surroundings)
      if (!best || passes(results) > passes(best.results)) best = { format, hypothesis, results }
      if (passes(results) === results.length) break
    }
    if (!best) throw new Error('There is always one hypothesis.')
    return best
  }

  /** The format that the tokenizer config publishes, where it has one that reads calls. */
  #published(surroundings: Surroundings, own: FormatData): Proven | undefined {
    const spec = this.#template.responseTemplate
    const found = spec && formatOfResponseTemplate(spec)
    if (found?.type !== 'format' || found.blocks.length === 0) return undefined
    const { blocks, reasoning, markers } = found
    const format = { ...own, blocks, reasoning, markers: [...new Set([...(own.markers ?? []), ...markers])] }
    return { format, hypothesis: undefined, results: this.#roundTrip.results(format, surroundings) }
  }
}

/** A template may write anything, of any length: what cannot be read as a marker is none. */
function isReadable({ blocks }: CallHypothesis): boolean {
  return blocks.every(({ tree }) => unreadableMarker(tree) === undefined)
}

/** Where no hypothesis was found, a built-in format serves that reads the same, if there is one. */
function handlerOf({ hypothesis }: Proven, families: readonly string[]): TemplateAnalysis['handler'] {
  if (hypothesis) return 'inferred'
  return families[0] === undefined ? 'prompted' : `built-in: ${families[0]}`
}

/** A mark that stands between two calls and at the end of the header opens each of them: `>>>`. */
function openerInHeader({ header }: TurnMarkers): (hypothesis: CallHypothesis) => string {
  return ({ layout, separator }) => {
    const mark = separator.trim()
    const isBare = (layout.section.open + layout.call.open).trim() === ''
    return isBare && mark !== '' && header.endsWith(mark) ? mark : ''
  }
}

function withoutOpener(frame: TurnMarkers, opener: string): TurnMarkers {
  const { header, lead } = frame
  return { ...frame, header: header.slice(0, -opener.length), lead: lead.slice(0, -opener.length) }
}
