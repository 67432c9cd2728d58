import type { AnycallError, Conversation, JsonValue, Notice, Reply, ReplyEvent } from '../conversation/index.ts'

/** A client's wire format. `Options` is what its request says about the form of the answer. */
export interface Protocol<Options = unknown> {
  name: string
  /** Prefixes of the ids that this protocol's clients expect. */
  ids: { reply: string; call: string }
  /**
   * Reads a request's body, already parsed as JSON.
   * Lenient in what it accepts: what it does not know becomes a notice. Throws an AnycallError `invalid-request`.
   */
  decode(body: unknown): DecodedRequest<Options>
  /** The whole reply as the body of one JSON response. */
  encodeReply(reply: Reply, context: ReplyContext<Options>): JsonValue
  /** An encoder for one streamed reply. */
  createEncoder(context: ReplyContext<Options>): StreamEncoder
  encodeError(error: AnycallError, requestId: string): { status: number; body: JsonValue }
}

export interface DecodedRequest<Options = unknown> {
  conversation: Conversation
  stream: boolean
  options: Options
  /** What was degraded or ignored. */
  notices: Notice[]
}

export interface ReplyContext<Options = unknown> {
  id: string
  /** The model as the client named it. */
  model: string
  requestId: string
  /** Seconds since 1970. */
  created: number
  /** The prompt's tokens by estimate, for where the upstream has not said; made when asked for. */
  estimateInputTokens(): number
  options: Options
}

/** Turns reply events into server-sent events; every method gives text to send, which may be empty. */
export interface StreamEncoder {
  /** What goes out before any event. */
  start(): string
  encode(events: readonly ReplyEvent[]): string
  /** What keeps an idle connection open. */
  ping(): string
  /** The error, in the protocol's own form, as the last thing of the stream. */
  fail(error: AnycallError): string
}
