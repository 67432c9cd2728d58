import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Notice,
  type ReasoningWish,
  type ResponseFormat,
  type Sampling,
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
import { readTokenLimit, reportFields } from '../openai/request-fields.ts'
import { sessionIn } from '../openai/session.ts'
import { readSettings } from '../openai/settings.ts'
import { withVerbosity } from '../openai/verbosity.ts'
import type { DecodedRequest } from '../protocol.ts'
import type { Seals } from '../seals.ts'
import { askForSummary, keptMessages, trigger, withoutCompacted, withoutTriggers } from './compaction.ts'
import type { CompactionReply } from './compaction-reply.ts'
import { ignoredFields, knownFields, refuseFields } from './fields.ts'
import { historyOf, type ResponseMemory } from './history.ts'
import { decodeInput, inputItems } from './input.ts'
import type { ReasoningForm } from './items/items.ts'
import { type Echo, echoOf } from './response.ts'
import { openItems } from './sealed-items.ts'
import type { ToolTable } from './tools/tool-table.ts'
import { decodeTools } from './tools/tools.ts'

/** The fields of a Responses request that concern the form of the answer. */
export interface OpenAIResponsesOptions {
  /** The tools as the client declared them, for the items of their calls. */
  tools: ToolTable
  reasoningForm: ReasoningForm
  /** Present if reasoning is sealed: for the client, or for a response that is kept. */
  sealing?: Sealing
  /** Present if the request asks for a compaction: the reply is a summary. */
  compaction?: CompactionReply
  /** The fields of the request that the response repeats. */
  echo: Echo
  /** Called when the response is made, with what returns it; it goes out when the promise, if there is one, has resolved. */
  made(response: () => JsonObject): void | Promise<void>
}

/** The sealing of reasoning. */
export interface Sealing {
  seal(text: string): Promise<string>
  /**
   * True if the client requested sealed reasoning: then all reasoning is sealed. Otherwise only reasoning that the upstream encrypted
   * is sealed, in the stored response; the client does not see it.
   */
  isIncluded: boolean
}

/** The services that decoding uses. */
export interface Services {
  seals: Seals
  memory?: ResponseMemory
}

/**
 * Reads a Responses request, as the types of OpenAI's package define it and as real clients deviate from it.
 * Throws an AnycallError `invalid-request` whose `param` is the path of the wrong field, and `not-found` for a previous response
 * that is not kept.
 */
