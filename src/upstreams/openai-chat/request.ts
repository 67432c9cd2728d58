import type { Conversation, JsonObject, ResponseFormat, Sampling } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import { encodeSettings, openaiSettingsOf } from '../openai-settings.ts'
import type { ChatPart } from '../refusals/refusals.ts'
import type { ToolNames } from '../tool-names.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from '../upstream.ts'
import { encodeContent } from './content.ts'
import { commonEfforts, functionsOf, type MaxTokensField, maxTokensFields, type ReasoningField } from './parts.ts'
import { repair } from './repair-messages.ts'
import { encodeConversation } from './tools.ts'

const samplingFields: readonly [keyof Sampling, string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['seed', 'seed'],
]

/** The fields of a server's API, known before it is asked. */
export interface ChatFields {
  maxTokensField: MaxTokensField
  /** The server renders the model's chat template, and takes variables for it. */
  takesTemplateVariables: boolean
  /** A format holds all of the reply to JSON, so that no call could be written: beside tools it is said in the prompt. */
  formatForbidsCalls: boolean
}

/** The request format that a model accepts, as learned from its refusals and replies. */
export interface ModelQuirks {
  refused: ReadonlySet<ChatPart>
  reasoningField: ReasoningField
  /** The most tokens of the reply; undefined: no bound is sent. */
  maxTokens?: number | undefined
  /** The tools' names as they are to be sent; undefined: as they are. */
  names?: ToolNames | undefined
}

/**
 * The switch under the names that templates use: most of them (Qwen, GLM, Nemotron, Gemma); DeepSeek, Kimi, Granite. A
 * template ignores unknown variables.
 */
const thinkingOff = { enable_thinking: false, thinking: false }

/**
 * The body of `POST /chat/completions`: streamed, with usage at its end. Contains only fields that the request sets and
 * the model accepts.
 */
export function encodeChatRequest(
  request: MessagesRequest | ToolsRequest,
  { maxTokensField, takesTemplateVariables, formatForbidsCalls }: ChatFields,
  { refused, reasoningField, maxTokens, names }: ModelQuirks,
): JsonObject {
  const thoughts = refused.has(reasoningField) ? undefined : reasoningField
  const body: JsonObject = {
    model: request.model,
    ...(request.type === 'messages'
      ? { messages: request.messages.map((message) => encodeMessage(message, thoughts)) }
      : encodeFormatted(
          request.conversation,
          thoughts,
          refused.has('response_format') ? 'never' : formatForbidsCalls ? 'without calls' : 'always',
        )),
    stream: true,
    stream_options: { include_usage: true },
  }
  const bound = [maxTokensField, ...maxTokensFields].find((field) => !refused.has(field))
  if (maxTokens !== undefined && bound !== undefined) body[bound] = maxTokens
  Object.assign(body, encodeSampling(request.sampling))
  const settings = openaiSettingsOf(request)
  Object.assign(body, encodeSettings(settings))
  if (settings.verbosity !== undefined) body.verbosity = settings.verbosity
  const mayThink = request.reasoning?.enabled !== false
  const effort = mayThink ? request.reasoning?.effort : 'none'
  if (effort !== undefined && !(effort === 'none' && refused.has('no-effort'))) {
    body.reasoning_effort = (refused.has('rare-effort') ? commonEfforts.get(effort) : undefined) ?? effort
  }
  if (!mayThink && takesTemplateVariables) body.chat_template_kwargs = thinkingOff
  for (const field of refused) delete body[field]
  if (refused.has('strict')) for (const definition of functionsOf(body)) delete definition.strict
  if (refused.has('effort-with-tools') && body.tools !== undefined) body.reasoning_effort = 'none'
  repair(body, { refused, mayThink, names })
  return body
}

/** A conversation with its format: sent, or said in the prompt. */
function encodeFormatted(
  conversation: Conversation,
  thoughts: ReasoningField | undefined,
  sent: 'always' | 'without calls' | 'never',
): JsonObject {
  const { responseFormat, tools, toolChoice } = conversation
  const mayCall = tools.length > 0 && toolChoice.type !== 'none'
  const isSent = sent === 'always' || (sent === 'without calls' && !mayCall)
  if (responseFormat === undefined) return encodeConversation(conversation, thoughts)
  return isSent
    ? { ...encodeConversation(conversation, thoughts), response_format: encodeResponseFormat(responseFormat) }
    : encodeConversation(withFormatInstructions(conversation), thoughts)
}

/** The API requires a name. */
function encodeResponseFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { type: _, name = 'response', ...rest } = format
  return { type: 'json_schema', json_schema: { name, ...rest } }
}

/** Sampling in OpenAI's names, which most engines took over; a value that is not set is left out. */
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
