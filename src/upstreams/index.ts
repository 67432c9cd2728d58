export { createAnthropicUpstream } from './anthropic/anthropic.ts'
export { type EncodedMessages, encodeTurns, type MessageParam } from './anthropic/messages.ts'
export { encodeTools, type ToolsParam } from './anthropic/tools.ts'
export { Attempts, AttemptsSpent } from './attempts.ts'
export { createLlamaServerUpstream } from './completions/llama-server.ts'
export { createSglangUpstream } from './completions/sglang.ts'
export { createVllmUpstream } from './completions/vllm.ts'
export { createGgufUpstream, type GgufOptions } from './gguf/gguf.ts'
export { openLocalFile } from './gguf/local-file.ts'
export { maxAnswerBytes, parseAnswer, readText } from './http/answer.ts'
export type { HttpApiOptions } from './http/api.ts'
export { refuses, UpstreamError } from './http/upstream-error.ts'
export { whileWanted } from './http/while-wanted.ts'
export type { GenerationEvent, Observation, PlanFacts, ReadingFacts } from './observation.ts'
export { createOciGenerativeAiUpstream, type OciGenerativeAiOptions } from './oci/oci-generative-ai.ts'
export type { FileOpener } from './ollama/models.ts'
export { createOllamaUpstream } from './ollama/ollama.ts'
export { createOpenAIChatUpstream } from './openai-chat/openai-chat.ts'
export {
  type ChatAssistantParam,
  type ChatConversation,
  type ChatMessageParam,
  encodeConversation,
} from './openai-chat/tools.ts'
export { createOpenAIResponsesUpstream } from './openai-responses/openai-responses.ts'
export { LearnedLimits } from './refusals/learned-limits.ts'
export { createScriptedUpstream, type ScriptedReply } from './scripted/scripted.ts'
export { builtinModule, neededModule } from './transport/builtin-module.ts'
export { createDefaultTransport } from './transport/default-transport.ts'
export { importOptionalPackage } from './transport/optional-package.ts'
export {
  type ClosableTransport,
  createFetchTransport,
  type HttpRequest,
  type HttpResponse,
  type HttpTimeouts,
  type HttpTransport,
} from './transport/transport.ts'
export {
  type Abilities,
  type CallPiece,
  type ChatMessage,
  type Constraint,
  type Forwarded,
  type ForwardedEndpoint,
  type Forwarding,
  type GenerationContext,
  type GenerationRequest,
  type Log,
  type MessagesRequest,
  type ModelsQuery,
  messagesOf,
  type PromptRequest,
  type PromptSource,
  type ToolsRequest,
  type TraceHeaders,
  type Upstream,
  type UpstreamEvent,
  type UpstreamModel,
} from './upstream.ts'
