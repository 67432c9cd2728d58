import type {
  AssistantPart,
  ChatMessage,
  Conversation,
  FinishReason,
  JsonObject,
  Notice,
  ReasoningWish,
  Sampling,
  Usage,
} from '../conversation/index.ts'
import type { GbnfGrammar, LarkGrammar, StructuralTag } from '../grammar/index.ts'
import type { ChatTemplate } from '../templates/index.ts'
import type { Attempts } from './attempts.ts'
import type { Observation } from './observation.ts'

export type { ChatMessage } from '../conversation/index.ts'

/** Something that generates text. One file an upstream, all of this shape. */
export interface Upstream {
  /** Its name in the configuration. */
  name: string
  /** Its kind: `openai-chat`, `llama-server`, `scripted`. */
  type: string
  /** The kinds of requests that it supports. */
  abilities: Abilities
  /** The models it has, as it names them. Throws an AnycallError when it cannot be asked. */
  models(query?: ModelsQuery): Promise<UpstreamModel[]>
  /**
   * Starts to generate. Resolves when the first event is there, so that the upstream itself can retry everything before
   * it, and earlier failures are an AnycallError with a status; later failures are thrown by the stream. Stops the
   * generation when `context.signal` aborts or the stream is returned.
   */
  generate(request: GenerationRequest, context: GenerationContext): Promise<AsyncIterable<UpstreamEvent[]>>
  /** Returns true if a model calls tools on the upstream's own API. Undefined if the upstream does not report it. */
  callsTools?(model: string, context: GenerationContext): Promise<boolean | undefined>
  /**
   * Returns the chat template of a model, for upstreams that take prompts. Undefined if the upstream has no template to
   * show. Throws an AnycallError if it cannot be reached, or if the template is invalid.
   */
  template?(model: string, context: GenerationContext): Promise<ChatTemplate | undefined>
  /** The tokens of a text as the engine counts them, markers as the tokens that they are. Throws an AnycallError. */
  countTokens?(text: string, model: string, context: GenerationContext): Promise<number>
  /** Passes requests of other APIs on; absent if its server has none of them. */
  forwarding?: Forwarding
  /** Loads what the first request would wait for; connects to nothing. `anycall serve` calls it before it listens. */
  prepare?(): Promise<void>
  /** Lets go of connections. */
  close?(): Promise<void>
}

/** Endpoints whose requests are passed on as clients make them: OpenAI's, and Ollama's own. */
export type ForwardedEndpoint = 'embeddings' | 'completions' | 'ollama-embed' | 'ollama-embeddings'

export interface Forwarding {
  endpoints: ReadonlySet<ForwardedEndpoint>
  /** Sends a body to an endpoint. Resolves when its answer has begun; throws an AnycallError for a status that is no success. */
  send(endpoint: ForwardedEndpoint, body: JsonObject, context: GenerationContext): Promise<Forwarded>
}

/** The answer to a request that was passed on. It must be read to its end or returned: until then it holds a connection. */
export interface Forwarded {
  contentType: string
  body: AsyncIterable<Uint8Array>
}

export interface Abilities {
  /** The kinds of requests that it takes. */
  requests: readonly GenerationRequest['type'][]
  /** The kind of constraint that it supports for replies to prompts. Absent: no constraint. */
  constraint?: Constraint['type']
  /** True if it requests the format of a reply itself: in its API, or in the prompt if the API refuses it. */
  responseFormat?: true
}

export interface ModelsQuery {
  signal?: AbortSignal
  /** The client's own key, if the configuration passes it through. */
  clientKey?: string
  attempts?: Attempts
}

export interface UpstreamModel {
  id: string
  /** Tokens of context, if the upstream reports it. */
  contextLength?: number
}

