// `anycall/ai-sdk`: a middleware for Vercel's AI SDK 6 and 7.
export {
  type ResultMedia,
  type ToolCallMetadata,
  type ToolCallMiddleware,
  type ToolCallMiddlewareOptions,
  type ToolsMode,
  toolCallMetadata,
  toolCallMiddleware,
} from './ai-sdk/index.ts'
export type { Notice } from './conversation/index.ts'
export type { AcceptOptions, Dialect, ReasoningStart } from './dialects/index.ts'
