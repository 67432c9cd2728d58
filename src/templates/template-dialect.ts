import type { AssistantPart, Conversation, ReplyEvent, Tool } from '../conversation/index.ts'
import type { Dialect, Reader, ReaderOptions } from '../dialects/dialect.ts'
import type { FormatData } from '../dialects/format.ts'
import { formatDialect } from '../dialects/format-dialect.ts'
import { createFormatReader } from '../dialects/format-reader.ts'
import { formats } from '../dialects/formats/index.ts'
import { universal } from '../dialects/formats/universal.ts'
import { Marks } from '../dialects/marks.ts'
import { thinkTags } from '../dialects/reasoning-forms.ts'
import {
  type GbnfGrammar,
  printReplyGrammar,
  printReplyStructuralTag,
  RecentGrammars,
  type StructuralTag,
  tokensIn,
  tokensOfShape,
} from '../grammar/index.ts'
import type { TemplateAnalysis } from './analysis/analysis.ts'
import { behindLead, untilEnd } from './analysis/frame.ts'
import { idPatterns, withIds } from './analysis/ids.ts'
import { Outline } from './analysis/outline.ts'
import type { CallWriting } from './assistant-messages.ts'
import { eventBehind, traceBehind } from './behind-begun.ts'
import type { RenderError } from './jinja/template.ts'
import { JsonAnswer } from './json-answer.ts'
import { type PromptOptions, renderPrompt, type TemplatePrompt } from './prompt.ts'
import { type PromptMarks, quotedConversation } from './quoted-conversation.ts'
import { ReasoningAsText } from './reasoning-as-text.ts'
import { commonWriting } from './render.ts'
import { type ConstraintRequest, replyShape } from './reply-shape.ts'
import { UndelimitedReader } from './undelimited-reader.ts'

export interface TemplateReaderOptions extends ReaderOptions {
  /**
   * What of the reply the prompt has begun, as `renderPrompt` says: the reader reads it first. The places in traces and
   * notices are those in what the model wrote, without it.
   */
  begun?: string
  /** What is read of that is given out as well. */
  givesBegun?: boolean
  /** `text`: reasoning is not told from text, its markers stay where they are. */
  reasoning?: 'events' | 'text'
  /** The answer is to be JSON: a fence around it goes. */
  responseFormat?: 'json'
}

/** The dialect of a template's model: what its template writes, it reads. */
export interface TemplateDialect extends Dialect {
  readonly analysis: TemplateAnalysis
  /** The markers of its replies that may be tokens of their own: an engine must show them as text. */
  readonly preservedTokens: readonly string[]
  /** Those of its calls alone: each call has one of them; empty where calls are written without. */
  readonly callTokens: readonly string[]
  /** What ends a reply. */
  readonly stops: readonly string[]
  /** The prompt for a conversation, with what of the reply it has begun. */
  renderPrompt(conversation: Conversation, options?: PromptOptions): TemplatePrompt | RenderError
  /** A reply as the template writes it, without its header and without what ends the turn; undefined where the template refuses it. */
  renderReply(parts: readonly AssistantPart[], tools: readonly Tool[]): string | undefined
  createReader(options: TemplateReaderOptions): Reader
  /** The grammar of a reply for llama.cpp, with what the engine needs beside it; undefined where there is nothing to constrain. */
  grammar(request: ConstraintRequest): GbnfGrammar | undefined
  /** The same for vLLM and SGLang. */
  structuralTag(request: ConstraintRequest): StructuralTag | undefined
}

/** Made once for each analysis. */
const known = new WeakMap<TemplateAnalysis, TemplateDialect>()

export function templateDialect(analysis: TemplateAnalysis): TemplateDialect {
  const dialect = known.get(analysis) ?? createDialect(analysis)
  known.set(analysis, dialect)
  return dialect
}

