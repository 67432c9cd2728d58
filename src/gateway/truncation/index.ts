export { ContextLengths } from './context-lengths.ts'
export { type TruncationOptions, withTruncation } from './with-truncation.ts'
