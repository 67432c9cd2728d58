import type { Conversation, Notice, Reply, ReplyCall, ReplyEvent } from '../../conversation/index.ts'
import type { GenerationEvent } from '../../upstreams/index.ts'

/** A request that has come to the gateway. */
export interface ExchangeStart {
  /** The request id. */
  id: string
  /** The time, in milliseconds since 1970. */
  at: number
  method: string
  path: string
  /** The name of the client's key, if it has one. */
  keyName?: string
  /** The client's key, if the gateway has keys or passes them through. Records mask it. */
  key?: string
  /** True for a recorded request that is sent again. */
  isReplay: boolean
  /** A header's value by its lower-case name. It may be a key. */
  header(name: string): string | undefined
}

/** An event of an exchange, in the order in which it happens. Objects in it are the gateway's own: they must not be changed. */
export type ExchangeEvent =
  | GenerationEvent
  /** A part of the request's body as text, decompressed. */
  | { type: 'received'; text: string }
  | { type: 'decoded'; protocol: string; stream: boolean; conversation: Conversation }
  | { type: 'notice'; notice: Notice }
  | { type: 'reply'; events: readonly ReplyEvent[] }
  /** A piece of the response's body. */
  | { type: 'sent'; text: string }
  /** The last event. An exchange may end without an answer to its client: the status is then that of the stream, or 499. */
  | { type: 'end'; status: number; error?: { code: string; message: string } }

export type ExchangeListener = (event: ExchangeEvent) => void

/**
 * Functions of a program that follow what the gateway does. They run while a request is served, so they should be
 * quick; what they throw is logged (`hook-failed`) and changes nothing.
 */
export interface GatewayHooks {
  /** Called for each request that is to be answered by a model; the returned listener receives its events. */
  onExchange?(exchange: ExchangeStart): ExchangeListener | undefined
  /** Called with each reply once it has ended, also with one that broke off. */
  onReply?(reply: { exchange: string; model: string; reply: Reply }): void
  /** Called with each call once it has ended. */
  onCall?(call: { exchange: string; model: string; call: ReplyCall }): void
  /** Called with each notice: of the request, of the reading, of an upstream. */
  onNotice?(notice: { exchange: string; notice: Notice }): void
}
