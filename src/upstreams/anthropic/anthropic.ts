import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { notTaken } from '../http/upstream-error.ts'
import { LearnedLimits } from '../refusals/learned-limits.ts'
import type { MessagesPart } from '../refusals/refusals.ts'
import { RequestLimits } from '../refusals/request-limits.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import { messageFormat } from './format.ts'
import { hasPart } from './parts.ts'
import { encodeMessagesRequest } from './request.ts'

export interface AnthropicOptions extends HttpApiOptions {
  /** The most tokens of a reply if the client sets no bound: the API must be given one. Default 16384. */
  maxTokens?: number
  /** True if the server is asked to keep the prompt in its cache. Default true. */
  promptCaching?: boolean
}

/** The base URL is given without `/v1`, as to Anthropic's SDKs; `/v1` at its end is allowed too. */
const style: HttpApiStyle = {
  path: '',
  endpoints: [/\/messages$/, /\/v1$/],
  keyHeaders: (key) => ({ 'x-api-key': key }),
  headers: { 'anthropic-version': '2023-06-01' },
}

/** An upstream for any server with Anthropic's Messages API. Throws an AnycallError for options that are wrong. */
export function createAnthropicUpstream(options: AnthropicOptions): Upstream {
  const api = new HttpApi(options, style)
  const { name, maxTokens: defaultMaxTokens = 16_384, promptCaching = true } = options
  const learned = new LearnedLimits<MessagesPart>()

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type === 'prompt') throw notTaken(name, request)
    const limits = new RequestLimits({
      api: 'messages',
      upstream: name,
      model: request.model,
      learned,
      log: context.log,
    })

    const body = (): JsonObject => {
      const wished = request.maxTokens ?? defaultMaxTokens
      const maxTokens = limits.bound(wished) ?? wished
      return encodeMessagesRequest(request, { maxTokens, promptCaching, refused: limits.refused })
    }
    const reduce = (sent: JsonObject, status: number, text: string): JsonObject | undefined => {
      const refused = { maxTokens: sent.max_tokens, isIn: (part: MessagesPart) => hasPart(sent, part) }
      return limits.learn(refused, status, text) ? body() : undefined
    }
    const before = (): UpstreamEvent[] => {
      limits.keep()
      const isForced = request.type === 'tools' && ['required', 'named'].includes(request.conversation.toolChoice.type)
      if (!isForced || !limits.refused.has('forced-choice')) return []
      const message = `The model ${request.model} of upstream "${name}" cannot be made to call a tool; the choice was left to it.`
      return [{ type: 'notice', notice: { code: 'tool-choice-unsupported', message } }]
    }
    return api.stream({ path: '/v1/messages', body, format: messageFormat, reduce, before }, context)
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    // The API lists twenty without a limit; servers that do not page pass the limit over.
    const { value, text } = await api.ask('/v1/models?limit=1000', query)
    if (!isJsonObject(value) || !Array.isArray(value.data)) {
      throw strangeAnswer(api.source(query.clientKey), 'list of models', text, 'an Anthropic-compatible server')
    }
    return value.data.flatMap((entry: unknown): UpstreamModel[] => {
      if (!isJsonObject(entry) || typeof entry.id !== 'string') return []
      const { id, max_input_tokens: length } = entry
      return [typeof length === 'number' ? { id, contextLength: length } : { id }]
    })
  }

  return {
    name,
    type: 'anthropic',
    abilities: { requests: ['tools', 'messages'], responseFormat: true },
    models,
    generate,
    callsTools: async () => true,
  }
}
