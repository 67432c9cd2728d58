import type { JsonObject } from './json-value.ts'

/** The client's request in neutral form: every protocol decodes into it, every plan serves it. */
export interface Conversation {
  /** The model as the client named it. */
  model: string
  /** The system prompt as one text. Empty if the request has no system prompt. */
  system: string
  turns: Turn[]
  /** All tools that the next reply may call. */
  tools: readonly Tool[]
  /**
   * The tools that the prompt lists at its beginning; absent if those are all. The others are described in the turns in which they were found or
   * added, so that the prompt of a turn stays the beginning of the next one's.
   */
  listedTools?: readonly Tool[]
  toolChoice: ToolChoice
  /** False when the client allows at most one call a reply. */
  parallelCalls: boolean
  /** The largest number of tokens of the reply. Absent: the client set no limit. */
  maxTokens?: number
  /** Texts that end the reply at their first occurrence in its text. */
  stopSequences: string[]
  sampling: Sampling
  /** The client's settings for reasoning. Absent if the client sent none. */
  reasoning?: ReasoningWish
  /** Settings of OpenAI's APIs, for upstreams that have these APIs. Absent if the client sent none. */
  openai?: OpenAISettings
  /** `auto`: the oldest turns may be left out if all of them do not fit the model's context. Absent: a prompt too long is an error. */
  truncation?: 'auto'
  /** The form that the reply's text must have; absent if it is free. With tools, the reply is calls or one such value. */
  responseFormat?: ResponseFormat
}

/** The form of a reply's text. `json`: any JSON object; `json-schema`: a value that fits the schema. */
export type ResponseFormat =
  | { type: 'json' }
  | { type: 'json-schema'; schema: JsonObject; name?: string; description?: string; strict?: boolean }

export interface Tool {
  name: string
  description: string
  /** JSON schema of the arguments object. `{}` if the client sent no schema. */
  schema: JsonObject
  /** True if the client wants arguments that are held to the schema; absent if it said nothing. */
  strict?: boolean
  /** The grammar of one of its arguments, a text. */
  inputGrammar?: InputGrammar
}

/** The notation of a grammar: of Lark, or a regular expression in the syntax of Rust's crate `regex`. */
export type TextSyntax = 'lark' | 'regex'

/** The grammar to which a text among a tool's arguments is held, as the client wrote it. */
export interface InputGrammar {
  argument: string
  syntax: TextSyntax
  definition: string
}

export type ToolChoice = { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'named'; name: string }

/** Sampling parameters, in the ranges of the upstream's API. */
export interface Sampling {
  temperature?: number
  /** The share of probability, from 0 to 1, from which tokens are drawn. */
  topP?: number
  /** The number of most probable tokens from which one is drawn. */
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  seed?: number
}

/** Settings that OpenAI's two APIs share, as the client sent them. */
export interface OpenAISettings {
  /** The length of answers; the system prompt asks for it as well. */
  verbosity?: string
  /** The name of the prompts that share their beginning. */
  promptCacheKey?: string
  serviceTier?: string
  /** The client's own user, under another name. */
  safetyIdentifier?: string
}

export interface ReasoningWish {
  enabled: boolean
  effort?: string
  /** The largest number of tokens of reasoning. */
  budgetTokens?: number
}

export type Turn = SystemTurn | UserTurn | AssistantTurn

/** System text that a client put between the turns (Claude Code does). */
export interface SystemTurn {
  role: 'system'
  text: string
  /** The tools that can be called from here on; prompts describe them after the text. */
  tools?: readonly Tool[]
}

export interface UserTurn {
  role: 'user'
  parts: UserPart[]
}

export interface AssistantTurn {
  role: 'assistant'
  parts: AssistantPart[]
  /** The text as the model wrote it, if it is known; prompts in the same dialect have it in place of the parts. */
  written?: WrittenText
  /** The same reply as the model made it, with the searches for tools that the client has not seen. */
  searched?: SearchedReply
}

/** A reply that the model made after searches for tools. */
export interface SearchedReply {
  searches: readonly AssistantTurn[]
  /** The turn that the model wrote when it had found its tools. */
  last: AssistantTurn
}

/** A reply's text, with its calls as the model wrote them. */
export interface WrittenText {
  /** The name of the dialect. */
  dialect: string
  text: string
  /** True if the server sent reasoning apart from the text; else the text has all of it. */
  hasReasoningApart?: boolean
}

export type UserPart = TextPart | ImagePart | ResultPart
export type AssistantPart = TextPart | ReasoningPart | CallPart

export interface TextPart {
  type: 'text'
  text: string
}

export interface ImagePart {
  type: 'image'
  /** An `https:` or `data:` URL. */
  url: string
  detail?: string
}

export interface ReasoningPart {
  type: 'reasoning'
  text: string
  /** The form in which its upstream sent it, for that upstream. */
  opaque?: string
  /** Envelopes that hold the whole reasoning, as the client sent them: still to be opened. */
  envelopes?: readonly string[]
}

export interface CallPart {
  type: 'call'
  id: string
  name: string
  /** The arguments as JSON text, so that what the model wrote (big integers, key order) survives. */
  arguments: string
}

export interface ResultPart {
  type: 'result'
  callId: string
  /** The tool that was called, found by the call's id. */
  name: string
  content: (TextPart | ImagePart)[]
  isError: boolean
  /** The tools that the call found: they can be called from here on. Prompts describe them after the content. */
  tools?: readonly Tool[]
}
