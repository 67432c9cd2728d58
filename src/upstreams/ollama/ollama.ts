import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { readErrorText } from '../http/error-text.ts'
import { UpstreamError } from '../http/upstream-error.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import { ollamaFormat } from './format.ts'
import { type FileOpener, OllamaModels } from './models.ts'
import { encodeChatBody, encodePromptBody, hasDistantImage, type Thinking } from './request.ts'

export interface OllamaOptions extends HttpApiOptions {
  /** The context that models are loaded with, in tokens: Ollama's own default is as short as 4096. */
  contextLength?: number
  /** Opens a file of this machine, so that chat templates can be read from models' files. */
  openFile?: FileOpener
}

/** The native API stands at the root; `/v1` is that of the API that looks like OpenAI's. */
const style: HttpApiStyle = {
  path: '',
  endpoints: [/\/(?:v1\/chat\/completions|api\/chat|api\/generate)$/, /\/(?:v1|api)$/],
}

/** An upstream for Ollama's own API. Throws an AnycallError for options that are wrong. */
export function createOllamaUpstream(options: OllamaOptions): Upstream {
  const api = new HttpApi(options, style)
  const { name, contextLength } = options
  const known = new OllamaModels(api, options.openFile)
  /** How models take `think`, as far as they have refused more. */
  const thinking = new Map<string, Thinking>()

  function spare(sent: JsonObject, status: number, text: string, context: GenerationContext): Thinking | undefined {
    if (status !== 400 || sent.think === undefined || sent.think === false) return undefined
    const said = readErrorText(text)
    const takes: Thinking | undefined = /does not support thinking/i.test(said)
      ? 'none'
      : typeof sent.think === 'string' && /think/i.test(said)
        ? 'switch'
        : undefined
    if (takes !== undefined) {
      context.log('info', 'upstream.thinking-refused', { upstream: name, model: String(sent.model), sent: sent.think })
    }
    return takes
  }

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    const beginning = request.type === 'prompt' ? await known.beginningOf(request.model, context) : ''
    const body = (): JsonObject => {
      const settings = {
        ...(contextLength !== undefined && { contextLength }),
        thinking: thinking.get(request.model) ?? ('levels' as const),
      }
      return request.type === 'prompt'
        ? encodePromptBody(request, settings, beginning)
        : encodeChatBody(request, settings)
    }
    try {
      return await api.stream(
        {
          path: request.type === 'prompt' ? '/api/generate' : '/api/chat',
          body,
          format: () =>
            ollamaFormat({
              ...(contextLength !== undefined && { contextLength }),
            }),
          spare: (sent, status, text) => {
            const takes = spare(sent, status, text, context)
            if (takes === undefined) return undefined
            thinking.set(request.model, takes)
            return body()
          },
          before: () => notices(request),
        },
        context,
      )
    } catch (error) {
      throw advised(error)
    }
  }

  /** The length of the context is a setting here, which the server cannot know. */
  function advised(error: unknown): unknown {
    if (!(error instanceof UpstreamError) || error.code !== 'context-length') return error
    const advice = `Raise contextLength of upstream "${name}" (it is ${contextLength ?? "not set: the server's default counts"}).`
    return new UpstreamError(error.code, `${error.message}. ${advice}`, false, { cause: error })
  }

  function notices(request: GenerationRequest): UpstreamEvent[] {
    const said: UpstreamEvent[] = []
    if (hasDistantImage(request)) {
      const message = `Upstream "${name}" takes no image by its address; send its content. The model was told that one is missing.`
      said.push({ type: 'notice', notice: { code: 'image-left-out', message } })
    }
    if (request.type === 'tools' && ['required', 'named'].includes(request.conversation.toolChoice.type)) {
      const message = `Upstream "${name}" cannot make a model call a tool; the choice was left to the model.`
      said.push({ type: 'notice', notice: { code: 'tool-choice-unsupported', message } })
    }
    return said
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const { value, text } = await api.ask('/api/tags', query)
    const list = isJsonObject(value) ? value.models : undefined
    if (!Array.isArray(list)) {
      throw strangeAnswer(api.source(query.clientKey), 'list of models', text, 'an Ollama server')
    }
    return list.flatMap((entry: unknown): UpstreamModel[] => {
      const id = isJsonObject(entry) ? (entry.model ?? entry.name) : undefined
      if (typeof id !== 'string') return []
      return [contextLength === undefined ? { id } : { id, contextLength }]
    })
  }

  return {
    name,
    type: 'ollama',
    abilities: { requests: ['tools', 'messages', 'prompt'] },
    models,
    generate,
    callsTools: (model, context) => known.callsTools(model, context),
    template: (model, context) => known.template(model, context),
  }
}
