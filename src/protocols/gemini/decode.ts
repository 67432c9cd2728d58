import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type ReasoningWish,
  type ResponseFormat,
  type Sampling,
} from '../../conversation/index.ts'
import { areEmpty } from '../content.ts'
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
import { NoticeList } from '../notices.ts'
import { always, type IgnoredField, readTokenLimit, reportFields } from '../openai/request-fields.ts'
import type { DecodedRequest } from '../protocol.ts'
import type { Seals } from '../seals.ts'
import { contentsOf, decodeContents, decodeSystem } from './contents.ts'
import { readFields, readOptionalCount, readOptionalFields } from './fields.ts'
import { toJsonSchema } from './schema.ts'
import { openThoughts } from './thoughts.ts'
import { decodeTools } from './tools.ts'

/** The parameters in the path of a request, and the state that its requests share. */
export interface GeminiTarget {
  model: string
  /** The form of a streamed reply: events, or one array of JSON. Undefined for a whole reply. */
  stream?: 'events' | 'array'
  seals: Seals
}

/** The fields of a request that concern the form of the answer. */
export interface GeminiOptions {
  /** True if the reply shows its reasoning. */
  includeThoughts: boolean
  stream: GeminiTarget['stream']
  /** Seals the reasoning, for the client to send back. */
  seal(text: string): Promise<string>
}

/** Fields that are read, and fields whose effect a client cannot see in the reply. */
const knownFields: ReadonlySet<string> = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'labels',
  'serviceTier',
  'model',
  'store',
])

const ignoredFields: ReadonlyMap<string, IgnoredField> = new Map([
  [
    'cachedContent',
    { asks: always, consequence: 'no contents are kept here; send the whole conversation in contents' },
  ],
] satisfies [string, IgnoredField][])

const knownSettings: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'stopSequences',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
  'thinkingConfig',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'responseFormat',
  'mediaResolution',
])

const ignoredSettings: ReadonlyMap<string, IgnoredField> = new Map([
  ['responseLogprobs', { asks: (value) => value !== false, consequence: 'the reply has no log probabilities' }],
  ['logprobs', { asks: (value) => value !== 0, consequence: 'the reply has no log probabilities' }],
  [
    'responseModalities',
    {
      asks: (value) => !(Array.isArray(value) && value.every((one) => String(one).toUpperCase() === 'TEXT')),
      consequence: 'the reply is text',
    },
  ],
  ['speechConfig', { asks: always, consequence: 'the reply is text' }],
] satisfies [string, IgnoredField][])

/**
 * Reads a request of `generateContent` or `streamGenerateContent`, as Google's reference of the API and its libraries define it.
 * Throws an AnycallError `invalid-request` whose `param` is the path of the wrong field.
 */
export function decode(value: unknown, target: GeminiTarget): Promise<DecodedRequest<GeminiOptions>> {
  return decodeRequest(value, target, false)
}

async function decodeRequest(
  value: unknown,
  target: GeminiTarget,
  isExcerpt: boolean,
): Promise<DecodedRequest<GeminiOptions>> {
  const body = readFields(value, 'body')
  const notices = new NoticeList()
  const contents = contentsOf(body.contents ?? [])
  const opened = await openThoughts(contents, target.seals)
  const turns = decodeContents(contents, { opened, notices, isExcerpt })
  const system = decodeSystem(body.systemInstruction, notices)
  if (areEmpty(turns))
    throw invalid('contents', 'none of them has a part that a model can read; send a text or an image')
  const settings = readOptionalFields(body.generationConfig, 'generationConfig')
  const thinking = readOptionalFields(settings.thinkingConfig, `${path}.thinkingConfig`)
  const conversation = defined<Conversation>({
    model: target.model,
    system,
    turns,
    ...decodeTools(body.tools, body.toolConfig, notices),
    parallelCalls: true,
    maxTokens: readTokenLimit(readOptionalCount(settings.maxOutputTokens, maxTokensPath), maxTokensPath),
    stopSequences: readStops(settings.stopSequences),
    sampling: readSampling(settings),
    reasoning: readReasoning(thinking),
    responseFormat: readFormat(settings, notices),
  })
  refuseCandidates(settings)
  const ignored: Parameters<typeof reportFields>[3] = []
  reportFields(body, knownFields, ignoredFields, ignored)
  reportFields(settings, knownSettings, ignoredSettings, ignored)
  return {
    conversation,
    stream: target.stream !== undefined,
    options: {
      includeThoughts: readOptionalBoolean(thinking.includeThoughts, `${path}.thinkingConfig.includeThoughts`) ?? false,
      stream: target.stream,
      seal: (text) => target.seals.seal(text),
    },
    notices: [...notices.list, ...ignored],
  }
}

