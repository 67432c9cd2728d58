import type { JsonObject } from '../../conversation/index.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { notTaken } from '../http/upstream-error.ts'
import type { WireFormat } from '../http/wire-format.ts'
import { readModels } from '../openai-chat/openai-chat.ts'
import { LearnedLimits } from '../refusals/learned-limits.ts'
import type { ResponsesPart } from '../refusals/refusals.ts'
import { RequestLimits } from '../refusals/request-limits.ts'
import { chatName, ToolNames } from '../tool-names.ts'
import type { GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { responseFormat } from './format.ts'
import { encodeResponsesRequest, hasPart } from './request.ts'

const style: HttpApiStyle = { path: '/v1', endpoints: [/\/responses$/] }

/** An upstream for any server with OpenAI's Responses API. Throws an AnycallError for options that are wrong. */
export function createOpenAIResponsesUpstream(options: HttpApiOptions): Upstream {
  const api = new HttpApi(options, style)
  const { name } = options
  const learned = new LearnedLimits<ResponsesPart>()

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type === 'prompt') throw notTaken(name, request)
    const limits = new RequestLimits({
      api: 'responses',
      upstream: name,
      model: request.model,
      learned,
      log: context.log,
      isBoundOptional: true,
    })
    // Names that fit stay as they are.
    const names = request.type === 'tools' ? new ToolNames(request.conversation, chatName) : undefined
    const body = (): JsonObject => {
      const maxTokens = request.maxTokens === undefined ? undefined : limits.bound(request.maxTokens)
      return encodeResponsesRequest(request, { upstream: name, refused: limits.refused, names, maxTokens })
    }
    const reduce = (sent: JsonObject, status: number, text: string): JsonObject | undefined => {
      const refused = { maxTokens: sent.max_output_tokens, isIn: (part: ResponsesPart) => hasPart(sent, part) }
      return limits.learn(refused, status, text) ? body() : undefined
    }
    const before = (): UpstreamEvent[] => {
      limits.keep()
      return []
    }
    const format = (): WireFormat => responseFormat(name, (sent) => names?.original(sent) ?? sent)
    return api.stream({ path: '/responses', body, format, reduce, before }, context)
  }

  return {
    name,
    type: 'openai-responses',
    abilities: { requests: ['messages', 'tools'], responseFormat: true },
    models: async (query = {}) => {
      const { value, text } = await api.ask('/models', query)
      return readModels(api.source(query.clientKey), value, text)
    },
    generate,
  }
}