export interface GenerationContext {
  signal: AbortSignal
  requestId: string
  /** The client's own key, if the configuration passes it through. */
  clientKey?: string
  /** Returns a header of the client's request by its name in small letters. Upstreams pass on those that they are configured to. */
  clientHeader?(name: string): string | undefined
  /** The id that the client gives its conversation. */
  session?: string
  /** True if another upstream is ready to answer instead: then this one's request for a pause is not waited for. */
  hasAlternative?: boolean
  /** The requests that may still be sent. Absent: any number. */
  attempts?: Attempts
  log: Log
  /**
   * The conversation and tools that the messages were written from, for an upstream in this process. Requests to
   * servers do not have it.
   */
  source?: PromptSource
  /** Receives what happens on the way to the reply; absent without an observer. */
  observation?: Observation
  /** The number of the attempt, for its events. Absent for requests that are no part of the reply. */
  attempt?: number
  /** Absent if the client sent no trace headers and nothing is traced. */
  traceHeaders?: TraceHeaders
  /** Keys that must not appear in the log. Given if prompts and the model's text are logged. */
  secrets?: readonly string[]
}

/** Returns the headers by which a request to an upstream takes part in a trace; `attempt` is absent for requests that are no part of the reply. */
export type TraceHeaders = (attempt: number | undefined) => Readonly<Record<string, string>>

/** A conversation that was written as messages, in a dialect. */
export interface PromptSource {
  conversation: Conversation
  /** A reply to it as the dialect writes it. */
  writeReply(parts: readonly AssistantPart[]): string
}

/** Structured logging: an event's name and its fields; never a key. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void

/** A request for a reply: to messages of text alone, to a conversation with its tools, or to a whole prompt. */
export type GenerationRequest = MessagesRequest | ToolsRequest | PromptRequest

interface GenerationLimits {
  /** The model as the upstream names it. */
  model: string
  /** The largest number of tokens of the reply. Absent: the upstream's default. */
  maxTokens?: number
  sampling: Sampling
  reasoning?: ReasoningWish
}

/** Plan `prompted`: the tools, calls and results are written into the text. */
export interface MessagesRequest extends GenerationLimits {
  type: 'messages'
  messages: ChatMessage[]
  /** The client's name for the prompts that share their beginning. */
  promptCacheKey?: string
}

/** Plan `native`: the upstream gets the conversation with its tools, and returns tool calls. */
export interface ToolsRequest extends GenerationLimits {
  type: 'tools'
  conversation: Conversation
}

/** Plan `templated`: the prompt is complete, with all markers. The engine tokenises it and continues from its end. */
export interface PromptRequest extends GenerationLimits {
  type: 'prompt'
  prompt: string
  /** Texts that end the reply; they are not emitted. */
  stops: readonly string[]
  /** Markers that may be single tokens and that the engine must still show as text. */
  preservedTokens: readonly string[]
  constraint?: Constraint
}

/** Returns the messages of a request of plan `prompted`. Empty for other plans. */
export function messagesOf(request: GenerationRequest): ChatMessage[] {
  return request.type === 'messages' ? request.messages : []
}

/** A constraint on a reply, in the notation of the engine. */
export type Constraint =
  | { type: 'gbnf'; grammar: GbnfGrammar }
  | { type: 'structural-tag'; tag: StructuralTag }
  | { type: 'lark'; grammar: LarkGrammar }

/**
 * An event from the upstream: pieces of text, and of the calls that it made itself. A stream without a `finish` was
 * cut.
 */
export type UpstreamEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; opaque?: string }
  | CallPiece
  /** Something that the upstream had to do otherwise than it was asked. */
  | { type: 'notice'; notice: Notice }
  | { type: 'usage'; usage: Usage }
  | { type: 'finish'; reason: FinishReason; stopSequence?: string }

/** A piece of a call; later pieces are appended. */
export interface CallPiece {
  type: 'call'
  /** The index of the call in the reply. Calls may come out of order. */
  index: number
  id?: string
  name?: string
  /** A piece of the arguments' JSON text. */
  arguments?: string
  /** The whole text of a large piece that is read in slices; only in the first slice. */
  sent?: string
  /** True in the other slices: they continue the call of the slice before. */
  goesOn?: true
}
