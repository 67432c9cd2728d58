import type { TriggerSource } from '../../dialects/index.ts'
import type { Seals } from '../../protocols/index.ts'
import type { Recorder } from '../../records/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import type { Log, TraceHeaders, Upstream } from '../../upstreams/index.ts'
import type { GatewayConfig } from '../config/config.ts'
import type { BodyHold } from '../http/body/held-bytes.ts'
import type { GatewayRequest, GatewayResponse } from '../http/http.ts'
import type { KnownTools } from '../http/known-tools.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { Metrics } from '../metrics/index.ts'
import type { KnownReplies } from '../replies/index.ts'
import type { Models } from '../serve/models.ts'
import type { Knowledge } from '../serve/serve.ts'
import type { ResponseStore } from '../stored/response-store.ts'

/** Everything that a route needs to handle a request. */
export interface RouteContext {
  config: GatewayConfig
  log: Log
  /** The models that the client can use. */
  models: Models
  knowledge: Knowledge
  /** The templates of the rules, by the names that those have for them. */
  templates: ReadonlyMap<string, ChatTemplate>
  triggerOf: TriggerSource
  knownTools: KnownTools
  /** All upstreams, by name. */
  upstreams: ReadonlyMap<string, Upstream>
  /** Keeps records; absent if none are kept. */
  recorder?: Recorder
  /** Counts exchanges; absent if nothing is measured. */
  metrics?: Metrics
  /** Writes the metrics of all processes, in place of those of this one. */
  metricsText?: () => Promise<string>
  /** True once the gateway is to be stopped. */
  isDraining(): boolean
  /** Reads a file of the inspector's page; absent on runtimes without files. */
  readPage?: (name: string) => Promise<string | undefined>
  /** Answers a request as if a client had sent it. */
  replay(request: GatewayRequest): Promise<GatewayResponse>
  /** Seal the reasoning that clients keep. */
  seals: Seals
  kept: ResponseStore
  /** The replies that models wrote. */
  replies: KnownReplies
  request: GatewayRequest
  requestLog: RequestLog
  /** Counts the bytes of the body. */
  hold: BodyHold
  /** Aborts when the client is gone or the time is over. */
  signal: AbortSignal
  /** Absent if the client sent no trace headers and nothing is traced. */
  traceHeaders?: TraceHeaders
  /** The client's key, if it is passed through to the upstream. */
  clientKey?: string
}

export interface Route {
  /** A route for GET answers HEAD too. */
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  /** Limits the route to some requests. For all others, the route does not exist. */
  matches?(request: GatewayRequest): boolean
  /** True if no key is needed. */
  isOpen?: boolean
  /** True if a model answers: hooks and records follow such requests. */
  isExchange?: boolean
  /** True if requests count for the limits of keys, although they are no exchanges. */
  isCounted?: boolean
  /** True for requests that programs make all the time: their success is logged at level `debug`. */
  isQuiet?: boolean
  handle(context: RouteContext): Promise<GatewayResponse>
}
