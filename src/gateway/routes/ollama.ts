import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import {
  asksForLoadOnly,
  type Endpoint,
  encodeLoaded,
  encodePulled,
  encodeRunning,
  encodeSaid,
  encodeShow,
  encodeTags,
  encodeVersion,
  lineHeaders,
  ollama,
  readModel,
  readStream,
} from '../../protocols/ollama/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { Route, RouteContext } from './context.ts'
import { knownModel, modelNames } from './models.ts'
import { api } from './paths.ts'
import { readBody, reply } from './reply.ts'

/** Answers at the root: with JSON, or to a client of Ollama as Ollama does. */
export function greeting({ request }: Pick<RouteContext, 'request'>): GatewayResponse {
  if (!/^ollama/i.test(request.header('user-agent') ?? '')) return json({ name: 'anycall', status: 'ok' })
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Ollama is running' }
}

/** Answers a chat or a prompt. One that is empty has the model loaded, which is the upstream's affair: it is answered as done. */
async function generate(endpoint: Endpoint, context: RouteContext): Promise<GatewayResponse> {
  const body = await readBody(context)
  if (!isJsonObject(body) || !asksForLoadOnly(body, endpoint)) return reply(ollama(endpoint), body, context)
  const model = readModel(body)
  context.models.route(model)
  const isUnload = body.keep_alive === 0 || body.keep_alive === '0'
  const said = encodeSaid({ content: '' }, endpoint)
  return inLines(body, [encodeLoaded(model, Math.floor(Date.now() / 1000), said, isUnload)])
}

/** Answers a request to download a model: one that can be requested is there. */
async function pull(context: RouteContext): Promise<GatewayResponse> {
  const body = await readBody(context)
  context.models.route(readModel(body))
  return inLines(isJsonObject(body) ? body : {}, [{ status: 'pulling manifest' }, encodePulled()])
}

async function show(context: RouteContext): Promise<GatewayResponse> {
  return json(encodeShow(await knownModel(readModel(await readBody(context)), context)))
}

async function listTags(context: RouteContext): Promise<GatewayResponse> {
  return json(await encodeTags(await modelNames(context)))
}

/** Returns objects as a stream of lines, or only the last of them if no stream is asked for. */
function inLines(body: JsonObject, objects: readonly JsonObject[]): GatewayResponse {
  if (!readStream(body)) return json(objects.at(-1))
  const lines = objects.map((object) => `${JSON.stringify(object)}\n`)
  return { status: 200, headers: { ...lineHeaders }, body: lines.join('') }
}

/** The routes of Ollama's API. */
export const ollamaRoutes: readonly Route[] = [
  { method: 'POST', path: RegExp(`^${api}/chat$`), isExchange: true, handle: (context) => generate('chat', context) },
  {
    method: 'POST',
    path: RegExp(`^${api}/generate$`),
    isExchange: true,
    handle: (context) => generate('generate', context),
  },
  { method: 'GET', path: RegExp(`^${api}/tags$`), handle: listTags },
  { method: 'POST', path: RegExp(`^${api}/show$`), handle: show },
  { method: 'POST', path: RegExp(`^${api}/pull$`), handle: pull },
  { method: 'GET', path: RegExp(`^${api}/ps$`), handle: async () => json(encodeRunning()) },
  { method: 'GET', path: RegExp(`^${api}/version$`), isOpen: true, handle: async () => json(encodeVersion()) },
]
