import type { AssistantPart } from '../../conversation/index.ts'
import type { FormatData } from '../../dialects/format.ts'
import type { ReasoningForm } from '../../dialects/reasoning-forms.ts'
import type { TemplateCapabilities } from '../capabilities.ts'
import type { ChatTemplate } from '../chat-template.ts'
import { formatOfResponseTemplate } from '../response-template.ts'
import { callComparisons } from './call-comparisons.ts'
import type { CallHypothesis } from './call-hypothesis.ts'
import { CallText, type IdPattern, type Surroundings } from './call-text.ts'
import { type ContentFinding, findContent } from './content.ts'
import { exampleOf } from './example.ts'
import { recognised } from './families.ts'
import type { Comparison, Note } from './finding.ts'
import {
  before,
  type Frame,
  type FrameRenders,
  findFrame,
  findReasoningSwitch,
  type ReasoningSwitch,
  renderFrame,
  tailsOf,
  untilEnd,
} from './frame.ts'
import { nonces } from './nonces.ts'
import { Outline } from './outline.ts'
import { type Probe, probesFor } from './probe-set.ts'
import { readable } from './readable.ts'
import { findReasoning, type ReasoningFinding, reasoningEnd } from './reasoning.ts'
import { isInReasoning, type ProbeResult, readBack } from './round-trip.ts'
import { isMarker } from './segments.ts'
import { jsonShape } from './shape-json.ts'
import { namedShape } from './shape-named.ts'
import { pythonShape } from './shape-python.ts'
import { taggedShape } from './shape-tagged.ts'

/** What was found of a template, and how it was proven. */
export interface TemplateAnalysis {
  template: ChatTemplate
  capabilities: TemplateCapabilities
  frame: Frame
  /** Replies are rendered with a message behind them. */
  isFollowed: boolean
  /** The replies that frame and reasoning were found from. */
  renders: FrameRenders
  reasoning: ReasoningFinding
  /** The variables that switch reasoning on and off, where the template knows any. */
  reasoningSwitch: ReasoningSwitch | undefined
  content: ContentFinding
  /** How calls are written; undefined where the template renders none. */
  calls: Omit<CallHypothesis, 'blocks'> | undefined
  /** How ids must be for the template to name the tool. */
  ids: string | undefined
  /** The dialect as data: its reader, its writer and its grammar all come from it. */
  format: FormatData
  /** Where the format comes from; a built-in format's name where no inference read the probes. */
  handler: 'inferred' | 'response-template' | 'prompted' | `built-in: ${string}`
  /** The built-in formats that read all probes as well. */
  families: readonly string[]
  /** The format that won, in words. */
  hypothesis: string
  probes: readonly ProbeResult[]
  comparisons: readonly Comparison[]
  /** What the winning format does not read. */
  unread: readonly string[]
}

const shapes: readonly ((calls: CallText) => CallHypothesis | undefined)[] = [
  jsonShape,
  namedShape,
  pythonShape,
  taggedShape,
]

/** Templates that write the id of a call in place of its name expect ids of this kind: Kimi K2. */
export const idPatterns: Readonly<Record<string, IdPattern>> = {
  'functions.NAME:INDEX': (name, index) => `functions.${name}:${index}`,
}

const mostKnown = 64
const known = new Map<string, TemplateAnalysis>()

/** Finds how a template's model writes its replies, by rendering probes and comparing. Each template is analysed once. */
export function analyzeTemplate(template: ChatTemplate): TemplateAnalysis {
  const key = `${JSON.stringify([template.specialTokens, template.responseTemplate])}\n${template.source}`
  const found = known.get(key)
  if (found) return found
  const analysis = new Analyzer(template).analyze()
  if (known.size >= mostKnown) known.clear()
  known.set(key, analysis)
  return analysis
}

/** A format with the proof of how well it reads what the template writes. */
interface Proven {
  format: FormatData
  hypothesis: CallHypothesis | undefined
  results: readonly ProbeResult[]
}

