import type { ChatTemplate } from '../../templates/index.ts'
import { HttpApi, type HttpApiStyle } from '../http/api.ts'
import { forwardingTo, openaiEndpoints } from '../http/forwarding.ts'
import { withRetries } from '../http/retry.ts'
import { chatGeneration } from '../openai-chat/generation.ts'
import { readModels } from '../openai-chat/openai-chat.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  PromptRequest,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import type { EngineOptions } from './completions.ts'
import { Constraints } from './constraints.ts'
import { heldGrammar } from './held-grammar.ts'
import { completionFormat } from './llama-server-chunk.ts'
import { LlamaServerProps, templateRefused } from './llama-server-props.ts'
import { encodePrompt, withoutNamedChoice } from './llama-server-request.ts'
import { ReplyStops } from './reply-stops.ts'

/** The server's own API is at the root, OpenAI's below `/v1`. Users paste the URL of either. */
const llamaServerStyle: HttpApiStyle = {
  path: '',
  endpoints: [/\/(?:completions?|chat\/completions|props)$/, /\/v1$/],
}

/**
 * An upstream for llama.cpp's server: it shows its model's chat template, and takes prompts with a grammar. Throws an AnycallError for
 * options that are wrong.
 */
export function createLlamaServerUpstream(options: EngineOptions): Upstream {
  const api = new HttpApi(options, llamaServerStyle)
  const { name } = options
  const props = new LlamaServerProps(api)
  const constraints = new Constraints(name)
  const chat = chatGeneration(api, {
    path: '/v1/chat/completions',
    takesTemplateVariables: true,
    formatForbidsCalls: true,
  })

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    try {
      switch (request.type) {
        case 'prompt':
          return await complete(request, context)
        case 'tools':
          return await chat(withoutNamedChoice(request), context)
        case 'messages':
          return await chat(request, context)
      }
    } catch (error) {
      props.forget(request.model)
      throw error
    }
  }

  async function complete(request: PromptRequest, context: GenerationContext): Promise<AsyncIterable<UpstreamEvent[]>> {
    const { addedStart } = await withRetries(() => props.of(request.model, context), {
      ...context,
      retries: options.retries ?? 2,
    })
    // A second one spoils the reply of many models.
    const prompt = request.prompt.startsWith(addedStart) ? request.prompt.slice(addedStart.length) : request.prompt
    return constraints.generate(request, context, (constrained, before) => {
      const held = heldGrammar(constrained.constraint)
      const onModel = (model: string) => props.sawModel(request.model, model)
      return api.stream(
        {
          path: '/completion',
          body: () => encodePrompt(constrained, prompt, held),
          format: () =>
            completionFormat(onModel, new ReplyStops(held?.triggers ? constrained.stops : [], held?.triggers)),
          before: () => before,
        },
        context,
      )
    })
  }

  async function template(model: string, context: GenerationContext): Promise<ChatTemplate | undefined> {
    const { template, templateError } = await props.of(model, context)
    if (templateError !== undefined) throw templateRefused(name, templateError)
    return template
  }

  async function models(query: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const { value, text } = await api.ask('/v1/models', query)
    return readModels(api.source(query.clientKey), value, text)
  }

  return {
    name,
    type: 'llama-server',
    abilities: {
      requests: ['prompt', 'messages', 'tools'],
      responseFormat: true,
      constraint: options.grammars ?? 'gbnf',
    },
    models,
    generate,
    forwarding: forwardingTo(api, new Map(openaiEndpoints('/v1'))),
    template,
    callsTools: async (model, context) => (await props.of(model, context)).callsTools,
    countTokens: (text, model, context) => props.countTokens(model, text, context),
  }
}
