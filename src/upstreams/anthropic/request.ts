import { type Conversation, isJsonObject, type JsonObject, type ReasoningWish } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import type { MessagesPart } from '../refusals/refusals.ts'
import type { MessagesRequest, ToolsRequest } from '../upstream.ts'
import { withBreakpoints } from './cache.ts'
import { type EncodedMessages, encodeChat, encodeTurns, keepsReasoning } from './messages.ts'
import { highEfforts, lacksReasoning } from './parts.ts'
import { encodeTools } from './tools.ts'

/** The least that the API takes as a budget of thinking. */
const leastBudget = 1024
/** Tokens of thinking for an effort, if the API accepts no effort. */
const budgets: Readonly<Record<string, number>> = {
  minimal: leastBudget,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 31_999,
}
const defaultBudget = 8192
/** Efforts of others, in the API's words. */
const efforts: Readonly<Record<string, string>> = { minimal: 'low' }

export interface MessagesLimits {
  /** The maximum of output tokens, which the API requires. */
  maxTokens: number
  /** True if the server is to keep the prompt for the next request. */
  promptCaching: boolean
  /** The parts that the server has refused for this model. */
  refused: ReadonlySet<MessagesPart>
}

/** The body of `POST /v1/messages`, streamed. Contains only fields that the request sets and the server accepts. */
export function encodeMessagesRequest(
  request: MessagesRequest | ToolsRequest,
  { maxTokens, promptCaching, refused }: MessagesLimits,
): JsonObject {
  const { system, messages } = encodeMessages(request, refused)
  const body: JsonObject = { model: request.model, max_tokens: maxTokens, messages, stream: true }
  if (system.trim() !== '') body.system = system
  if (request.type === 'tools') Object.assign(body, encodeTools(request.conversation, refused))
  Object.assign(body, encodeThinking(request.reasoning, body, refused))

  const thinks = isJsonObject(body.thinking) && body.thinking.type !== 'disabled'
  const effort = effortFor(request.reasoning, thinks, refused)
  const format = request.type === 'tools' ? sentFormat(request.conversation, refused) : undefined
  if (effort !== undefined || format) {
    body.output_config = { ...(effort !== undefined && { effort }), ...(format && { format }) }
  }
  const { temperature, topP, topK } = request.sampling
  // The API's scale ends at 1, OpenAI's at 2. A model that thinks takes no other sampling than its own.
  if (temperature !== undefined && !thinks && !refused.has('temperature')) body.temperature = Math.min(temperature, 1)
  if (topP !== undefined && !thinks && !refused.has('top_p')) body.top_p = topP
  if (topK !== undefined && !thinks && !refused.has('top_k')) body.top_k = topK
  return promptCaching && !refused.has('cache_control') ? withBreakpoints(body) : body
}

function encodeMessages(request: MessagesRequest | ToolsRequest, refused: ReadonlySet<MessagesPart>): EncodedMessages {
  if (request.type === 'messages') return encodeChat(request.messages)
  const mayThink = request.reasoning?.enabled !== false && !refused.has('thinking-on')
  const withReasoning = mayThink && refused.has('missing-reasoning') && keepsReasoning(request.conversation)
  const { conversation } = request
  const shown = sentFormat(conversation, refused) ? conversation : withFormatInstructions(conversation)
  return encodeTurns(shown, { withReasoning })
}

/**
 * The format in the API's own form, which supports only schemas. Undefined if there is none, or if the prompt must
 * describe it.
 */
function sentFormat({ responseFormat }: Conversation, refused: ReadonlySet<MessagesPart>): JsonObject | undefined {
  if (responseFormat?.type !== 'json-schema' || refused.has('format')) return undefined
  return { type: 'json_schema', schema: responseFormat.schema }
}

/** Returns the thinking settings: with a budget for older models, adaptive for newer ones. */
function encodeThinking(
  wish: ReasoningWish | undefined,
  body: JsonObject,
  refused: ReadonlySet<MessagesPart>,
): JsonObject {
  // Without the field, a model that thinks by default (DeepSeek) would think, and want reasoning that the client has lost.
  const isLost = refused.has('missing-reasoning') && Array.isArray(body.messages) && body.messages.some(lacksReasoning)
  if (isLost && !refused.has('thinking-disabled')) return { thinking: { type: 'disabled' } }
  if (wish === undefined || refused.has('thinking')) return {}
  if (!wish.enabled) return refused.has('thinking-disabled') ? {} : { thinking: { type: 'disabled' } }
  // The API refuses thinking together with a forced call.
  if (isForced(body.tool_choice)) return {}
  if (refused.has('thinking-budget')) {
    // Claude Opus 4.7 and later hide their thinking unless asked to show it.
    const display = refused.has('thinking-display') ? {} : { display: 'summarized' }
    return { thinking: { type: 'adaptive', ...display } }
  }
  // A turn that continues after results must begin with its signed thinking, which is not kept.
  if (refused.has('thinking-after-results') && endsInResults(body.messages)) return {}
  const wished = wish.budgetTokens ?? budgets[wish.effort ?? ''] ?? defaultBudget
  const most = typeof body.max_tokens === 'number' ? body.max_tokens - 1 : wished
  const budget = Math.min(Math.max(wished, leastBudget), most)
  return budget < leastBudget ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

/** An effort concerns all output of a model, so it is sent whether the model thinks or not. */
function effortFor(
  wish: ReasoningWish | undefined,
  thinks: boolean,
  refused: ReadonlySet<MessagesPart>,
): string | undefined {
  if (wish?.effort === undefined || wish.effort === 'none' || refused.has('effort')) return undefined
  const effort = efforts[wish.effort] ?? wish.effort
  return !thinks && refused.has('effort-without-thinking') && highEfforts.has(effort) ? 'high' : effort
}

function isForced(choice: unknown): boolean {
  return isJsonObject(choice) && (choice.type === 'any' || choice.type === 'tool')
}

/** Returns true if the last message contains results of calls. */
function endsInResults(messages: unknown): boolean {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  if (!isJsonObject(last) || !Array.isArray(last.content)) return false
  return last.content.some((block) => isJsonObject(block) && block.type === 'tool_result')
}
