import { isJsonObject, type JsonObject, type ResponseFormat } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import { encodeSettings, openaiSettingsOf } from '../openai-settings.ts'
import { openaiSettings, type ResponsesPart } from '../refusals/refusals.ts'
import type { ToolNames } from '../tool-names.ts'
import type { MessagesRequest, ToolsRequest } from '../upstream.ts'
import { encodeInput, encodeMessages } from './input.ts'
import { encodeTools } from './tools.ts'

/** The request as a model takes it. */
export interface ResponsesQuirks {
  /** The upstream's name, under which its reasoning is known. */
  upstream: string
  refused: ReadonlySet<ResponsesPart>
  /** The tools' names as they are to be sent; undefined: as they are. */
  names: ToolNames | undefined
  /** The most tokens of the reply; undefined: no bound is sent. */
  maxTokens: number | undefined
}

/** The body of `POST /responses`: streamed, and not stored. Holds only what the request says and the model takes. */
export function encodeResponsesRequest(request: MessagesRequest | ToolsRequest, quirks: ResponsesQuirks): JsonObject {
  const { refused, maxTokens } = quirks
  const body: JsonObject = {
    model: request.model,
    ...(request.type === 'messages'
      ? { input: encodeMessages(request.messages) }
      : encodeConversation(request, quirks)),
    stream: true,
    store: false,
  }
  const { verbosity, ...settings } = openaiSettingsOf(request)
  Object.assign(body, encodeSettings(settings))
  for (const setting of openaiSettings) if (refused.has(setting)) delete body[setting]
  const text = {
    ...formatOf(request, refused),
    ...(verbosity !== undefined && !refused.has('verbosity') && { verbosity }),
  }
  if (Object.keys(text).length > 0) body.text = text
  if (maxTokens !== undefined) body.max_output_tokens = maxTokens
  const { temperature, topP } = request.sampling
  if (temperature !== undefined && !refused.has('temperature')) body.temperature = temperature
  if (topP !== undefined && !refused.has('top_p')) body.top_p = topP
  const reasoning = encodeReasoning(request.reasoning, refused)
  if (reasoning) body.reasoning = reasoning
  return body
}

function encodeConversation({ conversation }: ToolsRequest, { upstream, refused, names }: ResponsesQuirks): JsonObject {
  const takesReasoning = !refused.has('encrypted-reasoning')
  const isSaid = conversation.responseFormat !== undefined && refused.has('format')
  const shown = isSaid ? withFormatInstructions(conversation) : conversation
  return {
    ...(shown.system !== '' && { instructions: shown.system }),
    input: encodeInput(shown.turns, { tools: names, upstream: takesReasoning ? upstream : undefined }),
    ...(takesReasoning && { include: ['reasoning.encrypted_content'] }),
    ...encodeTools(shown, refused, names),
  }
}

/** The settings of the reply's text that its format needs. */
function formatOf(request: MessagesRequest | ToolsRequest, refused: ReadonlySet<ResponsesPart>): JsonObject {
  const format = request.type === 'tools' && !refused.has('format') ? request.conversation.responseFormat : undefined
  return format === undefined ? {} : { format: encodeFormat(format) }
}

/** The API requires a name. */
function encodeFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { type: _, name = 'response', ...rest } = format
  return { type: 'json_schema', name, ...rest }
}

/** A model shows its reasoning only on request, as a summary. */
function encodeReasoning(
  wish: MessagesRequest['reasoning'],
  refused: ReadonlySet<ResponsesPart>,
): JsonObject | undefined {
  if (wish === undefined || refused.has('reasoning')) return undefined
  const effort = wish.enabled ? wish.effort : 'none'
  const isEffort = effort !== undefined && !refused.has('effort')
  const isSummary = wish.enabled && !refused.has('summary')
  if (!isEffort && !isSummary) return undefined
  return { ...(isEffort && { effort }), ...(isSummary && { summary: 'auto' }) }
}

/** True if a body has a part that its server may refuse. */
export function hasPart(body: JsonObject, part: ResponsesPart): boolean {
  const { reasoning, text, tools } = body
  switch (part) {
    case 'effort':
    case 'summary':
      return isJsonObject(reasoning) && reasoning[part] !== undefined
    case 'encrypted-reasoning':
      return body.include !== undefined
    case 'format':
      return isJsonObject(text) && text.format !== undefined
    case 'verbosity':
      return isJsonObject(text) && text.verbosity !== undefined
    case 'strict':
      return Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool.strict === true)
    default:
      return body[part] !== undefined
  }
}