class Analyzer {
  readonly #template: ChatTemplate
  readonly #outline: Outline
  readonly #comparisons = new Map<string, Comparison>()
  /** The text that the hypotheses on calls are made from. */
  #calls: CallText | undefined
  #ids: string | undefined
  /** A comparison that is made again, with more known, takes the place of the one before. */
  readonly #note: Note = (comparison) =>
    void this.#comparisons.set(comparison.id + comparison.title, {
      ...comparison,
      shown: comparison.shown.map(readable),
      finding: readable(comparison.finding),
    })

  constructor(template: ChatTemplate) {
    this.#template = template
    this.#outline = new Outline(template)
  }

  analyze(): TemplateAnalysis {
    const outline = this.#outline
    const reasoningSwitch = findReasoningSwitch(outline, this.#note)
    let renders = renderFrame(outline, reasoningSwitch)
    let first = this.#around(renders)
    if (isInReasoning(before(renders.text, nonces.text) ?? '', first.reasoning)) {
      outline.isFollowed = true
      renders = renderFrame(outline, reasoningSwitch)
      first = this.#around(renders)
    }
    const found = first.frame
    const { hypotheses, ids } = this.#hypotheses(first)
    this.#ids = ids
    const opener = hypotheses.map(openerInHeader(found)).find((text) => text !== '') ?? ''
    const surroundings = opener === '' ? first : this.#around(renders, withoutOpener(found, opener))
    const candidates = opener === '' ? hypotheses : this.#hypotheses(surroundings).hypotheses
    const inferred = this.#prove(surroundings, candidates)
    const published = this.#published(surroundings, inferred.format)
    const isBetter = published !== undefined && passes(published.results) > passes(inferred.results)
    const best: Proven = isBetter ? published : inferred
    const families = recognised(
      (format) => this.#results(format, surroundings).every(({ passed }) => passed),
      this.#sample(surroundings),
    )
    const { reasoning, content } = surroundings
    const frame = withTurnEnd(surroundings.frame, best.hypothesis)
    const { blocks: _, ...calls } = best.hypothesis ?? { blocks: [] }
    return {
      template: this.#template,
      capabilities: outline.can,
      frame,
      isFollowed: outline.isFollowed,
      renders,
      reasoning,
      reasoningSwitch,
      content,
      calls: best.hypothesis && 'shape' in calls ? calls : undefined,
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
  #around(renders: FrameRenders, given?: Frame): Surroundings {
    const outline = this.#outline
    const end = reasoningEnd(renders)
    const none: Frame = { header: '', lead: '', ends: [], tails: [] }
    const frame = given ?? findFrame(outline, renders, end) ?? none
    const reasoning = findReasoning(outline, renders, frame, end, this.#note)
    const content = findContent(renders, frame, reasoning, this.#note)
    return { frame: { ...frame, tails: tailsOf(renders, frame, content.close) }, reasoning, content }
  }

  #hypotheses(surroundings: Surroundings): { hypotheses: CallHypothesis[]; ids: string | undefined } {
    if (!this.#outline.can.calls) return { hypotheses: [], ids: undefined }
    const infer = (idOf?: IdPattern) => {
      const calls = new CallText(this.#outline, surroundings, idOf)
      this.#calls = calls
      return shapes.map((shape) => shape(calls)).filter((hypothesis) => hypothesis !== undefined)
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
      const format = formatOf(this.#template, surroundings, hypothesis, exampleOf(this.#outline, surroundings.frame))
      const results = this.#results(format, surroundings)
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
    return { format, hypothesis: undefined, results: this.#results(format, surroundings) }
  }

  #results(format: FormatData, surroundings: Surroundings): ProbeResult[] {
    const isOpen = surroundings.reasoning.mode === 'delimiter'
    return probesFor(this.#outline.can).map((probe) => {
      const written = this.#write(probe, surroundings)
      if (written === undefined) return { name: probe.name, passed: false, why: 'the template refuses it' }
      const hasThought = probe.parts.some((part) => part.type === 'reasoning')
      const why = readBack(format, written, probe, surroundings.reasoning, isOpen && hasThought)
      return { name: probe.name, passed: why === undefined, ...(why !== undefined && { why }) }
    })
  }

  readonly #written = new Map<Frame, Map<string, string | undefined>>()

  /** What the template writes of a probe, from the header to what ends the turn. */
  #write(probe: Probe, { frame, content }: Surroundings): string | undefined {
    let texts = this.#written.get(frame)
    if (!texts) {
      texts = new Map()
      this.#written.set(frame, texts)
    }
    if (!texts.has(probe.name)) {
      // A template that cannot list a tool with such a type is asked with others.
      const parts = this.#ids === undefined ? probe.parts : withIds(probe.parts, idPatterns[this.#ids])
      const reply = this.#outline.reply(parts, { tools: probe.tools }) ?? this.#outline.reply(parts)
      texts.set(
        probe.name,
        reply?.startsWith(frame.lead) ? untilEnd(reply.slice(frame.lead.length), frame, content.close) : undefined,
      )
    }
    return texts.get(probe.name)
  }

  #sample(surroundings: Surroundings): string {
    const probes = probesFor(this.#outline.can)
    const probe =
      probes.find(({ name }) => name === 'two calls') ?? probes.find(({ parts }) => parts[0]?.type === 'call')
    return probe === undefined ? '' : (this.#write(probe, surroundings) ?? '')
  }
}

/** Where no hypothesis was found, a built-in format serves that reads the same, if there is one. */
function handlerOf({ hypothesis }: Proven, families: readonly string[]): TemplateAnalysis['handler'] {
  if (hypothesis) return 'inferred'
  return families[0] === undefined ? 'prompted' : `built-in: ${families[0]}`
}

/** A format, and behind it what another reads. */
function joined(first: FormatData, second: FormatData): FormatData {
  return {
    ...first,
    blocks: [...first.blocks, ...second.blocks],
    reasoning: [...(first.reasoning ?? []), ...(second.reasoning ?? [])],
    markers: [...new Set([...(first.markers ?? []), ...(second.markers ?? [])])],
  }
}

/** What stands behind calls that no section is around ends the turn. */
function withTurnEnd(frame: Frame, hypothesis: CallHypothesis | undefined): Frame {
  const { open, close } = hypothesis?.layout.section ?? { open: '', close: '' }
  const end = close.trim()
  if (open.trim() !== '' || end === '') return frame
  return { ...frame, ends: [...new Set([...frame.ends, end])], tails: [...frame.tails, end] }
}

/** Calls with the ids that a template needs in order to name their tools. */
export function withIds(parts: readonly AssistantPart[], idOf: IdPattern | undefined): AssistantPart[] {
  let count = 0
  return parts.map((part) => (part.type === 'call' && idOf ? { ...part, id: idOf(part.name, count++) } : part))
}

function passes(results: readonly ProbeResult[]): number {
  return results.filter(({ passed }) => passed).length
}

/** A mark that stands between two calls and at the end of the header opens each of them: `>>>`. */
function openerInHeader({ header }: Frame): (hypothesis: CallHypothesis) => string {
  return ({ layout, separator }) => {
    const mark = separator.trim()
    const isBare = (layout.section.open + layout.call.open).trim() === ''
    return isBare && mark !== '' && header.endsWith(mark) ? mark : ''
  }
}

function withoutOpener(frame: Frame, opener: string): Frame {
  const { header, lead } = frame
  return { ...frame, header: header.slice(0, -opener.length), lead: lead.slice(0, -opener.length) }
}

function formatOf(
  template: ChatTemplate,
  surroundings: Surroundings,
  hypothesis: CallHypothesis | undefined,
  example: string,
): FormatData {
  const { frame, content } = surroundings
  const { section } = hypothesis?.layout ?? { section: { open: '', close: '' } }
  const trailing = section.open.trim() === '' ? section.close.trim() : ''
  const markers = [content.open, content.close, ...frame.ends, frame.header.trim(), trailing].filter(
    (marker) => marker !== '',
  )
  return {
    name: 'template',
    families: 'the model of the template',
    source: template.name === '' ? 'a chat template' : `the chat template "${template.name}"`,
    example,
    blocks: hypothesis?.blocks ?? [],
    reasoning: formsOf(surroundings),
    markers: [...new Set(markers)],
    separator: hypothesis?.separator ?? '\n',
  }
}

function formsOf({ frame: { header }, reasoning: { mode, open, close }, content }: Surroundings): ReasoningForm[] {
  if (mode === 'none' || close === '') return []
  // Without a marker of its own, reasoning begins where the reply does.
  const opener = open === '' ? header.trim() : open
  if (opener === '') return []
  // What opens the text ends reasoning that was left open.
  const closers = content.open === '' || content.open.includes(opener) ? [close] : [close, content.open]
  return [{ open: opener, close: closers, kind: isMarker(opener) && /^<[\w:.-]+>$/.test(opener) ? 'tag' : 'special' }]
}
