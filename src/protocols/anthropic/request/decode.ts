import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type ReasoningWish,
  type ResponseFormat,
  type Sampling,
} from '../../../conversation/index.ts'
import { areEmpty, emptyMessages } from '../../content.ts'
import {
  defined,
  invalid,
  readArray,
  readObject,
  readOptionalBoolean,
  readOptionalNumber,
  readOptionalString,
  readString,
} from '../../fields.ts'
import { NoticeList } from '../../notices.ts'
import type { DecodedRequest } from '../../protocol.ts'
import { readOutputFormat } from '../../response-format.ts'
import { quote } from './blocks.ts'
import { sessionOfUser } from './session.ts'
import { refuseContinuation } from './thread.ts'
import { ToolChanges } from './tool-changes.ts'
import { readToolChoice, readTools } from './tools.ts'
import { readSystemText, readTurns } from './turns.ts'

/** An Anthropic request has no options for the form of its answer, except `stream`. */
export type AnthropicOptions = Record<string, never>

/** Reads the body of `POST /v1/messages`. Throws an AnycallError `invalid-request` that names the field. */
export function decodeRequest(body: unknown): DecodedRequest<AnthropicOptions> {
  return decodeMessages(body, readModel)
}

/** Reads the same fields of a request that may have no model: a history of messages with its tools. */
export function decodeHistory(body: unknown): DecodedRequest<AnthropicOptions> {
  return decodeMessages(body, (model) => readOptionalString(model, 'model') ?? '')
}

function decodeMessages(body: unknown, modelOf: (value: unknown) => string): DecodedRequest<AnthropicOptions> {
  const fields = readObject(body, 'body')
  // A request that continues a thread may have no message.
  refuseContinuation(fields)
  if (Array.isArray(fields.messages) && fields.messages.length === 0) {
    throw invalid('messages', 'expected at least one message, got an empty array')
  }
  const decoded = decodeFields(fields, modelOf)
  // Anthropic's own API requires a message, even with a system prompt.
  if (areEmpty(decoded.conversation.turns)) throw invalid('messages', emptyMessages)
  return decoded
}

/**
 * Reads the body of `POST /v1/messages/count_tokens`: the same fields without limits. Claude Code counts its tools and its
 * system prompt separately, so there may be no messages.
 */
export function decodeCountTokens(body: unknown): DecodedRequest<AnthropicOptions> {
  const fields = readObject(body, 'body')
  refuseContinuation(fields)
  return decodeFields({ ...fields, messages: fields.messages ?? [] }, readModel)
}

function readModel(value: unknown): string {
  const model = readString(value, 'model')
  if (model === '') throw invalid('model', 'expected the name of a model, got an empty string')
  return model
}

function decodeFields(fields: JsonObject, modelOf: (value: unknown) => string): DecodedRequest<AnthropicOptions> {
  const notices = new NoticeList()
  const model = modelOf(fields.model)
  const declared = readTools(fields.tools, notices)
  const changes = new ToolChanges(declared, notices)
  const system = readSystemText(fields.system ?? '', 'system', notices)
  const turns = readTurns(fields.messages, changes, notices)
  const offered = changes.result
  const conversation = defined<Conversation>({
    model,
    system,
    turns,
    ...offered,
    ...readToolChoice(fields.tool_choice, { ...declared, ...offered }, notices),
    maxTokens: readMaxTokens(fields.max_tokens),
    stopSequences: readStopSequences(fields.stop_sequences),
    sampling: readSampling(fields),
    reasoning: readReasoning(fields, notices),
    responseFormat: readFormat(fields),
  })
  reportIgnored(fields, notices)
  return {
    conversation,
    ...sessionOfUser(fields.metadata),
    stream: readOptionalBoolean(fields.stream, 'stream') ?? false,
    ...(!asksForThinking(fields) && { hidesReasoning: true }),
    options: {},
    notices: notices.list,
  }
}

function readMaxTokens(value: unknown): number | undefined {
  const tokens = readOptionalNumber(value, 'max_tokens')
  if (tokens === undefined || (Number.isInteger(tokens) && tokens > 0)) return tokens
  throw invalid('max_tokens', `expected a whole number of at least 1, got ${tokens}`)
}

function readStopSequences(value: unknown): string[] {
  const sequences = readArray(value ?? [], 'stop_sequences')
  // An empty stop sequence would end every reply at once.
  return sequences.map((entry, index) => readString(entry, `stop_sequences[${index}]`)).filter((text) => text !== '')
}

function readSampling(fields: JsonObject): Sampling {
  return defined<Sampling>({
    temperature: readOptionalNumber(fields.temperature, 'temperature'),
    topP: readOptionalNumber(fields.top_p, 'top_p'),
    topK: readOptionalNumber(fields.top_k, 'top_k'),
  })
}

/** True for each `thinking.type` that allows reasoning. */
const thinkingTypes: ReadonlyMap<string, boolean> = new Map([
  ['enabled', true],
  ['adaptive', true],
  ['between_tools', true],
  ['disabled', false],
])

/** The format has two places: `output_config.format`, and `output_format` of the beta that came before it. */
function readFormat(fields: JsonObject): ResponseFormat | undefined {
  const { format } = readObject(fields.output_config ?? {}, 'output_config')
  return readOutputFormat(format, 'output_config.format') ?? readOutputFormat(fields.output_format, 'output_format')
}

/** True if the request has `thinking`; its type may be newer than this program. */
function asksForThinking({ thinking }: JsonObject): boolean {
  return isJsonObject(thinking) && typeof thinking.type === 'string'
}

function readReasoning(fields: JsonObject, notices: NoticeList): ReasoningWish | undefined {
  const output = readObject(fields.output_config ?? {}, 'output_config')
  const effort = readOptionalString(output.effort, 'output_config.effort')
  const thinking = readObject(fields.thinking ?? {}, 'thinking')
  const type = readOptionalString(thinking.type, 'thinking.type')
  const enabled = type === undefined ? undefined : thinkingTypes.get(type)
  if (type !== undefined && enabled === undefined) {
    notices.add('field-ignored', 'thinking.type', `thinking.type: ${quote(type)} is not known; it was ignored`)
  }
  if (enabled === undefined && effort === undefined) return undefined
  return defined<ReasoningWish>({
    // An effort without `thinking` leaves the choice to the model; only a model that may reason can use it.
    enabled: enabled ?? true,
    effort,
    budgetTokens: readOptionalNumber(thinking.budget_tokens, 'thinking.budget_tokens'),
  })
}

/** Fields that are read, or whose absence a client does not notice: caching, billing, tracing, routing. */
const silentFields: ReadonlySet<string> = new Set([
  'anthropic_beta',
  'anthropic_version',
  'betas',
  'billing_policy',
  'cache_control',
  'context_management',
  'diagnostics',
  'inference_geo',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'output_format',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'thread',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
  'user_profile_id',
  'workspace_id',
])

/** The number of names after which a notice is shortened. */
const maxNamedFields = 20

function reportIgnored(fields: JsonObject, notices: NoticeList): void {
  const ignored = Object.keys(fields).filter((name) => !silentFields.has(name) && fields[name] !== null)
  if (ignored.length === 0) return
  const named = ignored.slice(0, maxNamedFields).map(quote).join(', ')
  const more = ignored.length > maxNamedFields ? ` and ${ignored.length - maxNamedFields} more` : ''
  notices.add('field-ignored', 'body', `These fields of the request have no effect here: ${named}${more}`)
}
