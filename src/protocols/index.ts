export { settledParts } from './begun-calls.ts'
export type { DecodedRequest, Protocol, ReplyContext, StreamEncoder, SynchronousProtocol } from './protocol.ts'
export { createSeals, type Seals } from './seals.ts'
export { sseHeaders } from './sse.ts'
