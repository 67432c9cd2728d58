import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { forwardingTo, openaiEndpoints } from '../http/forwarding.ts'
import { UpstreamError } from '../http/upstream-error.ts'
import { LearnedLimits } from '../refusals/learned-limits.ts'
import type { OllamaPart } from '../refusals/refusals.ts'
import { RequestLimits } from '../refusals/request-limits.ts'
import type {
  ForwardedEndpoint,
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

const ownEndpoints: [ForwardedEndpoint, string][] = [
  ['ollama-embed', '/api/embed'],
  ['ollama-embeddings', '/api/embeddings'],
]

/** The native API is at the root; `/v1` is the OpenAI-compatible API. */
const style: HttpApiStyle = {
  path: '',
  endpoints: [/\/(?:v1\/chat\/completions|api\/chat|api\/generate)$/, /\/(?:v1|api)$/],
}

/** An upstream for Ollama's own API. Throws an AnycallError for options that are wrong. */
export function createOllamaUpstream(options: OllamaOptions): Upstream {
  const api = new HttpApi(options, style)
  const { name, contextLength } = options
  const known = new OllamaModels(api, options.openFile)
  const learned = new LearnedLimits<OllamaPart>()

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    const beginning = request.type === 'prompt' ? await known.beginningOf(request.model, context) : ''
    const limits = new RequestLimits({ api: 'ollama', upstream: name, model: request.model, learned, log: context.log })
    const body = (): JsonObject => {
      const settings = { ...(contextLength !== undefined && { contextLength }), thinking: thinkingOf(limits.refused) }
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
          reduce: (sent, status, text) => {
            const isIn = (part: OllamaPart): boolean => hasPart(part, sent)
            return limits.learn({ maxTokens: undefined, isIn }, status, text) ? body() : undefined
          },
          before: () => {
            limits.keep()
            return notices(request)
          },
        },
        context,
      )
    } catch (error) {
      throw advised(error)
    }
  }

  /** Adds advice: the length of the context is a setting here, which the server does not know. */
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
    abilities: { requests: ['tools', 'messages', 'prompt'], responseFormat: true },
    models,
    generate,
    forwarding: forwardingTo(api, new Map([...openaiEndpoints('/v1'), ...ownEndpoints])),
    callsTools: (model, context) => known.callsTools(model, context),
    template: (model, context) => known.template(model, context),
  }
}

function thinkingOf(refused: ReadonlySet<OllamaPart>): Thinking {
  return refused.has('thinking') ? 'none' : refused.has('thinking-levels') ? 'switch' : 'levels'
}

/** True if a body has a part that its server may refuse; `think: false` asks for nothing. */
function hasPart(part: OllamaPart, { think }: JsonObject): boolean {
  return part === 'thinking-levels' ? typeof think === 'string' : think !== undefined && think !== false
}
