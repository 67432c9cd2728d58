export type { ToolCallsMiddleware } from './middleware.ts'
export type { ToolCallsOptions } from './options.ts'
export { toolCalls } from './tool-calls.ts'
