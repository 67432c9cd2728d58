import type { JsonObject, Sampling } from '../../conversation/index.ts'
import type { ToolNames } from '../tool-names.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from '../upstream.ts'
import { encodeContent } from './content.ts'
import type { ChatManners } from './manners.ts'
import { mend } from './mended.ts'
import { commonEfforts, type MaxTokensField, maxTokensFields, type ReasoningField } from './refusals.ts'
import { encodeConversation } from './tools.ts'

const samplingFields: readonly [keyof Sampling, string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['seed', 'seed'],
]

/** What is known of a server before it is asked. */
export interface ChatFields {
  maxTokensField: MaxTokensField
  /** The server renders the model's chat template, and takes variables for it. */
  takesTemplateVariables: boolean
}

/** What templates call the switch: most of them (Qwen, GLM, Nemotron, Gemma); DeepSeek, Kimi, Granite. A template ignores what it does not know. */
const thinkingOff = { enable_thinking: false, thinking: false }

/**
 * The body of `POST /chat/completions`: streamed, with usage at its end. Holds only what the request says and the model takes. `names`:
 * the tools' names as they are to be sent, where they are others.
 */
export function encodeChatRequest(
  request: MessagesRequest | ToolsRequest,
  { maxTokensField, takesTemplateVariables }: ChatFields,
  { refused, reasoningField, mostTokens }: ChatManners,
  names?: ToolNames,
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
  const mayThink = request.reasoning?.enabled !== false
  const effort = mayThink ? request.reasoning?.effort : 'none'
  if (effort !== undefined && !(effort === 'none' && refused.has('no-effort'))) {
    body.reasoning_effort = (refused.has('rare-effort') ? commonEfforts.get(effort) : undefined) ?? effort
  }
  if (!mayThink && takesTemplateVariables) body.chat_template_kwargs = thinkingOff
  for (const field of refused) delete body[field]
  if (refused.has('effort-with-tools') && body.tools !== undefined) body.reasoning_effort = 'none'
  mend(body, { refused, mayThink, names })
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
  const message: JsonObject = { role, content: encodeContent(parts, role) }
  if (reasoning !== undefined && thoughts !== undefined) message[thoughts] = reasoning
  return message
}
