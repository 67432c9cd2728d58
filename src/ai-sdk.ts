export { type ToolCallsMiddleware, type ToolCallsOptions, toolCalls } from './ai-sdk/index.ts'
