import type { ImagePart, JsonObject, JsonValue, Sampling, TextPart } from '../conversation/index.ts'
import type { ChatMessage, GenerationRequest } from './upstream.ts'

export type MaxTokensField = 'max_tokens' | 'max_completion_tokens'

const samplingFields: readonly [keyof Sampling, string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['seed', 'seed'],
]

/** The body of `POST /chat/completions`: streamed, with usage at its end. Holds only what the request says. */
export function encodeChatRequest(request: GenerationRequest, maxTokensField: MaxTokensField): JsonObject {
  const body: JsonObject = {
    model: request.model,
    messages: request.messages.map(encodeMessage),
    stream: true,
    stream_options: { include_usage: true },
  }
  if (request.maxTokens !== undefined) body[maxTokensField] = request.maxTokens
  for (const [key, field] of samplingFields) {
    const value = request.sampling[key]
    if (value !== undefined) body[field] = value
  }
  if (request.reasoning?.effort !== undefined) body.reasoning_effort = request.reasoning.effort
  return body
}

function encodeMessage({ role, parts, reasoning }: ChatMessage): JsonObject {
  const message: JsonObject = { role, content: encodeContent(parts) }
  if (reasoning !== undefined) message.reasoning_content = reasoning
  return message
}

/** Text alone goes as a string: many chat templates take nothing else. */
function encodeContent(parts: (TextPart | ImagePart)[]): JsonValue {
  let text = ''
  for (const part of parts) {
    if (part.type === 'image') return parts.map(encodePart)
    text += part.text
  }
  return text
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const image: JsonObject = { url: part.url }
  if (part.detail !== undefined) image.detail = part.detail
  return { type: 'image_url', image_url: image }
}
