import { encodeModel as asAnthropic, encodeModelList as listAsAnthropic } from '../../protocols/anthropic/index.ts'
import { encodeModel as asGemini, encodeModelList as listAsGemini } from '../../protocols/gemini/index.ts'
import { encodeModel as asOpenAI, encodeModelList as listAsOpenAI } from '../../protocols/openai-chat/index.ts'
import type { ModelsQuery } from '../../upstreams/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { ModelsFailed } from '../serve/models.ts'
import { speaksAnthropic, speaksGemini } from './clients.ts'
import type { RouteContext } from './context.ts'

import { decodePath } from './paths.ts'

/** A model, and its known properties. */
export interface NamedModel {
  id: string
  contextLength?: number
  seesImages?: boolean
}

/** Returns the models that can be requested. */
export async function modelNames(context: RouteContext): Promise<NamedModel[]> {
  const names = await context.models.list(queryOf(context), failedIn(context))
  return names.map((id) => ({ id }))
}

/** Returns the known properties of a model. Throws `not-found` for one that no rule names. */
export async function knownModel(id: string, context: RouteContext): Promise<NamedModel> {
  const { candidates } = context.models.route(id)
  const { textOnly } = context.knowledge
  const contextLength = await context.models.contextLength(id, queryOf(context), failedIn(context))
  return {
    id,
    seesImages: candidates.some((candidate) => !textOnly.has(candidate)),
    ...(contextLength !== undefined && { contextLength }),
  }
}

function queryOf({ signal, clientKey }: RouteContext): ModelsQuery {
  return clientKey === undefined ? { signal } : { signal, clientKey }
}

function failedIn({ log, requestLog: { requestId } }: RouteContext): ModelsFailed {
  return (upstream, error) =>
    log('warn', 'models-unavailable', {
      requestId,
      upstream: upstream.name,
      error: error instanceof Error ? error.message : String(error),
    })
}

/** Lists the models that can be requested. The APIs share the path, so the client decides the form. */
export async function listModels(context: RouteContext): Promise<GatewayResponse> {
  const models = await modelNames(context)
  if (speaksAnthropic(context.request)) {
    return json(listAsAnthropic(models.map(({ id }) => ({ id: context.models.anthropicName(id), name: id }))))
  }
  return json(speaksGemini(context.request) ? listAsGemini(models) : listAsOpenAI(models))
}

/** Shows the model that a path names. */
export async function showModel(context: RouteContext): Promise<GatewayResponse> {
  const { path } = context.request
  const id = decodePath(path.slice(path.indexOf('/models/') + '/models/'.length))
  context.models.route(id)
  if (speaksAnthropic(context.request)) return json(asAnthropic(await knownModel(id, context)))
  return json(speaksGemini(context.request) ? asGemini(await knownModel(id, context)) : asOpenAI({ id }))
}
