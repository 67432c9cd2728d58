export type { TemplateAnalysis } from './analysis/analysis.ts'
export { analyzeTemplate, prepareAnalysis } from './analysis/analyze.ts'
export { conversationOf, userTurn } from './analysis/probes/probe-renderer.ts'
export { readable } from './analysis/probes/readable.ts'
export type { PromptOptions, TemplatePrompt } from './dialect/prompt.ts'
export type { ConstraintRequest } from './dialect/reply-layout.ts'
export {
  type TemplateConstraint,
  type TemplateDialect,
  type TemplateReading,
  templateDialect,
} from './dialect/template-dialect.ts'
export type { TemplateReaderOptions } from './dialect/template-reader.ts'
export type { FaultReason } from './jinja/parse/error.ts'
export { type BudgetLimits, defaultLimits } from './jinja/python/values/budget.ts'
export type { CallWriting } from './render/assistant-messages.ts'
export { detectCapabilities, type TemplateCapabilities } from './render/capabilities.ts'
export { type RawVariables, type Rendered, type RenderOptions, safeRenderTemplate } from './render/render.ts'
export { RenderError } from './render/render-error.ts'
export {
  parseResponseTemplate,
  type ResponseFormat,
  type ResponseFormatResult,
} from './response-template/response-template.ts'
export type { ChatTemplate, Loaded, LoadOptions } from './source/chat-template.ts'
export { type ReadBytes, safeLoadGgufTemplate } from './source/gguf.ts'
export { safeLoadTemplate } from './source/load.ts'
export { LoadError } from './source/load-error.ts'
export { loadGgufTemplate, loadTemplate, renderTemplate } from './unwrap.ts'