function createDialect(analysis: TemplateAnalysis): TemplateDialect {
  const format = tolerant(analysis)
  const outline = new Outline(analysis.template)
  outline.isFollowed = analysis.isFollowed
  const written = formatDialect(format)
  const shape = replyShape(analysis, format, anything)
  const preservedTokens = tokensOfShape(shape)
  let known: PromptMarks | undefined
  // Made when first needed: whoever only reads a template's analysis needs none.
  const marks = () => {
    known ??= marksOf(analysis, preservedTokens)
    return known
  }
  // Calls that the template has no place for stand in the text as the model is asked to write them.
  const writing: CallWriting = {
    ...commonWriting,
    ...(format.written && {
      writeCall: (name, json) =>
        written.renderAssistant([{ type: 'call', id: '', name, arguments: json }], { trigger: '' }),
    }),
  }
  outline.writing = writing
  return {
    ...written,
    analysis,
    preservedTokens,
    callTokens: tokensOfShape({ ...shape, reasoning: undefined, content: undefined, contentBefore: undefined }),
    stops: stopsOf(analysis),
    neutralise: (text) => marks().others.neutralise(text),
    renderPrompt: (conversation, options) =>
      renderPrompt(analysis, quotedConversation(conversation, marks()), { writing, ...options }),
    renderReply: (parts, tools) => {
      const { frame, content, ids } = analysis
      const own = ids === undefined ? parts : withIds(parts, idPatterns[ids])
      // Without tools the probes' own are listed, as the frame was found with some.
      const reply = outline.reply(own, tools.length > 0 ? { tools } : {})
      const written = reply === undefined ? undefined : behindLead(reply, frame)
      return written === undefined ? undefined : untilEnd(written, frame, content.close)
    },
    createReader: (options) => openReader(analysis, format, marks().others, options),
    grammar: ({ tools, ...rest }) =>
      recentGrammars.of(format, tools, rest, () => grammarOf(analysis, format, { tools, ...rest })),
    structuralTag: ({ tools, ...rest }) =>
      recentTags.of(format, tools, rest, () => {
        const request = { tools, ...rest }
        return printReplyStructuralTag(replyShape(analysis, format, request), request)
      }),
  }
}

const recentGrammars = new RecentGrammars<GbnfGrammar>()
const recentTags = new RecentGrammars<StructuralTag>()

function grammarOf(
  analysis: TemplateAnalysis,
  format: FormatData,
  request: ConstraintRequest,
): GbnfGrammar | undefined {
  const grammar = printReplyGrammar(replyShape(analysis, format, request), request)
  return grammar && { ...grammar, stops: [...new Set([...grammar.stops, ...stopsOf(analysis)])] }
}

/**
 * The analysed format, with what it does not read behind it: the built-in formats that read the same, with all that their models were seen to
 * write beside it, and every other. A template that shows no calls has those of its family, or the ones that prompts ask for.
 */
function tolerant({ template, format, families }: TemplateAnalysis): FormatData {
  const relatives = formats.filter(({ name }) => families.includes(name))
  const { written, blocks, separator } = relatives[0] ?? universal
  return {
    ...format,
    blocks: [...new Set([...format.blocks, ...relatives.flatMap((one) => one.blocks), ...universal.blocks])],
    ...(format.blocks.length === 0 && { written: written ?? blocks[0], separator: separator ?? '\n' }),
    reasoning: [...(format.reasoning ?? []), ...relatives.flatMap(({ reasoning }) => reasoning ?? [])],
    markers: [...new Set([...(format.markers ?? []), ...relatives.flatMap(({ markers }) => markers ?? [])])],
    answers: answerTags.filter(({ open }) => [...template.compiled.mentions.texts].some((text) => text.includes(open))),
  }
}

/** In what answers stand that a template may tell its model to wrap: Granite 3.3's does so, and renders none. */
const answerTags = formats.flatMap(({ answers }) => answers ?? [])

/** A request that leaves the model free. */
const anything: ConstraintRequest = { tools: [], toolChoice: { type: 'auto' }, parallelCalls: true }

/** What ends the reply; what also closes a part of it does not. */
function stopsOf({ frame, reasoning, content }: TemplateAnalysis): string[] {
  const closers = [reasoning.close, content.close].map((close) => close.trim())
  const stops = frame.ends.filter((end) => !closers.includes(end.trim()))
  return stops.length > 0 ? stops : [...frame.ends]
}

