import type { ReplyEvent } from '../conversation/index.ts'
import type { SpanRole } from '../dialects/index.ts'
import type { HttpBody } from './transport/transport.ts'
import type { GenerationRequest, UpstreamEvent } from './upstream.ts'

/** The choice of an upstream and a plan, and its reason in words. */
export interface PlanFacts {
  upstream: string
  /** The model as the upstream names it. */
  model: string
  plan: string
  why: string
}

/** The settings with which the text of an attempt is read. */
export interface ReadingFacts {
  /** The name of the dialect; absent if the upstream has native tool calls. */
  dialect?: string
  trigger?: string
  delivery: 'live' | 'whole'
  /** The uncertain calls that are accepted, as `accept` of a reader. */
  accept?: object
  /** The part of the reply that the prompt has begun. */
  begun?: string
}

/**
 * An event on the way from a conversation to its reply. An attempt is one generation with its reader: a conversation has
 * several if an upstream fails or refuses something, and if a reply is sent back to the model.
 */
export type GenerationEvent =
  /**
   * An upstream is about to be asked; another one if it fails. `configured`: the model as the configuration names it, or the pattern that
   * it fits.
   */
  | { type: 'candidate'; upstream: string; upstreamType: string; model: string; configured: string }
  | ({ type: 'plan' } & PlanFacts)
  | { type: 'attempt'; attempt: number; upstream: string; model: string; plan: string; reading: ReadingFacts }
  /** A request that is about to be sent; a continuation is another one of the same attempt. */
  | { type: 'asked'; attempt: number; request: GenerationRequest }
  /** The body that is sent by HTTP. Later ones leave out what the server refused, or repeat it. */
  | { type: 'body'; attempt: number; url: string; body: HttpBody }
  /** The upstream's events, as they are read. */
  | { type: 'pieces'; attempt: number; events: readonly UpstreamEvent[] }
  /** The same as reply events, without batches that are text alone: calls and repairs of the attempt, also of a reply that is sent back. */
  | { type: 'read'; attempt: number; events: readonly ReplyEvent[] }
  /** The role of a stretch of the attempt's text: [start, end) in UTF-16 units of all its pieces of text. */
  | { type: 'span'; attempt: number; role: SpanRole; start: number; end: number }
  | { type: 'attempt-end'; attempt: number; error?: { code: string; message: string } }
  /** A line of the log that belongs to the request. */
  | { type: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; event: string; fields: Record<string, unknown> }

/** Receives the events of one client request, and numbers its attempts. */
export interface Observation {
  emit(event: GenerationEvent): void
  /** True if it wants the events `span`. */
  wantsSpans: boolean
  /** The number of attempts so far. */
  attempts: number
}
