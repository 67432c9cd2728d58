import {
  encodeModel as encodeAnthropicModel,
  encodeModelList as encodeAnthropicModels,
} from '../../protocols/anthropic/index.ts'
import {
  encodeModel as encodeOpenAIModel,
  encodeModelList as encodeOpenAIModels,
} from '../../protocols/openai-chat/index.ts'
import type { GatewayRequest, GatewayResponse } from './http.ts'
import { json } from './json-answer.ts'
import type { RouteContext } from './routes.ts'

/** Lists the models that can be requested. */
export async function listModels(context: RouteContext): Promise<GatewayResponse> {
  const { signal, clientKey } = context
  const query = clientKey === undefined ? { signal } : { signal, clientKey }
  const names = await context.models.list(query, (upstream, error) =>
    context.log('warn', 'models-unavailable', {
      requestId: context.requestLog.requestId,
      upstream: upstream.name,
      error: error instanceof Error ? error.message : String(error),
    }),
  )
  const models = names.map((id) => ({ id }))
  return json(wantsAnthropic(context.request) ? encodeAnthropicModels(models) : encodeOpenAIModels(models))
}

/** Shows the model that a path names. */
export async function showModel(context: RouteContext): Promise<GatewayResponse> {
  const name = decodePath(context.request.path.replace(/^.*?\/models\//, ''))
  context.models.route(name)
  const model = { id: name }
  return json(wantsAnthropic(context.request) ? encodeAnthropicModel(model) : encodeOpenAIModel(model))
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not percent-encoded: the name is used as it is.
    return path
  }
}

/** The two APIs share the path of their models; Anthropic's clients always send their version. */
function wantsAnthropic(request: GatewayRequest): boolean {
  return request.header('anthropic-version') !== undefined
}
