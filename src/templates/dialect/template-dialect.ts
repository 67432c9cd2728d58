import {
  type AssistantPart,
  type ConversationInput,
  completeConversation,
  memoize,
  type ToolDefinition,
  toolsForReading,
} from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import type { CallPolicy, Dialect, FormatData, Reader } from '../../dialects/index.ts'
import { formatDialect, Marks, tagsOfPrompt, thinkTags, universal, withFoundTools } from '../../dialects/index.ts'
import {
  type GbnfGrammar,
  GrammarCache,
  type LarkGrammar,
  printReplyGrammar,
  printReplyLark,
  printReplyStructuralTag,
  type StructuralTag,
  shownMarkers,
  tokensIn,
  tokensOfShape,
} from '../../grammar/index.ts'
import { atOnce, inPieces, type Steps } from '../../json/index.ts'
import type { TemplateAnalysis } from '../analysis/analysis.ts'
import { idPatterns, withIds } from '../analysis/probes/ids.ts'
import { ProbeRenderer } from '../analysis/probes/probe-renderer.ts'
import { afterLead, untilEnd } from '../analysis/turn/turn-markers.ts'
import type { RenderError } from '../render/render-error.ts'
import { CallDescriber, callWriting, mayInstruct, rendersCalls } from './call-instructions.ts'
import { type PromptOptions, promptOf, type TemplatePrompt } from './prompt.ts'
import { type PromptMarks, quotedConversation } from './quoted-conversation.ts'
import { type ConstraintRequest, replyLayout } from './reply-layout.ts'
import { TemplateReader, type TemplateReaderOptions } from './template-reader.ts'

/** A request with the tools in any form that `normalizeTools` takes; choice and parallel calls have defaults. */
type Lenient<Request extends CallPolicy> = Omit<Request, keyof CallPolicy> & {
  tools: readonly ToolDefinition[]
  /** Default: `auto`. */
  toolChoice?: CallPolicy['toolChoice']
  /** Default: true. */
  parallelCalls?: boolean
}

/** The options of a template's reader. */
export type TemplateReading = Lenient<TemplateReaderOptions>

/** The constraints on a reply of a template's model. */
export type TemplateConstraint = Lenient<ConstraintRequest>

/** The dialect of a template's model: it reads the form that the template writes. */
export interface TemplateDialect extends Dialect {
  readonly analysis: TemplateAnalysis
  /** The markers of its replies that may be tokens of their own: an engine must show them as text. */
  readonly preservedTokens: readonly string[]
  /** The tokens of its calls alone: each call has one of them; empty if calls are written without. */
  readonly callTokens: readonly string[]
  /** The markers that end a reply. */
  readonly stops: readonly string[]
  /**
   * Returns the prompt for a conversation, with the part of the reply that it has begun. The conversation needs only `turns`.
   * Throws a RenderError if the template refuses the conversation or goes beyond its limits.
   */
  renderPrompt(conversation: ConversationInput, options?: PromptOptions): TemplatePrompt
  /** Returns what `renderPrompt` returns, or the error that the template raised, as a value. */
  safeRenderPrompt(conversation: ConversationInput, options?: PromptOptions): TemplatePrompt | RenderError
  /** Resolves with what `safeRenderPrompt` returns. A large prompt is written in pieces, between which a server serves others. */
  safeRenderPromptInPieces(
    conversation: ConversationInput,
    options?: PromptOptions,
  ): Promise<TemplatePrompt | RenderError>
  /**
   * Writes a reply as the template does, without its header and the end of the turn; undefined if the template refuses
   * it.
   */
  renderReply(parts: readonly AssistantPart[], tools: readonly ToolDefinition[]): string | undefined
  /** Returns a reader for one reply. Throws an AnycallError for tools that are not tools. */
  createReader(options: TemplateReading): Reader
  /**
   * The grammar of a reply for llama.cpp, with the settings that the engine needs for it; undefined if there is nothing
   * to constrain.
   */
  grammar(request: TemplateConstraint): GbnfGrammar | undefined
  /** The same for vLLM and SGLang. */
  structuralTag(request: TemplateConstraint): StructuralTag | undefined
  /** The same in Lark, for engines with llguidance. It applies from the first character of the reply on. */
  lark(request: TemplateConstraint): LarkGrammar | undefined
}

