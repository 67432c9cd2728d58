import { isJsonObject } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { forwardingTo, openaiEndpoints } from '../http/forwarding.ts'
import { type ErrorSource, notTaken } from '../http/upstream-error.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import { chatGeneration } from './generation.ts'
import type { MaxTokensField } from './parts.ts'

export interface OpenAIChatOptions extends HttpApiOptions {
  /** The field for the most tokens of a reply. OpenAI's newer models want `max_completion_tokens`. */
  maxTokensField?: MaxTokensField
}

const openaiStyle: HttpApiStyle = { path: '/v1', endpoints: [/\/chat\/completions$/] }

/** An upstream for any server with OpenAI's Chat Completions API. Throws an AnycallError for options that are wrong. */
export function createOpenAIChatUpstream(options: OpenAIChatOptions): Upstream {
  const api = new HttpApi(options, openaiStyle)
  const { name, maxTokensField = 'max_tokens' } = options
  const chat = chatGeneration(api, { path: '/chat/completions', maxTokensField })

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type === 'prompt') throw notTaken(name, request)
    return await chat(request, context)
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const { value, text } = await api.ask('/models', query)
    return readModels(api.source(query.clientKey), value, text)
  }

  return {
    name,
    type: 'openai-chat',
    abilities: { requests: ['messages', 'tools'], responseFormat: true },
    models,
    generate,
    forwarding: forwardingTo(api, new Map(openaiEndpoints(''))),
  }
}

/** Reads a list of models: OpenAI's `{"data": […]}`, Ollama's `null` for an empty list, or a bare array (Together). */
export function readModels(source: ErrorSource, value: unknown, text: string): UpstreamModel[] {
  const list = isJsonObject(value) ? value.data : value
  if (list === null) return []
  if (!Array.isArray(list)) throw strangeAnswer(source, 'list of models', text, 'an OpenAI-compatible server')
  const models: UpstreamModel[] = []
  for (const entry of list) {
    if (!isJsonObject(entry) || typeof entry.id !== 'string') continue
    // vLLM, SGLang; OpenRouter, Together; llama-server.
    const served = isJsonObject(entry.meta) ? entry.meta.n_ctx : undefined
    const length = [entry.max_model_len, entry.context_length, served].find((field) => typeof field === 'number')
    models.push(typeof length === 'number' ? { id: entry.id, contextLength: length } : { id: entry.id })
  }
  return models
}
