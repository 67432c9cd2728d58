export { conformanceCase } from './api/conformance-case.ts'
export { type GatewayFacts, healthOf } from './api/health.ts'
export { missedCalls } from './api/missed-calls.ts'
export { listExchanges, listSessions, matches, rowsOf, sessionTree } from './api/query.ts'
export { readAgain, replayReading } from './api/read.ts'
export { reasonsOf } from './api/reasons.ts'
export { isSameReply, type ReplyContent, replyContentOf } from './api/same-reply.ts'
export { analyse } from './api/template.ts'
export type * from './api/types.ts'
export { viewOf } from './api/view.ts'
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
export { parseRecord } from './record/parse.ts'
export { type ExchangeState, type ExchangeSummary, summaryOf } from './record/summary.ts'
export { piecesOf } from './record/timed-text.ts'
export { Masker, shortestSecret } from './redact/masker.ts'
export { type Redaction, redacted } from './redact/redact.ts'
export { MemoryStore } from './store/memory.ts'
export { pack, unpack } from './store/pack.ts'
export { openSqliteStore } from './store/sqlite.ts'
export type { PackedExchange, RecordStore, StoreLimits } from './store/store.ts'
export { Draft } from './watch/draft.ts'
export type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './watch/hooks.ts'
export { joined, type Observer, type ObserverSource, type OwnHooks, observersOf } from './watch/listen.ts'
export { type Keep, Recorder, type RecorderOptions } from './watch/recorder.ts'
export { BatchWriter } from './write/batch-writer.ts'
export type { ThreadSettings } from './write/messages.ts'
export { paceOf } from './write/pace.ts'
export { Packer } from './write/packer.ts'
export { chainOf } from './write/session-chain.ts'
export { ThreadWriter, type ThreadWriterOptions } from './write/thread-writer.ts'
export type { RecordWriter, WriterEvents } from './write/writer.ts'