/**
 * Reads a request of `countTokens`: contents alone, or a whole request in `generateContentRequest`. Contents alone may be a part of
 * a conversation: Gemini CLI counts the results of calls by themselves.
 */
export function decodeCountTokens(value: unknown, target: GeminiTarget): Promise<DecodedRequest<GeminiOptions>> {
  const body = readFields(value, 'body')
  const { generateContentRequest } = body
  if (isJsonObject(generateContentRequest)) return decode(generateContentRequest, target)
  return decodeRequest(body, target, true)
}

const path = 'generationConfig'
const maxTokensPath = `${path}.maxOutputTokens`

function readSampling(settings: JsonObject): Sampling {
  return defined<Sampling>({
    temperature: readOptionalNumber(settings.temperature, `${path}.temperature`),
    topP: readOptionalNumber(settings.topP, `${path}.topP`),
    topK: readOptionalCount(settings.topK, `${path}.topK`),
    presencePenalty: readOptionalNumber(settings.presencePenalty, `${path}.presencePenalty`),
    frequencyPenalty: readOptionalNumber(settings.frequencyPenalty, `${path}.frequencyPenalty`),
    seed: readOptionalCount(settings.seed, `${path}.seed`),
  })
}

function readStops(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const stops = readArray(value, `${path}.stopSequences`)
  // An empty stop sequence would end every reply at once.
  return stops.map((stop, i) => readString(stop, `${path}.stopSequences[${i}]`)).filter((stop) => stop !== '')
}

function readReasoning(thinking: JsonObject): ReasoningWish | undefined {
  const budget = readOptionalCount(thinking.thinkingBudget, `${path}.thinkingConfig.thinkingBudget`)
  const level = readOptionalString(thinking.thinkingLevel, `${path}.thinkingConfig.thinkingLevel`)
  const effort = level === undefined || level === 'THINKING_LEVEL_UNSPECIFIED' ? undefined : level.toLowerCase()
  if (budget === undefined && effort === undefined)
    return thinking.includeThoughts === true ? { enabled: true } : undefined
  return defined<ReasoningWish>({
    enabled: budget !== 0,
    effort,
    // -1 leaves the budget to the model.
    budgetTokens: budget !== undefined && budget > 0 ? budget : undefined,
  })
}

function readFormat(settings: JsonObject, notices: NoticeList): ResponseFormat | undefined {
  const newer = readOptionalFields(
    readOptionalFields(settings.responseFormat, `${path}.responseFormat`).text,
    formatPath,
  )
  const mime =
    readOptionalString(newer.mimeType, `${formatPath}.mimeType`) ??
    readOptionalString(settings.responseMimeType, `${path}.responseMimeType`)
  if (mime !== undefined && mime.toLowerCase() === 'text/x.enum') {
    const why = `${path}.responseMimeType: ignored; the reply is free text. Ask for application/json.`
    notices.add('field-ignored', 'responseMimeType', why)
    return undefined
  }
  const schema = readSchema(settings, newer)
  if (schema) return { type: 'json-schema', schema }
  return mime !== undefined && /json$/i.test(mime) ? { type: 'json' } : undefined
}

const formatPath = `${path}.responseFormat.text`

function readSchema(settings: JsonObject, newer: JsonObject): JsonObject | undefined {
  const json = newer.schema ?? settings.responseJsonSchema ?? settings._responseJsonSchema
  if (json !== undefined && json !== null) return readObject(json, `${path}.responseJsonSchema`)
  const { responseSchema } = settings
  if (responseSchema === undefined || responseSchema === null) return undefined
  return toJsonSchema(readObject(responseSchema, `${path}.responseSchema`))
}

function refuseCandidates(settings: JsonObject): void {
  const count = readOptionalCount(settings.candidateCount, `${path}.candidateCount`)
  if (count === undefined || count <= 1) return
  throw invalid(`${path}.candidateCount`, `one candidate is made for a request, not ${count}; send the request again`)
}
