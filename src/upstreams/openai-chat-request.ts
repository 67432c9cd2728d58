import type { JsonObject, Sampling } from '../conversation/index.ts'
import { encodeContent } from './openai-chat-content.ts'
import type { ChatManners } from './openai-chat-manners.ts'
import type { ReasoningField } from './openai-chat-refusals.ts'
import { encodeConversation } from './openai-chat-tools.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from './upstream.ts'

export type MaxTokensField = 'max_tokens' | 'max_completion_tokens'

const samplingFields: readonly [keyof Sampling, string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['seed', 'seed'],
]

/** The body of `POST /chat/completions`: streamed, with usage at its end. Holds only what the request says and the model takes. */
export function encodeChatRequest(
  request: MessagesRequest | ToolsRequest,
  maxTokensField: MaxTokensField,
  { refused, reasoningField, mostTokens }: ChatManners,
): JsonObject {
  const thoughts = refused.has(reasoningField) ? undefined : reasoningField
  const body: JsonObject = {
    model: request.model,
    ...(request.type === 'messages'
      ? { messages: request.messages.map((message) => encodeMessage(message, thoughts)) }
      : encodeConversation(request.conversation, thoughts)),
    stream: true,
  }
  if (!refused.has('stream_options')) body.stream_options = { include_usage: true }
  if (request.maxTokens !== undefined) body[maxTokensField] = Math.min(request.maxTokens, mostTokens)
  Object.assign(body, encodeSampling(request.sampling))
  if (request.reasoning?.effort !== undefined) body.reasoning_effort = request.reasoning.effort
  return body
}

/** Sampling in OpenAI's names, which most engines took over; what is not said is left out. */
export function encodeSampling(sampling: Sampling): JsonObject {
  const fields: JsonObject = {}
  for (const [key, field] of samplingFields) {
    const value = sampling[key]
    if (value !== undefined) fields[field] = value
  }
  return fields
}

function encodeMessage({ role, parts, reasoning }: ChatMessage, thoughts: ReasoningField | undefined): JsonObject {
  const message: JsonObject = { role, content: encodeContent(parts) }
  if (reasoning !== undefined && thoughts !== undefined) message[thoughts] = reasoning
  return message
}
