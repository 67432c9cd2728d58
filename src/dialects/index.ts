export { type CheckExample, type CheckOptions, checkDialect, type Finding, type Law } from './check/index.ts'
export { createReader } from './create-reader.ts'
export {
  type CallForm,
  type DefinitionProblem,
  type DefinitionProblemCode,
  type DialectDefinition,
  DialectError,
  defineDialect,
  type ReasoningMarkers,
} from './define/index.ts'
export {
  createDialectReader,
  type DialectReadOptions,
  type ReadOptions,
  type ToolCallReader,
} from './dialect-reader.ts'
export type {
  AcceptOptions,
  CallPolicy,
  Delivery,
  Dialect,
  PromptContext,
  Reader,
  ReaderOptions,
  ReasoningStart,
  SpanRole,
} from './format/dialect.ts'
export type { Block, FormatData } from './format/format.ts'
export { type ReasoningForm, reasoningForms, thinkTags } from './format/reasoning-forms.ts'
export type { ReadReport } from './format/report.ts'
export { argumentsUpTo, bareListOf } from './formats/functions/pythonic.ts'
export { bareCalls } from './formats/json/bare-json.ts'
export { hermes } from './formats/json/in-tags.ts'
export { blank, calls, fenced, objectStart, oneCall, turnEnd } from './formats/parts/json-parts.ts'
export { universal } from './formats/universal.ts'
export { type GrammarOptions, toGbnf, toLark, toStructuralTag } from './grammar/index.ts'
export { Marks } from './marks/marks.ts'
export { type ParsedCall, type ParsedReply, type ParseOptions, parseToolCalls } from './parse-tool-calls.ts'
export { describeFormat, tagsOfPrompt } from './prompt/describe-format.ts'
export { formatDialect, resultTag } from './prompt/format-dialect.ts'
export { writeInFormat } from './prompt/format-writer.ts'
export { withFoundTools } from './prompt/found-tools.ts'
export { choiceRules, demandsCall, missingCallNotice, missingCallRequest } from './prompt/instructions.ts'
export { KnownDescriptions } from './prompt/known-descriptions.ts'
export { renderTurn } from './prompt/render.ts'
export {
  describeResponseFormat,
  formatRequest,
  type ReplyPolicy,
  schemaOfFormat,
  withFormatInstructions,
} from './prompt/response-format.ts'
export {
  type ConversationBeginning,
  createTrigger,
  type Signer,
  type TriggerSource,
  triggerSource,
  webSigner,
} from './prompt/trigger.ts'
export { readableBlockOf } from './read/format/readable-block.ts'
export { createFormatReader } from './read/format-reader.ts'
export { CallGate } from './read/names/call-gate.ts'
export { ReadingPreparation } from './read/reading-preparation.ts'
export { dialectNames, dialectOf, dialects, getDialect } from './registry.ts'
export {
  type ReplySnapshot,
  type SnapshotCall,
  SnapshotCollector,
  type SnapshotPart,
} from './reply-snapshots.ts'
export { formatFaults, JsonAnswer } from './response/json-answer.ts'
export { warmUp } from './warm-up.ts'
export { type DescribeOptions, describeTools, type WriteOptions, writePrompt } from './write-prompt.ts'
