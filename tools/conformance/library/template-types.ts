import type { AssistantPart, Conversation, FinishReason, Tool, ToolChoice } from '../../../src/index.ts'
import type { ChatTemplate, RenderError, RenderOptions } from '../../../src/templates/index.ts'
import type { ExpectedCall, TextReader } from './types.ts'

/** The parts of an analysis that the scores use. */
export interface TemplateAnalysis {
  template: ChatTemplate
  capabilities: { calls: boolean; parallelCalls?: boolean; textWithCalls?: boolean }
  header: string
  /** The mechanism that reads the reply: inference, or a fallback. */
  handler: string
  hypothesis: string
  probes: readonly { name: string; passed: boolean; why?: string }[]
  /** Undefined if no calls were found. */
  calls?: unknown
}

/** The parts of a template's dialect that the scores use. */
export interface TemplateDialect {
  safeRenderPrompt(conversation: Conversation, options: PromptOptions): RenderedPrompt | RenderError
  /** Undefined if the template refuses the message. */
  renderReply(parts: readonly AssistantPart[], tools: readonly Tool[]): string | undefined
  createReader(options: TemplateReaderOptions): TextReader
  /** Absent if the dialect prints no grammars; undefined if there is nothing to constrain. */
  grammar?(request: ConstraintRequest): Constraint | undefined
}

export interface PromptOptions extends RenderOptions {
  continueReply?: 'text' | 'reasoning'
}

export interface RenderedPrompt {
  type: 'prompt'
  text: string
  /** The part of the reply that the prompt has begun. */
  begun: string
}

export interface TemplateReaderOptions {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  parallelCalls: boolean
  delivery: 'live'
  modelIds: boolean
  newCallId: () => string
  begun?: string
  givesBegun?: boolean
  reasoningAs?: 'events' | 'text'
  responseFormat?: 'json'
}

/** A template of a folder, with its analysis. */
export interface OpenTemplate {
  type: 'open'
  analysis: TemplateAnalysis
  dialect: TemplateDialect
  /** The time of the analysis, in milliseconds. */
  time: number
}

export interface ClosedTemplate {
  type: 'closed'
  why: string
}

/** A model's output, its request, and the reply that a reader made from the template must return. */
export interface Vector {
  id: string
  conversation: Conversation
  prompt: PromptOptions
  reader: Pick<TemplateReaderOptions, 'reasoningAs' | 'responseFormat'>
  output: string
  end: FinishReason
  expected: ExpectedReply
}

export interface ExpectedReply {
  content: string
  reasoning: string
  calls: readonly (ExpectedCall & { json: string })[]
  /** The output was cut: of the last call only a beginning is there. */
  isCut: boolean
}

/** A message that a template writes and its dialect reads back. */
export interface Message {
  id: string
  parts: readonly AssistantPart[]
  tools: readonly Tool[]
}

/** A value as JSON text, with a schema that admits its type alone. */
export interface Value {
  json: string
  schema: Tool['schema']
  /** The members of an object, by their keys. */
  members?: Readonly<Record<string, Value>>
}

/** The content of a message, before its names and keys are made unique. */
export interface Draft {
  id: string
  reasoning?: string
  text?: string
  /** The arguments of each call. */
  calls?: readonly Readonly<Record<string, Value>>[]
}

/** The inputs of a grammar. */
export interface ConstraintRequest {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  parallelCalls: boolean
  /** True if text may come before calls that are required. */
  textBefore?: boolean
  /** The part of the reply that the prompt has begun: the grammar applies to the text after it. */
  begun?: string
  /** The reply is JSON of that schema. */
  responseSchema?: Tool['schema']
}

/** A grammar in GBNF, and the places from which it applies. */
export interface Constraint {
  grammar: string
  isLazy: boolean
  triggers: readonly { type: 'word' | 'pattern'; value: string }[]
  /** Markers that end the reply. */
  stops?: readonly string[]
  /** Descriptions of what is admitted beyond the request. */
  widened?: readonly string[]
}
