export type { ToolCallsOptions } from './options.ts'
export { toolCalls } from './tool-calls.ts'
