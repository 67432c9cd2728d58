import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Notice,
  type ReasoningWish,
  type Sampling,
} from '../../conversation/index.ts'
import { areEmpty, emptyMessages } from '../content.ts'
import {
  defined,
  invalid,
  readArray,
  readObject,
  readOptionalBoolean,
  readOptionalNumber,
  readOptionalString,
  readString,
} from '../fields.ts'
import { always, type IgnoredField, readTokenLimit, reportFields } from '../openai/request-fields.ts'
import { sessionIn } from '../openai/session.ts'
import { readSettings } from '../openai/settings.ts'
import { withVerbosity } from '../openai/verbosity.ts'
import type { DecodedRequest } from '../protocol.ts'
import { readResponseFormat } from '../response-format.ts'
import { decodeMessages } from './messages.ts'
import { decodeTools, knowsFunctionsOnly } from './tools.ts'

/** The fields of a Chat Completions request that concern the form of the answer. */
export interface OpenAIChatOptions {
  /** True when a stream ends with a chunk that holds the usage. */
  includeUsage: boolean
  /** True if a call goes into `function_call`, for clients that sent `functions`. */
  functionCall: boolean
  /** The names of the tools whose calls have a text, `input`, instead of arguments. */
  customTools: ReadonlySet<string>
}

/** Fields that are read, and fields whose effect a client cannot see in the reply. */
const knownFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'max_completion_tokens',
  'max_tokens',
  'stop',
  'temperature',
  'top_p',
  'top_k',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'reasoning_effort',
  'response_format',
  'stream',
  'stream_options',
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'prediction',
  'moderation',
  'n',
  'verbosity',
])

/** Fields of the API that anycall does not support. They are reported, and the request is served. */
const ignoredFields: ReadonlyMap<string, IgnoredField> = new Map([
  ['logprobs', { asks: (value) => value !== false, consequence: 'the reply has no log probabilities' }],
  ['top_logprobs', { asks: (value) => value !== 0, consequence: 'the reply has no log probabilities' }],
  [
    'logit_bias',
    {
      asks: (value) => !(isJsonObject(value) && Object.keys(value).length === 0),
      consequence: 'token biases do not reach the model',
    },
  ],
  [
    'modalities',
    {
      asks: (value) => !(Array.isArray(value) && value.every((modality) => modality === 'text')),
      consequence: 'the reply is text',
    },
  ],
  ['audio', { asks: always, consequence: 'the reply is text' }],
  ['web_search_options', { asks: always, consequence: 'the model cannot search; give it a tool that does' }],
] satisfies [string, IgnoredField][])

/**
 * Reads a Chat Completions request, as the API reference of OpenAI defines it and as real clients deviate from it.
 * Throws an AnycallError `invalid-request` whose `param` is the path of the wrong field.
 */
export function decode(value: unknown): DecodedRequest<OpenAIChatOptions> {
  const body = readObject(value, 'body')
  const model = readString(body.model, 'model')
  if (model === '') throw invalid('model', 'is empty; name a model, as GET /v1/models lists them')
  refuseChoices(body.n)
  return decodeHistory(body)
}

/** Reads the same fields of a request that may have no model: a history of messages with its tools. */
export function decodeHistory(value: unknown): DecodedRequest<OpenAIChatOptions> {
  const body = readObject(value, 'body')
  const notices: Notice[] = []
  const model = readOptionalString(body.model, 'model') ?? ''
  const { system, turns } = decodeMessages(body.messages, notices)
  // This API accepts a request with only a system message.
  if (system === '' && areEmpty(turns)) throw invalid('messages', emptyMessages)
  const { tools, toolChoice, customTools } = decodeTools(body, notices)
  const functionCall = knowsFunctionsOnly(body)
  reportFields(body, knownFields, ignoredFields, notices)
  const conversation = defined<Conversation>({
    model,
    system: withVerbosity(system, body.verbosity, 'verbosity'),
    turns,
    tools,
    toolChoice,
    // `function_call` holds only one call.
    parallelCalls: (readOptionalBoolean(body.parallel_tool_calls, 'parallel_tool_calls') ?? true) && !functionCall,
    maxTokens: readMaxTokens(body),
    stopSequences: readStop(body.stop),
    sampling: defined<Sampling>({
      temperature: readOptionalNumber(body.temperature, 'temperature'),
      topP: readOptionalNumber(body.top_p, 'top_p'),
      topK: readOptionalNumber(body.top_k, 'top_k'),
      presencePenalty: readOptionalNumber(body.presence_penalty, 'presence_penalty'),
      frequencyPenalty: readOptionalNumber(body.frequency_penalty, 'frequency_penalty'),
      seed: readOptionalNumber(body.seed, 'seed'),
    }),
    reasoning: readReasoning(body.reasoning_effort),
    openai: readSettings(body, body.verbosity),
    responseFormat: readResponseFormat(body.response_format, 'response_format'),
  })
  return {
    conversation,
    ...sessionIn(body),
    stream: readOptionalBoolean(body.stream, 'stream') ?? false,
    options: { includeUsage: readIncludeUsage(body.stream_options), functionCall, customTools },
    notices,
  }
}

/** A client that asks for several choices would take the one for all. */
function refuseChoices(value: unknown): void {
  const count = readOptionalNumber(value, 'n') ?? 1
  if (count > 1)
    throw invalid('n', `one choice is made for a request, not ${count}; send the request again for each other`)
}

function readMaxTokens(body: JsonObject): number | undefined {
  const deprecated = readTokenLimit(body.max_tokens, 'max_tokens')
  return readTokenLimit(body.max_completion_tokens, 'max_completion_tokens') ?? deprecated
}

function readStop(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const stops = typeof value === 'string' ? [value] : readArray(value, 'stop')
  // An empty stop sequence would end every reply at once.
  return stops.map((stop, i) => readString(stop, `stop[${i}]`)).filter((stop) => stop !== '')
}

function readReasoning(value: unknown): ReasoningWish | undefined {
  const effort = readOptionalString(value, 'reasoning_effort')
  return effort === undefined ? undefined : { enabled: effort !== 'none', effort }
}

function readIncludeUsage(value: unknown): boolean {
  if (value === undefined || value === null) return false
  const options = readObject(value, 'stream_options')
  return readOptionalBoolean(options.include_usage, 'stream_options.include_usage') ?? false
}
