import { AnycallError, type JsonObject, type JsonValue, RecentMap } from '../../conversation/index.ts'
import type { StructuralTag } from '../../grammar/index.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { forwardingTo, openaiEndpoints } from '../http/forwarding.ts'
import { withRetries } from '../http/retry.ts'
import { chatGeneration } from '../openai-chat/generation.ts'
import { readModels } from '../openai-chat/openai-chat.ts'
import { encodeSampling } from '../openai-chat/request.ts'
import { readContextOverflow } from '../refusals/context-length.ts'
import { readErrorText } from '../refusals/error-text.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  PromptRequest,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import { completionsFormat } from './completions-chunk.ts'
import { Constraints, stopsBeside } from './constraints.ts'
import { tokenize } from './server-tokens.ts'

export interface EngineOptions extends HttpApiOptions {
  /** For an engine with llguidance: constraints are grammars in Lark, instead of the engine's own. */
  grammars?: 'lark'
}

/** The differences between servers with the same completions API. */
export interface CompletionsServer {
  type: 'vllm' | 'sglang'
  /** Fields that are sent with each prompt. */
  fields: JsonObject
  /** The fields that hold a reply to a structural tag. */
  constrain(tag: StructuralTag): JsonObject
  /** The fields that hold a reply to a grammar in Lark. */
  constrainByLark(grammar: string): JsonObject
  /** The prompt goes as tokens: the server would put the model's first token before a text, which the prompt has already. */
  sendsTokens: boolean
  /** The context's length comes from the list of models; else from `/tokenize`. */
  lengthFromModels: boolean
  /** The number of tokens of the context that must stay free. */
  reserve: number
}

/** OpenAI's API is below `/v1`, the servers' own API at the root. */
const style: HttpApiStyle = { path: '', endpoints: [/\/(?:completions|chat\/completions)$/, /\/v1$/] }

/** The API's own default is 16 tokens. Used only if the server cannot report the room that is left. */
const maxTokensUnsaid = 8192

/** An upstream for a server that takes prompts on `/v1/completions`. Throws an AnycallError for options that are wrong. */
export function createCompletionsUpstream(options: EngineOptions, server: CompletionsServer): Upstream {
  const api = new HttpApi(options, style)
  const { name } = options
  const constraints = new Constraints(name)
  const chat = chatGeneration(api, {
    path: '/v1/chat/completions',
    takesTemplateVariables: true,
    formatForbidsCalls: true,
  })
  /** By model. */
  const contextLengths = new RecentMap<string, number>()

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    return request.type === 'prompt' ? complete(request, context) : chat(request, context)
  }

  async function complete(request: PromptRequest, context: GenerationContext): Promise<AsyncIterable<UpstreamEvent[]>> {
    const isMeasured = server.sendsTokens || request.maxTokens === undefined
    const measured = isMeasured ? await measure(request, context) : undefined
    const prompt = (server.sendsTokens ? measured?.ids : undefined) ?? request.prompt
    const room = measured?.room ?? Number.POSITIVE_INFINITY
    const maxTokens = Math.min(request.maxTokens ?? measured?.room ?? maxTokensUnsaid, room)
    return constraints.generate(request, context, (constrained, before) =>
      api.stream<JsonObject>(
        {
          path: '/v1/completions',
          body: () => encode(constrained, prompt, maxTokens),
          format: () => completionsFormat,
          reduce: (body, status, text) =>
            body.max_tokens === maxTokens ? withLessOutput(body, status, text, request, context) : undefined,
          before: () => before,
        },
        context,
      ),
    )
  }

  function encode(request: PromptRequest, prompt: JsonValue, maxTokens: number): JsonObject {
    const { model, constraint, sampling } = request
    const stops = stopsBeside(request)
    return {
      model,
      prompt,
      // If nothing fits, the server's own error is shown.
      max_tokens: Math.max(1, maxTokens),
      stream: true,
      stream_options: { include_usage: true },
      ...encodeSampling(sampling),
      ...(stops.length > 0 && { stop: [...stops] }),
      ...server.fields,
      ...(constraint?.type === 'structural-tag' && server.constrain(constraint.tag)),
      ...(constraint?.type === 'lark' && server.constrainByLark(constraint.grammar.grammar)),
    }
  }

  /**
   * Repeats a request that was refused because it asked for more output than there is room for, with as much as fits.
   * Done once.
   */
  async function withLessOutput(
    body: JsonObject,
    status: number,
    text: string,
    request: PromptRequest,
    context: GenerationContext,
  ): Promise<JsonObject | undefined> {
    const overflow = status === 400 ? readContextOverflow(readErrorText(text), text) : undefined
    if (!overflow) return undefined
    // The numbers in the refusal are not always the prompt's own: vLLM stops counting once it is too long.
    const said = overflow.type === 'prompt-and-output' ? overflow.maximum - overflow.prompt - server.reserve : 0
    const room = (await measure(request, context))?.room ?? said
    if (room < 1 || room >= Number(body.max_tokens)) return undefined
    context.log('info', 'upstream.max-tokens-lowered', { upstream: name, from: body.max_tokens, to: room })
    return { ...body, max_tokens: room }
  }

  /**
   * The number of tokens of a prompt, and the most that may come after it; undefined if the server does not count them,
   * or not for this client.
   */
  async function measure(
    { model, prompt }: PromptRequest,
    context: GenerationContext,
  ): Promise<{ ids: number[]; room?: number } | undefined> {
    const attempt = async (): Promise<{ ids: number[]; room?: number }> => {
      const { ids, contextLength } = await tokenize(api, model, prompt, context)
      const length = server.lengthFromModels ? await contextLengthOf(model, context) : contextLength
      return length === undefined ? { ids } : { ids, room: length - ids.length - server.reserve }
    }
    try {
      return await withRetries(attempt, { ...context, retries: options.retries ?? 2 })
    } catch (error) {
      if (AnycallError.isInstance(error) && (error.code === 'not-found' || error.code === 'permission'))
        return undefined
      throw error
    }
  }

  async function contextLengthOf(model: string, context: GenerationContext): Promise<number | undefined> {
    if (!contextLengths.has(model)) {
      const lengths = (await models(context)).flatMap(({ id, contextLength }) =>
        contextLength === undefined ? [] : [{ id, contextLength }],
      )
      // An adapter of the one model that is served is not in the list.
      const found = lengths.find(({ id }) => id === model) ?? lengths[0]
      if (found) contextLengths.set(model, found.contextLength)
    }
    return contextLengths.get(model)
  }

  async function models({ signal, clientKey, attempts }: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const context = {
      ...(signal && { signal }),
      ...(clientKey !== undefined && { clientKey }),
      ...(attempts && { attempts }),
    }
    const { value, text } = await api.ask('/v1/models', context)
    return readModels(api.source(clientKey), value, text)
  }

  return {
    name,
    type: server.type,
    abilities: {
      requests: ['prompt', 'messages', 'tools'],
      responseFormat: true,
      constraint: options.grammars ?? 'structural-tag',
    },
    models,
    generate,
    forwarding: forwardingTo(api, new Map(openaiEndpoints('/v1'))),
    countTokens: async (text, model, context) => (await tokenize(api, model, text, context)).ids.length,
  }
}
