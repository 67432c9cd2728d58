import type { AnycallError, Conversation, JsonValue, Notice, Reply, ReplyEvent } from '../conversation/index.ts'
import type { BegunObject } from '../json/index.ts'

/** A client's wire format. `Options` are the fields of its request that concern the form of the answer. */
export interface Protocol<Options = unknown> {
  name: string
  /** Prefixes of the ids that this protocol's clients expect. */
  ids: { reply: string; call: string }
  /**
   * Reads a request's body, already parsed as JSON.
   * Unknown fields become notices. Throws an AnycallError `invalid-request` for wrong ones.
   */
  decode(body: unknown): DecodedRequest<Options> | Promise<DecodedRequest<Options>>
  /** Encodes a whole reply as the body of a JSON response. */
  encodeReply(reply: Reply, context: ReplyContext<Options>): EncodedReply | Promise<EncodedReply>
  /** Returns an encoder for one streamed reply. */
  createEncoder(context: ReplyContext<Options>): StreamEncoder
  /** The headers of a streamed reply; by default those of server-sent events. */
  streamHeaders?: Readonly<Record<string, string>>
  encodeError(error: AnycallError, requestId: string): { status: number; body: JsonValue }
}

export type EncodedReply = JsonValue | BegunObject

/** A protocol that makes everything at once. */
export interface SynchronousProtocol<Options = unknown> extends Protocol<Options> {
  decode(body: unknown): DecodedRequest<Options>
  encodeReply(reply: Reply, context: ReplyContext<Options>): JsonValue
  createEncoder(context: ReplyContext<Options>): SynchronousEncoder
}

export interface DecodedRequest<Options = unknown> {
  conversation: Conversation
  /** The id that the client gives its conversation, or its prompts with the same beginning, in the body. */
  session?: string
  stream: boolean
  /** True if the client did not ask for reasoning and expects none in the reply. It is then left out, unless the model's rule shows it. */
  hidesReasoning?: boolean
  options: Options
  /** Reports of degraded and ignored fields. */
  notices: Notice[]
}

export interface ReplyContext<Options = unknown> {
  id: string
  /** The model's name in the client's request. */
  model: string
  requestId: string
  /** Seconds since 1970. */
  created: number
  /** Estimates the prompt's tokens, for upstreams that do not count. Computed on demand. */
  estimateInputTokens(): number
  /** True if the reply shows reasoning even if the request did not ask for it. */
  showsReasoning?: boolean
  options: Options
}

/** An encoder that makes everything at once. */
export interface SynchronousEncoder extends StreamEncoder {
  encode(events: readonly ReplyEvent[]): string
}

/** Turns reply events into the text of a stream. Every method returns text to send, which may be empty; its sender takes it through `withoutLineBreaks`. */
export interface StreamEncoder {
  /** The text before any event. */
  start(): string
  encode(events: readonly ReplyEvent[]): string | Promise<string>
  /** The text that keeps an idle connection open. */
  ping(): string
  /** The error in the protocol's own form, as the end of the stream. */
  fail(error: AnycallError): string
}