/**
 * Returns the dialect of a template's model, made once for each analysis: its prompts, its reader and its grammars. All of its
 * functions take tools in any form that `normalizeTools` takes.
 *
 * @example
 * const dialect = templateDialect(analyzeTemplate(loadTemplate(source)))
 * const { text, begun } = dialect.renderPrompt({ turns, tools })
 * const reader = dialect.createReader({ tools, begun })
 */
export const templateDialect: (analysis: TemplateAnalysis) => TemplateDialect = memoize((analysis) =>
  createDialect(analysis),
)

function createDialect(analysis: TemplateAnalysis): TemplateDialect {
  const format = tolerant(analysis)
  const shape = replyLayout(analysis, format, anything)
  const tokens = tokensOfShape(shape)
  let known: PromptMarks | undefined
  // Made when first needed: a caller that only reads a template's analysis needs none.
  const marks = () => {
    known ??= marksOf(analysis, tokens)
    return known
  }
  // The template determines more of a reply than the format does: its own functions make the grammars.
  const { format: _, ...written } = formatDialect(format, { marks: () => marks().others })
  const describer = new CallDescriber(analysis, format)
  const writing = callWriting(analysis, format, () => marks().others)
  // Made for each reply, because it keeps the texts that it renders.
  const rendererFor = () => new ProbeRenderer(analysis.template, { isFollowed: analysis.isFollowed, writing })
  function* promptFor(input: ConversationInput, options?: PromptOptions): Steps<TemplatePrompt | RenderError> {
    const complete = completeConversation(input)
    const conversation = { ...complete, turns: withFoundTools(complete.turns) }
    const instructions = describer.instructions(conversation, marks().others)
    const quoted = yield* quotedConversation(conversation, marks())
    return yield* promptOf(analysis, quoted, { writing: { ...writing, instructions }, ...options })
  }
  const safeRenderPrompt = (input: ConversationInput, options?: PromptOptions) => atOnce(promptFor(input, options))
  return {
    ...written,
    analysis,
    preservedTokens: shownMarkers(shape),
    callTokens: tokensOfShape({ ...shape, reasoning: undefined, content: undefined, contentBefore: undefined }),
    stops: stopsOf(analysis),
    safeRenderPrompt,
    safeRenderPromptInPieces: (conversation, options) => inPieces(promptFor(conversation, options)),
    renderPrompt: (conversation, options) => {
      const prompt = safeRenderPrompt(conversation, options)
      if (prompt.type === 'error') throw prompt
      return prompt
    },
    renderReply: (parts, offered) => {
      const tools = toolsForReading(offered)
      const { frame, content, ids } = analysis
      const own = ids === undefined ? parts : withIds(parts, idPatterns[ids])
      // Without tools the probes' own are listed, as the frame was found with some.
      const reply = rendererFor().reply(own, tools.length > 0 ? { tools } : {})
      const written = reply === undefined ? undefined : afterLead(reply, frame)
      return written === undefined ? undefined : untilEnd(written, frame, content.close)
    },
    createReader: (options) => new TemplateReader(analysis, format, marks().others, filled(options)),
    grammar: (asked) => {
      const request = filled(asked)
      const { tools, ...rest } = request
      return recentGrammars.of(format, tools, rest, () => grammarOf(analysis, format, request))
    },
    structuralTag: (asked) => {
      const request = filled(asked)
      const { tools, ...rest } = request
      return recentTags.of(format, tools, rest, () =>
        printReplyStructuralTag(replyLayout(analysis, format, request), request),
      )
    },
    lark: (asked) => {
      const request = filled(asked)
      const { tools, ...rest } = request
      return recentLark.of(format, tools, rest, () => {
        const grammar = printReplyLark(replyLayout(analysis, format, request), request)
        return grammar && withStops(grammar, analysis)
      })
    },
  }
}

