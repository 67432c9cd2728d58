import { isJsonObject, type JsonObject, type JsonValue, type Sampling } from '../conversation/index.ts'
import { encodeContent } from './openai-chat-content.ts'
import type { ChatManners } from './openai-chat-manners.ts'
import {
  commonEfforts,
  isBehindResult,
  type MaxTokensField,
  maxTokensFields,
  type ReasoningField,
} from './openai-chat-refusals.ts'
import { encodeConversation } from './openai-chat-tools.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from './upstream.ts'

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
    stream_options: { include_usage: true },
  }
  const bound = [maxTokensField, ...maxTokensFields].find((field) => !refused.has(field))
  if (request.maxTokens !== undefined && bound !== undefined) body[bound] = Math.min(request.maxTokens, mostTokens)
  Object.assign(body, encodeSampling(request.sampling))
  const effort = request.reasoning?.effort
  if (effort !== undefined) {
    body.reasoning_effort = (refused.has('rare-effort') ? commonEfforts.get(effort) : undefined) ?? effort
  }
  if (refused.has('user-behind-result') && Array.isArray(body.messages)) body.messages = saidInResults(body.messages)
  for (const field of refused) delete body[field]
  return body
}

/** What a user says right behind a result, as agents' reminders stand there, as a part of that: nothing else may come between it and the model. */
function saidInResults(messages: readonly JsonValue[]): JsonValue[] {
  return messages.flatMap((message, at): JsonValue[] => {
    if (isBehindResult(messages, at) && typeof contentOf(message) === 'string') return []
    const [content, next] = [contentOf(message), contentOf(messages[at + 1])]
    const isFollowed = isBehindResult(messages, at + 1) && typeof content === 'string' && typeof next === 'string'
    return [isFollowed && isJsonObject(message) ? { ...message, content: `${content}\n\n${next}` } : message]
  })
}

function contentOf(message: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(message) ? message.content : undefined
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
  const message: JsonObject = { role, content: encodeContent(parts, role) }
  if (reasoning !== undefined && thoughts !== undefined) message[thoughts] = reasoning
  return message
}
