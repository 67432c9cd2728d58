import type { FinishReason, ImagePart, ReasoningWish, Sampling, TextPart, Usage } from '../conversation/index.ts'

/** Something that generates text. One file an upstream, all of this shape. */
export interface Upstream {
  /** Its name in the configuration. */
  name: string
  /** Its kind: `openai-chat`, `scripted`. */
  type: string
  /** The models it has, as it names them. Throws an AnycallError when it cannot be asked. */
  models(query?: ModelsQuery): Promise<UpstreamModel[]>
  /**
   * Starts to generate. Resolves when the first event is there, so that everything before it can be retried by the
   * upstream itself and fails as an AnycallError with a status; what fails later is thrown by the stream.
   * Stops the generation when `context.signal` aborts or the stream is returned.
   */
  generate(request: GenerationRequest, context: GenerationContext): Promise<AsyncIterable<UpstreamEvent[]>>
  /** Lets go of connections. */
  close?(): Promise<void>
}

export interface ModelsQuery {
  signal?: AbortSignal
  /** The client's own key, where the configuration says that it is passed through. */
  clientKey?: string
}

export interface UpstreamModel {
  id: string
  /** Tokens of context, where the upstream says. */
  contextLength?: number
}

export interface GenerationContext {
  signal: AbortSignal
  requestId: string
  /** The client's own key, where the configuration says that it is passed through. */
  clientKey?: string
  log: Log
}

/** Structured logging: an event's name and its fields; never a key. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void

export interface GenerationRequest {
  /** The model as the upstream names it. */
  model: string
  messages: ChatMessage[]
  maxTokens?: number
  sampling: Sampling
  reasoning?: ReasoningWish
}

/** A message of a prompt: no tools, no calls, no results; a plan has written those into the text. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  parts: (TextPart | ImagePart)[]
  /** Reasoning of an earlier assistant turn, passed beside its text. */
  reasoning?: string
}

/** What the upstream said: pieces of text as they come. A stream without a `finish` was cut. */
export type UpstreamEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'finish'; reason: FinishReason; stopSequence?: string }