function filled<Request extends { tools: readonly ToolDefinition[] }>(
  request: Request & Partial<Pick<CallPolicy, 'toolChoice' | 'parallelCalls'>>,
): Omit<Request, keyof CallPolicy> & CallPolicy {
  const { toolChoice = { type: 'auto' }, parallelCalls = true } = request
  return { ...request, toolChoice, parallelCalls, tools: toolsForReading(request.tools) }
}

const recentGrammars = new GrammarCache<GbnfGrammar>()
const recentTags = new GrammarCache<StructuralTag>()
const recentLark = new GrammarCache<LarkGrammar>()

function grammarOf(
  analysis: TemplateAnalysis,
  format: FormatData,
  request: ConstraintRequest,
): GbnfGrammar | undefined {
  const grammar = printReplyGrammar(replyLayout(analysis, format, request), request)
  return grammar && withStops(grammar, analysis)
}

function withStops<Grammar extends { stops: string[] }>(grammar: Grammar, analysis: TemplateAnalysis): Grammar {
  return { ...grammar, stops: [...new Set([...grammar.stops, ...stopsOf(analysis)])] }
}

/**
 * The analysed format, followed by further ones: the built-in formats that read the same, with the known deviations of
 * their models, and every other. A template that shows no calls has those of its family, or the ones that prompts ask
 * for.
 */
function tolerant({ template, format, families, asked }: TemplateAnalysis): FormatData {
  const relatives = formats.filter(({ name }) => families.includes(name) || name === asked?.format)
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

/**
 * The tags around answers that a template may tell its model to write without rendering them: Granite 3.3's does so.
 */
const answerTags = formats.flatMap(({ answers }) => answers ?? [])

/** A request that leaves the model free. */
const anything: ConstraintRequest = { tools: [], toolChoice: { type: 'auto' }, parallelCalls: true }

/** The markers that end the reply, without those that also close a part of it. */
function stopsOf({ frame, reasoning, content }: TemplateAnalysis): string[] {
  const closers = [reasoning.close, content.close].map((close) => close.trim())
  const stops = frame.ends.filter((end) => !closers.includes(end.trim()))
  return stops.length > 0 ? stops : [...frame.ends]
}

/** Shorter tokens are met in any text: a bracket, a line break. */
const shortestToken = 3
/** Tokenizers have thousands of added tokens that are not markers; only the first ones are used. */
const mostTokens = 500

/**
 * The markers of a template that an engine may tokenize as special tokens, and the markers that open and close turns.
 * `tokens` are those of its replies. Other beginnings of calls (`{"name"`) have no meaning in a prompt.
 */
function marksOf(analysis: TemplateAnalysis, tokens: readonly string[]): PromptMarks {
  const { template, frame } = analysis
  const { compiled, specialTokens, addedTokens } = template
  const special = [...Object.values(specialTokens), ...addedTokens.slice(0, mostTokens)]
  const ofTurns = [...tokensIn([frame.header, frame.lead, ...frame.ends]), ...frame.ends, frame.header, ...special]
  const thoughts = thinkTags.flatMap(({ open, close }) => [open, ...close])
  const ofPrompt = mayInstruct(analysis) ? tagsOfPrompt : []
  return {
    others: marksWith([...ofTurns, ...tokens, ...thoughts, ...ofPrompt, ...tokensIn([...compiled.mentions.texts])]),
    own: marksWith(ofTurns),
    leavesCalls: !rendersCalls(analysis),
  }
}

function marksWith(marks: readonly string[]): Marks {
  const trimmed = new Set(marks.map((mark) => mark.trim()))
  return new Marks([...trimmed].filter((mark) => mark.length >= shortestToken))
}
