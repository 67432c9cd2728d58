// The JSON of the read API, below `/inspector/api/`. A page imports these types alone.
import type { Notice, ReplyPart } from '../../conversation/index.ts'
import type { ExchangeRecord, Span, UpstreamRequest } from '../record/exchange.ts'
import type { KeptFacts, LiveEvent } from '../record/live.ts'
import type { ExchangeState, ExchangeSummary } from '../record/summary.ts'

/**
 * The query of `GET exchanges`: each filter as a parameter; one that is given several times matches any of its values.
 * `text` is searched in questions, replies and errors. Newest first.
 */
export interface ExchangeFilter {
  state?: ExchangeState[]
  status?: number[]
  model?: string[]
  upstream?: string[]
  plan?: string[]
  dialect?: string[]
  notice?: string[]
  tool?: string[]
  session?: string
  text?: string
  /** Exchanges before this one, by its id. */
  before?: string
  /** The largest number of rows: 100 by default, 1000 at most. */
  limit?: number
}

/** `GET exchanges`. */
export interface ExchangeList {
  exchanges: ExchangeSummary[]
  /** The value of `before` for the next page; absent on the last one. */
  next?: string
  /** The values that the filters can have among all kept exchanges. */
  values: FilterValues
  kept: KeptFacts
}

/** The values of each filter, with the number of exchanges. */
export type FilterValues = Record<
  'state' | 'status' | 'model' | 'upstream' | 'plan' | 'dialect' | 'notice' | 'tool',
  Record<string, number>
>

/** `GET sessions`: newest first. */
export interface SessionList {
  sessions: SessionSummary[]
}

export interface SessionSummary {
  id: string
  at: string
  /** The time of its last exchange. */
  last: string
  steps: number
  failed: number
  odd: number
  model?: string
  asks: string
}

/** `GET sessions/ID`: the exchanges of a session in the order in which they came. `session.parent` makes them a tree. */
export interface SessionTree {
  id: string
  exchanges: ExchangeSummary[]
}

/** `GET exchanges/ID`. */
export interface ExchangeView {
  record: ExchangeRecord
  summary: ExchangeSummary
  /** The reason of a failure or of an odd reply, the gravest first. */
  reasons: Reason[]
  prompts: PromptView[]
  /** The exchange as a command and as a program. */
  copies: { curl: string; program: string; test: string }
}

/** A reason for which an exchange failed, or is odd. */
export interface Reason {
  level: 'error' | 'warning' | 'info'
  /** The code of the error or the notice. */
  code: string
  message: string
  /** The text at which it happened. */
  attempt?: number
  span?: [number, number]
}

/** A record in a file of `anycall records html`, with the reasons that need a reader. */
export interface ExportedRecord {
  record: ExchangeRecord
  missed: Reason[]
}

/** The prompt of one attempt, in parts. */
export interface PromptView {
  attempt: number
  request: number
  parts: PromptPart[]
  /** The number of characters at the beginning that equal the previous prompt of the session. */
  sharedLength: number
  /** The grammar or schema that held the reply, as it was sent. */
  constraint?: { type: string; text: string }
}

/** A part of a prompt, with an estimate of its tokens. */
export interface PromptPart {
  /** `system`, `tools`, `user`, `assistant`, `result`, `prompt`. */
  kind: string
  /** A name, if it has one: of the tool that gave a result. */
  label: string
  text: string
  tokens: number
  isNew: boolean
}

/** `POST read`: reads a text. */
export interface ReadRequest {
  text: string
  /** Tools in any form that a reader takes. */
  tools?: unknown[]
  /** A dialect's name; default: `universal`. */
  dialect?: string
  /** The size of the pieces in which the text is pushed; absent: whole. Or the places of the cuts. */
  split?: number | number[]
  trigger?: string
  delivery?: 'live' | 'whole'
  reasoning?: 'detect' | 'open'
  accept?: Record<string, unknown>
  /** True if the token limit cut the text. */
  isCut?: boolean
}

/** The answer of `POST read`. */
export interface ReadResult {
  dialect: string
  spans: Span[]
  /** For each piece the events that it gave, by the offset of its end. */
  events: { offset: number; events: ExchangeRecord['reply'][number]['event'][] }[]
  parts: ReplyPart[]
  notices: Notice[]
  finish: string
}

/** `POST exchanges/ID/replay`: `read` reads the recorded text again; `send` sends the request again. */
export type ReplayRequest =
  | ({ type: 'read'; attempt?: number } & Partial<Omit<ReadRequest, 'text'>>)
  | { type: 'send'; model?: string; upstream?: string; plan?: 'native' | 'prompted' | 'templated'; dialect?: string }

/** The answer of a replay: both readings; or the id of the new exchange, which is recorded like any other. */
export type ReplayResult =
  | { type: 'read'; before: ReadResult; after: ReadResult; isSame: boolean }
  | { type: 'send'; id: string; status: number }

/** `POST template`: analyses a chat template. */
export interface TemplateRequest {
  /** The template's text. */
  template: string
  bosToken?: string
  eosToken?: string
  tools?: unknown[]
  /** The conversation to render, in any form that `writePrompt` takes; default: one with a call and its result. */
  conversation?: unknown
}

export interface TemplateResult {
  capabilities: Record<string, unknown>
  /** The calls that it writes; absent if none were found. */
  calls?: unknown
  proof: { passed: number; failed: string[] }
  prompt?: string
  problem?: string
  grammar?: string
}

/** `GET health`. */
export interface HealthView {
  upstreams: UpstreamHealth[]
  models: ModelHealth[]
  /** Notices and errors by code, in buckets of time. */
  faults: FaultBucket[]
  tokens: { input: number; output: number; cached: number }
  /** Milliseconds to the first byte and to the end: counts below each bound of `latencyBounds`. */
  latency: { bounds: number[]; firstByte: number[]; total: number[] }
  kept: KeptFacts
}

export interface UpstreamHealth {
  name: string
  type: string
  isReady: boolean
  exchanges: number
  failed: number
}

/** The facts learned of a model at an upstream. */
export interface ModelHealth {
  upstream: string
  model: string
  plan: string
  why: string
  /** The features that it refused. */
  refused: string[]
}

export interface FaultBucket {
  /** The beginning of the time, as in `2026-01-31T12:00:00.000Z`. */
  at: string
  exchanges: number
  counts: Record<string, number>
}

export type { ExchangeRecord, ExchangeState, ExchangeSummary, KeptFacts, LiveEvent, Span, UpstreamRequest }
