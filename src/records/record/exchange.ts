import type { Conversation, FinishReason, Notice, ReplyEvent, Usage } from '../../conversation/index.ts'
import type { SpanRole } from '../../dialects/index.ts'

/** The version of the form of records. */
export const recordVersion = 1

/** The record of one exchange: what a client asked, what became of it, and what the client got. Plain JSON. */
export interface ExchangeRecord {
  version: typeof recordVersion
  /** The request id, which the client and the log have as well. */
  id: string
  /** The time at which the request came, as in `2026-01-31T12:00:00.000Z`. All other times are milliseconds after it. */
  at: string
  session: SessionPlace
  client: ClientRequest
  /** The request in neutral form; absent if it could not be read. */
  conversation?: Conversation
  /** The plan that served it, or that failed last. */
  plan?: PlanRecord
  /** In the order in which they were made: the last one is the reply's, unless none succeeded. */
  attempts: AttemptRecord[]
  /** The reply events, in order; neighbours that continue each other are one. */
  reply: TimedEvent[]
  /** All notices, those of the request's fields first. */
  notices: TimedNotice[]
  /** The response. */
  answer: Answer
  /** The lines of the log about this exchange. */
  log: LogLine[]
  timings: Timings
  usage?: Usage
  finish?: FinishReason
  /** The reason of its failure; a streamed reply may fail after a status of 200. */
  error?: ErrorRecord
  /** True if too many records waited when the exchange began: it has no spans, no reply events and no body of the answer. */
  isBrief?: true
  /** The parts that were left out because the record had grown too large, by name, in characters. */
  leftOut?: Record<string, number>
}

/** The place of an exchange in its session: the exchanges of one conversation. */
export interface SessionPlace {
  /** The id of the session's first exchange. */
  id: string
  /** The id of the exchange whose conversation this one continues. */
  parent?: string
  /** The number of exchanges between the first one and this one. */
  step: number
}

export interface ClientRequest {
  method: string
  path: string
  /** The name of the client's key, if it has one. */
  keyName?: string
  /** Headers that are no secrets: `user-agent`, `content-type`, and those of the APIs. */
  headers: Record<string, string>
  /** The protocol: `anthropic-messages`; absent if the request could not be read. */
  protocol?: string
  /** The model that the client named. */
  model?: string
  stream?: boolean
  /** The body as it came, decompressed. */
  body: string
}

/** The choice of upstream and plan, with its reason. */
export interface PlanRecord {
  upstream: string
  model: string
  plan: string
  why: string
  dialect?: string
}

/** One generation and its reading. */
export interface AttemptRecord {
  /** The reason for another attempt: the event of the log, `fail-over` or `call-sent-back`. Absent in the first one. */
  cause?: AttemptCause
  upstream: string
  model: string
  plan: string
  reading: ReadingRecord
  /** Times in milliseconds. `firstMs`: of the first piece. */
  startMs: number
  firstMs?: number
  endMs?: number
  requests: UpstreamRequest[]
  /** The model's text, in the pieces in which it came. */
  text: TimedText
  /** The spans of the text with their roles, in order and without gaps. */
  spans: Span[]
  /** Reasoning that the upstream sent apart from the text. */
  reasoning: TimedText
  /** Calls that the upstream made itself, by their index in its reply. */
  calls: SentCall[]
  usage?: Usage
  finish?: FinishReason
  error?: ErrorRecord
}

export interface AttemptCause {
  event: string
  /** In words, with the fault. */
  why: string
}

/** The settings of the reader. */
export interface ReadingRecord {
  dialect?: string
  trigger?: string
  delivery: 'live' | 'whole'
  accept?: Record<string, unknown>
  /** The part of the reply that the prompt has begun. */
  begun?: string
}

/** A request to an upstream. */
export interface UpstreamRequest {
  ms: number
  /** `messages`, `tools` or `prompt`. */
  type: string
  /** The address; absent for a model in this process. */
  url?: string
  /** The body as it was sent, or the request as JSON if nothing was sent by HTTP. */
  body: string
  /** The notation of the grammar or schema that held the reply. */
  constraint?: string
}

/** Text that came in pieces. */
export interface TimedText {
  text: string
  /** For each piece its time in milliseconds and its length: `[12, 5, 13, 40]` are two pieces. */
  pieces: number[]
}

/** A stretch of text: [start, end) in UTF-16 units. */
export interface Span {
  role: SpanRole
  start: number
  end: number
}

/** A call that an upstream made itself. */
export interface SentCall {
  index: number
  id?: string
  name?: string
  /** The arguments as JSON text. */
  arguments: TimedText
}

/** A reply event; text and arguments hold the pieces in which they grew. */
export interface TimedEvent {
  ms: number
  event: ReplyEvent
  /** For text, reasoning and arguments: as in TimedText. */
  pieces?: number[]
}

export interface TimedNotice extends Notice {
  ms: number
  /** The index of the attempt whose text contains `span`; absent for notices without a span. */
  attempt?: number
}

/** The response that the client got. */
export interface Answer {
  status: number
  /** The body in the pieces in which it was sent, pings left out. */
  body: TimedText
}

export interface LogLine {
  ms: number
  level: string
  event: string
  fields: Record<string, unknown>
}

export interface ErrorRecord {
  code: string
  message: string
}

/** The times of an exchange in milliseconds after its beginning; absent for what did not happen. */
export interface Timings {
  /** The request's body was there. */
  received?: number
  /** It was read as a conversation. */
  decoded?: number
  /** Upstream and plan were chosen. */
  planned?: number
  /** The request to the upstream was sent. */
  asked?: number
  /** The upstream's first piece. */
  firstPiece?: number
  /** The first event of the reply. */
  firstEvent?: number
  /** The first bytes to the client. */
  firstByte?: number
  /** The end. */
  end?: number
}
