export type * from './conversation/index.ts'
export { AnycallError, collectReply, offeredTools, ReplyCollector } from './conversation/index.ts'
export {
  type CallPolicy,
  createReader,
  type Delivery,
  type Dialect,
  dialectNamed,
  dialectNames,
  dialects,
  type ParsedCall,
  type ParsedReply,
  type ParseOptions,
  parseToolCalls,
  type Reader,
  type ReaderOptions,
  type ReadOptions,
  type ReadReport,
  type SpanRole,
  type ToolCallReader,
  type Voice,
} from './dialects/index.ts'