/** Shorter tokens are met in any text: a bracket, a line break. */
const shortestToken = 3
/** Tokenizers have thousands of added tokens for what is no marker; these are the first. */
const mostTokens = 500

/**
 * The markers of a template that an engine may take for tokens, and what opens and closes turns. `tokens` are those of its
 * replies. Other beginnings of calls (`{"name"`) mean nothing in a prompt.
 */
function marksOf({ template, frame }: TemplateAnalysis, tokens: readonly string[]): PromptMarks {
  const { compiled, specialTokens, addedTokens } = template
  const special = [...Object.values(specialTokens), ...addedTokens.slice(0, mostTokens)]
  const ofTurns = [...tokensIn([frame.header, frame.lead, ...frame.ends]), ...frame.ends, frame.header, ...special]
  const thoughts = thinkTags.flatMap(({ open, close }) => [open, ...close])
  return {
    others: marksWith([...ofTurns, ...tokens, ...thoughts, ...tokensIn([...compiled.mentions.texts])]),
    own: marksWith(ofTurns),
  }
}

function marksWith(marks: readonly string[]): Marks {
  const trimmed = new Set(marks.map((mark) => mark.trim()))
  return new Marks([...trimmed].filter((mark) => mark.length >= shortestToken))
}

function openReader(
  analysis: TemplateAnalysis,
  format: FormatData,
  marks: Marks,
  options: TemplateReaderOptions,
): Reader {
  const {
    begun = '',
    givesBegun = false,
    responseFormat,
    reasoningOpen: isOpen = false,
    trace: told,
    ...others
  } = options
  const { mode, close } = analysis.reasoning
  const raw = options.reasoning === 'text' ? new ReasoningAsText() : undefined
  const traced = told && traceBehind(told, begun.length)
  const trace: ReaderOptions['trace'] = (role, start, end) => {
    raw?.take(role, start, end)
    traced?.(role, start, end)
  }
  const isTraced = raw !== undefined || traced !== undefined
  const open = (reasoningOpen: boolean) =>
    createFormatReader(format, marks, { reasoningOpen, ...(isTraced && { trace }), ...others })
  const isDelimited = mode === 'delimiter' && !isOpen
  // Without a marker of its own, reasoning is what the prompt begins.
  const reader = isDelimited && begun.trim() === '' ? new UndelimitedReader(close, open) : open(isOpen || isDelimited)
  const answer = responseFormat === 'json' ? new JsonAnswer() : undefined
  const pass = (events: ReplyEvent[]) => {
    const shown = raw ? raw.read(events) : events
    const placed = begun === '' ? shown : shown.map((event) => eventBehind(event, begun.length))
    return answer ? answer.read(placed) : placed
  }
  const push = (text: string) => {
    raw?.push(text)
    return pass(reader.push(text))
  }
  const first = begun === '' ? [] : push(begun)
  const give = givesBegun ? givenFirst(first) : withoutText(first.length === 0 ? begun : '')
  return {
    push: (text) => give(push(text)),
    end: (reason) => give(pass(reader.end(reason))),
    get report() {
      return reader.report
    },
  }
}

/** Some events before all others. */
function givenFirst(first: readonly ReplyEvent[]): (events: ReplyEvent[]) => ReplyEvent[] {
  let waiting = first
  return (events) => {
    if (waiting.length === 0) return events
    const all = [...waiting, ...events]
    waiting = []
    return all
  }
}

/** A marker that the prompt has begun, and the model did not go on with, is no text of the model's. */
function withoutText(begun: string): (events: ReplyEvent[]) => ReplyEvent[] {
  let left = begun
  return (events) => {
    const at = left === '' ? -1 : events.findIndex(({ type }) => type !== 'notice')
    const event = events[at]
    if (!event) return events
    const isText = event.type === 'text' && event.text.startsWith(left)
    const kept = isText ? { ...event, text: event.text.slice(left.length) } : event
    left = ''
    return kept.type === 'text' && kept.text === '' ? events.toSpliced(at, 1) : events.with(at, kept)
  }
}
