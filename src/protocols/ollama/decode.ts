import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Notice,
  type ReasoningWish,
  type ResponseFormat,
  type Sampling,
  type Turn,
} from '../../conversation/index.ts'
import { areEmpty, emptyMessages } from '../content.ts'
import {
  defined,
  invalid,
  kindOf,
  readArray,
  readObject,
  readOptionalBoolean,
  readOptionalNumber,
  readOptionalString,
  readString,
} from '../fields.ts'
import { always, type IgnoredField, reportFields } from '../openai/request-fields.ts'
import type { DecodedRequest } from '../protocol.ts'
import { decodeImages, decodeMessages } from './messages.ts'
import { decodeTools } from './tools.ts'

/** The two endpoints that make replies: `/api/chat`, and `/api/generate` for a single prompt. */
export type Endpoint = 'chat' | 'generate'

/** The parameters of the answer's form. */
export interface OllamaOptions {
  endpoint: Endpoint
  /** Milliseconds since the request was decoded. */
  elapsed(): number
}

const knownFields: ReadonlySet<string> = new Set([
  'model',
  'name',
  'messages',
  'prompt',
  'system',
  'images',
  'tools',
  'tool_choice',
  'think',
  'format',
  'options',
  'stream',
  'keep_alive',
  'truncate',
  'shift',
])

const ignoredFields: ReadonlyMap<string, IgnoredField> = new Map([
  ['suffix', { asks: (value) => value !== '', consequence: 'the reply is not made to fit before it' }],
  ['raw', { asks: (value) => value !== false, consequence: 'the prompt is the message of a user' }],
  ['template', { asks: (value) => value !== '', consequence: "the model's own template is used" }],
  ['context', { asks: always, consequence: 'send the conversation to /api/chat' }],
  ['logprobs', { asks: (value) => value !== false, consequence: 'the reply has no log probabilities' }],
  ['top_logprobs', { asks: (value) => value !== 0, consequence: 'the reply has no log probabilities' }],
] satisfies [string, IgnoredField][])

/** Options that are read, and options about how a model is loaded, which is the upstream's own. */
const knownOptions: ReadonlySet<string> = new Set([
  'num_predict',
  'stop',
  'temperature',
  'top_p',
  'top_k',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'num_keep',
  'numa',
  'low_vram',
  'f16_kv',
  'use_mmap',
  'use_mlock',
  'vocab_only',
  'logits_all',
  'embedding_only',
])

/** Returns the model of a request. Throws an AnycallError `invalid-request` if there is none. */
export function readModel(value: unknown): string {
  const body = readObject(value, 'body')
  // The older name of the field.
  const model = readString(body.model ?? body.name, 'model')
  if (model === '') throw invalid('model', 'is empty; name a model, as GET /api/tags lists them')
  return model
}

/** True for a request that only has the model loaded: it has nothing to reply to. */
export function asksForLoadOnly(value: unknown, endpoint: Endpoint): boolean {
  const body = readObject(value, 'body')
  if (endpoint === 'generate') return !body.prompt && !body.system && !Array.isArray(body.images)
  return !Array.isArray(body.messages) || body.messages.length === 0
}

/**
 * Reads a request of `/api/chat` or `/api/generate`, as Ollama's reference of the API and its libraries define it.
 * Throws an AnycallError `invalid-request` whose `param` is the path of the wrong field.
 */
export function decode(value: unknown, endpoint: Endpoint): DecodedRequest<OllamaOptions> {
  const startedMs = performance.now()
  const body = readObject(value, 'body')
  const notices: Notice[] = []
  const { system, turns } = endpoint === 'chat' ? decodeMessages(body.messages) : decodePrompt(body)
  if (areEmpty(turns) && system === '') throw invalid(endpoint === 'chat' ? 'messages' : 'prompt', emptyMessages)
  const settings = body.options === undefined || body.options === null ? {} : readObject(body.options, 'options')
  reportFields(body, knownFields, ignoredFields, notices)
  reportFields(settings, knownOptions, new Map(), notices)
  const conversation = defined<Conversation>({
    model: readModel(body),
    system,
    turns,
    ...decodeTools(body, notices),
    parallelCalls: true,
    maxTokens: readMaxTokens(settings.num_predict),
    stopSequences: readStops(settings.stop),
    sampling: readSampling(settings),
    reasoning: readThink(body.think),
    responseFormat: readFormat(body.format),
  })
  return {
    conversation,
    stream: readStream(body),
    options: { endpoint, elapsed: () => performance.now() - startedMs },
    notices,
  }
}

/** Returns true if the reply is streamed: it is, unless the request says otherwise. */
export function readStream(body: JsonObject): boolean {
  return readOptionalBoolean(body.stream, 'stream') ?? true
}

function decodePrompt(body: JsonObject): { system: string; turns: Turn[] } {
  const text = readOptionalString(body.prompt, 'prompt') ?? ''
  const images = decodeImages(body.images, 'images')
  return {
    system: readOptionalString(body.system, 'system') ?? '',
    turns: [{ role: 'user', parts: text === '' ? images : [{ type: 'text', text }, ...images] }],
  }
}

function readMaxTokens(value: unknown): number | undefined {
  const limit = readOptionalNumber(value, 'options.num_predict')
  // -1 and -2: no bound, and as many as the context has room for.
  if (limit === undefined || limit < 0) return undefined
  if (!Number.isInteger(limit)) throw invalid('options.num_predict', `expected a whole number, got ${limit}`)
  return limit === 0 ? undefined : limit
}

function readStops(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const stops = typeof value === 'string' ? [value] : readArray(value, 'options.stop')
  // An empty stop sequence would end every reply at once.
  return stops.map((stop, i) => readString(stop, `options.stop[${i}]`)).filter((stop) => stop !== '')
}

function readSampling(settings: JsonObject): Sampling {
  const read = (name: string): number | undefined => readOptionalNumber(settings[name], `options.${name}`)
  return defined<Sampling>({
    temperature: read('temperature'),
    topP: read('top_p'),
    topK: read('top_k'),
    presencePenalty: read('presence_penalty'),
    frequencyPenalty: read('frequency_penalty'),
    seed: read('seed'),
  })
}

function readThink(value: unknown): ReasoningWish | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'boolean') return { enabled: value }
  if (typeof value === 'string') return { enabled: true, effort: value }
  throw invalid('think', `expected true, false, "high", "medium" or "low", got ${kindOf(value)}`)
}

function readFormat(value: unknown): ResponseFormat | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (value === 'json') return { type: 'json' }
  if (isJsonObject(value)) return { type: 'json-schema', schema: value }
  throw invalid('format', `expected "json" or a JSON schema, got ${kindOf(value)}`)
}
