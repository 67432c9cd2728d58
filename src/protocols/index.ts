export { settledParts } from './begun-calls.ts'
export { foundToolsText } from './found-tools.ts'
export type {
  DecodedRequest,
  EncodedReply,
  Protocol,
  ReplyContext,
  StreamEncoder,
  SynchronousProtocol,
} from './protocol.ts'
export { withSealedReasoning } from './sealed-reasoning.ts'
export { createSeals, type Seals } from './seals.ts'
export { sseHeaders, withoutLineBreaks } from './sse.ts'
