export type * from './conversation/index.ts'
export { AnycallError, collectReply, ReplyCollector } from './conversation/index.ts'
export {
  type CallPolicy,
  type Dialect,
  dialectNamed,
  dialects,
  type Reader,
  type ReaderOptions,
  type SpanRole,
  type Voice,
} from './dialects/index.ts'