export async function decode(value: unknown, services: Services): Promise<DecodedRequest<OpenAIResponsesOptions>> {
  const body = readObject(value, 'body')
  const model = readString(body.model, 'model')
  if (model === '') throw invalid('model', 'is empty; name a model, as GET /v1/models lists them')
  refuseFields(body)
  const notices: Notice[] = []
  const history = await historyOf(body, services.memory)
  const { items: all, compacts } = withoutTriggers(history.items)
  const opened = await openItems(all, services.seals)
  const items = withoutCompacted(all, opened)
  const decodedTools = decodeTools(body, items, notices)
  const instructions = readOptionalString(body.instructions, 'instructions')
  const { system, turns, notices: ofInput } = decodeInput(items, instructions, decodedTools, opened)
  notices.push(...ofInput)
  if (system === '' && areEmpty(turns)) throw invalid('input', emptyMessages)
  reportFields(body, knownFields, ignoredFields, notices)
  const { table, tools, listedTools, toolChoice } = decodedTools
  const text = body.text === undefined || body.text === null ? {} : readObject(body.text, 'text')
  const conversation = defined<Conversation>({
    model,
    system: withVerbosity(system, text.verbosity, 'text.verbosity'),
    turns: compacts ? [...turns, askForSummary] : turns,
    tools,
    listedTools,
    toolChoice: compacts ? { type: 'auto' } : toolChoice,
    parallelCalls: readOptionalBoolean(body.parallel_tool_calls, 'parallel_tool_calls') ?? true,
    maxTokens: readTokenLimit(body.max_output_tokens, 'max_output_tokens'),
    stopSequences: [],
    sampling: defined<Sampling>({
      temperature: readOptionalNumber(body.temperature, 'temperature'),
      topP: readOptionalNumber(body.top_p, 'top_p'),
      presencePenalty: readOptionalNumber(body.presence_penalty, 'presence_penalty'),
      frequencyPenalty: readOptionalNumber(body.frequency_penalty, 'frequency_penalty'),
    }),
    reasoning: readReasoning(body.reasoning),
    openai: readSettings(body, text.verbosity),
    truncation: readTruncation(body.truncation),
    responseFormat: compacts ? undefined : readFormat(text.format),
  })
  const isIncluded = includesSealed(body.include)
  const isKept = services.memory !== undefined && (readOptionalBoolean(body.store, 'store') ?? true)
  return {
    conversation,
    ...sessionIn(body),
    stream: readOptionalBoolean(body.stream, 'stream') ?? false,
    options: {
      tools: table,
      reasoningForm: isJsonObject(body.reasoning) && isAsked(body.reasoning) ? 'summary' : 'content',
      ...((isIncluded || isKept) && { sealing: { isIncluded, seal: (text: string) => services.seals.seal(text) } }),
      ...(compacts && {
        compaction: { seal: (text: string) => services.seals.seal(text), before: keptMessages(items) },
      }),
      echo: echoOf(body, isKept),
      made: (responseOf) => {
        if (!isKept && !history.keep) return undefined
        const response = responseOf()
        const kept = [isKept ? services.memory?.keep(response, items) : undefined, history.keep?.(response)]
        return kept.some((one) => one !== undefined) ? Promise.all(kept).then(() => {}) : undefined
      },
    },
    notices,
  }
}

/** Reads a request of `POST /v1/responses/compact` as one for a compaction that is answered whole. */
export async function decodeCompact(
  value: unknown,
  services: Services,
): Promise<DecodedRequest<OpenAIResponsesOptions>> {
  const body = readObject(value, 'body')
  return decode({ ...body, input: [...inputItems(body.input), trigger], stream: false, store: false }, services)
}

function readReasoning(value: unknown): ReasoningWish | undefined {
  if (value === undefined || value === null) return undefined
  const effort = readOptionalString(readObject(value, 'reasoning').effort, 'reasoning.effort')
  return effort === undefined ? undefined : { enabled: effort !== 'none', effort }
}

function readTruncation(value: unknown): 'auto' | undefined {
  const truncation = readOptionalString(value, 'truncation') ?? 'disabled'
  if (truncation !== 'auto' && truncation !== 'disabled') throw invalid('truncation', 'expected auto or disabled')
  return truncation === 'auto' ? truncation : undefined
}

/** True if a summary is requested, by the current or the older name of the field. */
function isAsked({ summary, generate_summary: older }: JsonObject): boolean {
  return typeof summary === 'string' || typeof older === 'string'
}

function includesSealed(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return readArray(value, 'include').includes('reasoning.encrypted_content')
}

function readFormat(format: unknown): ResponseFormat | undefined {
  if (format === undefined || format === null) return undefined
  const fields = readObject(format, 'text.format')
  const type = readString(fields.type, 'text.format.type')
  switch (type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'json' }
    case 'json_schema':
      return defined<Extract<ResponseFormat, { type: 'json-schema' }>>({
        type: 'json-schema',
        schema: readObject(fields.schema, 'text.format.schema'),
        name: readOptionalString(fields.name, 'text.format.name'),
        description: readOptionalString(fields.description, 'text.format.description'),
        strict: readOptionalBoolean(fields.strict, 'text.format.strict'),
      })
    default:
      throw invalid('text.format.type', `expected "text", "json_object" or "json_schema", got ${kindOf(type)}`)
  }
}
