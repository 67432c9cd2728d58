export type * from './api/types.ts'
export {
  type AttemptRecord,
  type ErrorRecord,
  type ExchangeRecord,
  recordVersion,
  type SessionPlace,
  type Span,
  type TimedEvent,
  type TimedNotice,
  type TimedText,
  type Timings,
  type UpstreamRequest,
} from './record/exchange.ts'
export { hasFailed } from './record/outcome.ts'
export { type ExchangeState, type ExchangeSummary, summaryOf } from './record/summary.ts'
export type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './watch/hooks.ts'
export { type ListenerSource, listenersOf } from './watch/listen.ts'
