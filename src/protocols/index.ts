export { settledParts } from './begun-calls.ts'
export type { DecodedRequest, Protocol, ReplyContext, StreamEncoder } from './protocol.ts'
export { sseHeaders } from './sse.ts'
