import { isJsonObject, type JsonObject, RecentMap } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { readContextOverflow } from '../http/context-length.ts'
import { readErrorText } from '../http/error-text.ts'
import { readOutputLimit } from '../http/output-limit.ts'
import { notTaken } from '../http/upstream-error.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import { messageFormat } from './format.ts'
import { type Refusable, refusedPart } from './refusals.ts'
import { encodeMessagesRequest } from './request.ts'

export interface AnthropicOptions extends HttpApiOptions {
  /** The most tokens of a reply where the client sets no bound: the API must be given one. Default 16384. */
  maxTokens?: number
  /** Whether the server is asked to keep the prompt in its cache. Default true. */
  promptCaching?: boolean
}

/** As the SDKs take a base URL: without `/v1`, which may stand there all the same. */
const style: HttpApiStyle = {
  path: '',
  endpoints: [/\/messages$/, /\/v1$/],
  keyHeaders: (key) => ({ 'x-api-key': key }),
  headers: { 'anthropic-version': '2023-06-01' },
}

/** What a server has shown of a model by what it refused; kept for models that have refused something. */
interface ModelManners {
  refused: Set<Refusable>
  mostTokens?: number
}

/** An upstream for any server with Anthropic's Messages API. Throws an AnycallError for options that are wrong. */
export function createAnthropicUpstream(options: AnthropicOptions): Upstream {
  const api = new HttpApi(options, style)
  const { name, maxTokens: defaultMaxTokens = 16_384, promptCaching = true } = options
  const manners = new RecentMap<string, ModelManners>()

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type === 'prompt') throw notTaken(name, request)
    const known: ModelManners = manners.get(request.model) ?? { refused: new Set() }
    /** The room that the prompt leaves, where it leaves less than was asked for. */
    let room = Number.POSITIVE_INFINITY

    const body = (): JsonObject => {
      const wished = request.maxTokens ?? defaultMaxTokens
      const maxTokens = Math.min(wished, known.mostTokens ?? wished, room)
      return encodeMessagesRequest(request, { maxTokens, promptCaching, refused: known.refused })
    }
    const spare = (sent: JsonObject, status: number, text: string): JsonObject | undefined => {
      if (status !== 400 && status !== 422) return undefined
      const sentTokens = Number(sent.max_tokens)
      const most = readOutputLimit(readErrorText(text))
      if (most !== undefined && most > 0 && most < sentTokens) {
        known.mostTokens = most
        manners.set(request.model, known)
        context.log('info', 'upstream.max-tokens-lowered', { upstream: name, model: request.model, maxTokens: most })
        return body()
      }
      const overflow = readContextOverflow(readErrorText(text), text)
      if (overflow?.type === 'prompt-and-output') {
        const left = overflow.maximum - overflow.prompt
        if (left <= 0 || left >= sentTokens) return undefined
        room = left
        context.log('info', 'upstream.max-tokens-lowered', { upstream: name, model: request.model, maxTokens: left })
        return body()
      }
      const part = refusedPart(sent, status, readErrorText(text))
      if (part === undefined || known.refused.has(part)) return undefined
      known.refused.add(part)
      manners.set(request.model, known)
      context.log('info', 'upstream.refused', { upstream: name, model: request.model, part })
      return body()
    }
    const before = (): UpstreamEvent[] => {
      const isForced = request.type === 'tools' && ['required', 'named'].includes(request.conversation.toolChoice.type)
      if (!isForced || !known.refused.has('forced-choice')) return []
      const message = `The model ${request.model} of upstream "${name}" cannot be made to call a tool; the choice was left to it.`
      return [{ type: 'notice', notice: { code: 'tool-choice-unsupported', message } }]
    }
    return api.stream({ path: '/v1/messages', body, format: messageFormat, spare, before }, context)
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    // The API lists twenty where it is not told otherwise; servers that do not page pass the limit over.
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
    abilities: { requests: ['tools', 'messages'] },
    models,
    generate,
    callsTools: async () => true,
  }
}
