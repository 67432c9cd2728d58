import { isJsonObject, type JsonObject } from '../conversation/index.ts'
import { readContextOverflow } from './context-length.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle, strangeAnswer } from './http-api.ts'
import { chatFormat } from './openai-chat-chunk.ts'
import { encodeChatRequest, type MaxTokensField } from './openai-chat-request.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from './upstream.ts'
import { type ErrorSource, notTaken, readErrorText } from './upstream-error.ts'

export interface OpenAIChatOptions extends HttpApiOptions {
  /** The field for the most tokens of a reply. OpenAI's newer models want `max_completion_tokens`. */
  maxTokensField?: MaxTokensField
}

export const openaiStyle: HttpApiStyle = { path: '/v1', endpoints: [/\/chat\/completions$/] }

/** An upstream for any server with OpenAI's Chat Completions API. Throws an AnycallError for options that are wrong. */
export function createOpenAIChatUpstream(options: OpenAIChatOptions): Upstream {
  const api = new HttpApi(options, openaiStyle)
  const { name, maxTokensField = 'max_tokens' } = options
  /** False once the server has refused to be asked for usage. */
  let asksForUsage = true

  function spare(body: JsonObject, status: number, text: string, context: GenerationContext): JsonObject | undefined {
    if (status !== 400 && status !== 422) return undefined
    const { stream_options: usage, [maxTokensField]: maxTokens, ...rest } = body
    if (usage !== undefined && text.includes('stream_options')) {
      asksForUsage = false
      context.log('info', 'upstream.no-usage', { upstream: name, status })
      return maxTokens === undefined ? rest : { ...rest, [maxTokensField]: maxTokens }
    }
    // The reply may be longer than the room that the prompt leaves (Claude Code always allows 32000 tokens): without a
    // bound of its own the reply ends where the context does, which comes to the same.
    if (
      maxTokens !== undefined &&
      readContextOverflow(`${readErrorText(text)}\n${text}`)?.type === 'prompt-and-output'
    ) {
      context.log('info', 'upstream.max-tokens-dropped', { upstream: name, maxTokens })
      return usage === undefined ? rest : { ...rest, stream_options: usage }
    }
    return undefined
  }

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type === 'prompt') throw notTaken(name, request)
    const encoded = encodeChatRequest(request, maxTokensField)
    const { stream_options: _, ...plain } = encoded
    return api.stream(
      {
        path: '/chat/completions',
        body: () => (asksForUsage ? encoded : plain),
        format: () => chatFormat({ takesCalls: request.type === 'tools' }),
        spare: (body, status, text) => spare(body, status, text, context),
      },
      context,
    )
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const { value, text } = await api.ask('/models', query)
    return readModels(api.source(query.clientKey), value, text)
  }

  return { name, type: 'openai-chat', abilities: { requests: ['messages', 'tools'] }, models, generate }
}

/** OpenAI's `{"data": […]}`; Ollama's `null` where it has none; a bare list (Together). */
export function readModels(source: ErrorSource, value: unknown, text: string): UpstreamModel[] {
  const list = isJsonObject(value) ? value.data : value
  if (list === null) return []
  if (!Array.isArray(list)) throw strangeAnswer(source, 'list of models', text, 'an OpenAI-compatible server')
  const models: UpstreamModel[] = []
  for (const entry of list) {
    if (!isJsonObject(entry) || typeof entry.id !== 'string') continue
    // vLLM, SGLang; OpenRouter, Together.
    const length = [entry.max_model_len, entry.context_length].find((field) => typeof field === 'number')
    models.push(typeof length === 'number' ? { id: entry.id, contextLength: length } : { id: entry.id })
  }
  return models
}
