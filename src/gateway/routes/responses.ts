import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import type { Seals } from '../../protocols/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import {
  conversationType,
  encodeInputItems,
  encodeInputTokens,
  openaiCompact,
  openaiResponses,
  type Services,
} from '../../protocols/openai-responses/index.ts'
import { clientName } from '../http/access/access.ts'
import { type GatewayRequest, type GatewayResponse, queryParameter } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { ResponseStore } from '../stored/response-store.ts'
import type { Route, RouteContext } from './context.ts'
import { v1 } from './paths.ts'
import { countTokens, readBody, reply } from './reply.ts'

/** The path of a response, and of what belongs to it. */
const responsePath = RegExp(`^${v1}/responses/([\\w-]+)(?:/\\w+)?$`)

interface Shared {
  request: GatewayRequest
  seals: Seals
  kept: ResponseStore
}

/** Returns the services for decoding a request of the Responses API: the stored responses of the same client. */
async function responsesServices({ request, seals, kept }: Shared): Promise<Services> {
  const memory = kept.of(await clientName(request))
  return memory ? { seals, memory } : { seals }
}

/** Returns the response that a request's path names. Throws `not-found`. */
async function keptResponse(request: GatewayRequest, kept: ResponseStore): Promise<JsonObject> {
  const id = responsePath.exec(request.path)?.[1] ?? ''
  const response = await kept.of(await clientName(request))?.response(id)
  if (response && response.object !== conversationType) return response
  throw new AnycallError(
    'not-found',
    `No response ${JSON.stringify(id.slice(0, 100))} is kept here. Responses are kept for a while (limits.responsesMinutes), unless they were asked for with "store": false.`,
  )
}

function isWebSocket(request: GatewayRequest): boolean {
  return request.header('upgrade')?.toLowerCase() === 'websocket'
}

/** Refuses a WebSocket. On this status Codex asks by HTTP at once; it repeats a request that fails otherwise. */
async function refuseWebSocket({ requestLog }: { requestLog: RequestLog }): Promise<GatewayResponse> {
  const error = new AnycallError('method-not-allowed', 'No WebSockets are served here; send the request by POST.')
  const { body } = openaiChat.encodeError(error, requestLog.requestId)
  return { status: 426, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function respond(context: RouteContext): Promise<GatewayResponse> {
  return reply(openaiResponses(await responsesServices(context)), await readBody(context), context)
}

async function compact(context: RouteContext): Promise<GatewayResponse> {
  return reply(openaiCompact(await responsesServices(context)), await readBody(context), context)
}

async function countInputTokens(context: RouteContext): Promise<GatewayResponse> {
  const protocol = openaiResponses(await responsesServices(context))
  const { conversation } = await protocol.decode(await readBody(context))
  return json(encodeInputTokens(await countTokens(conversation, protocol.ids.call, context)))
}

async function showResponse({ request, kept }: RouteContext): Promise<GatewayResponse> {
  const response = await keptResponse(request, kept)
  // A client that asked for events would read the JSON as a stream without any.
  if (queryParameter(request, 'stream') === 'true') {
    throw new AnycallError(
      'invalid-request',
      'stream: a response that is kept cannot be streamed; leave stream out to get it whole.',
      { param: 'stream' },
    )
  }
  return json(response)
}

async function deleteResponse({ request, kept }: RouteContext): Promise<GatewayResponse> {
  const { id } = await keptResponse(request, kept)
  await kept.of(await clientName(request))?.delete(String(id))
  return json({ id, object: 'response', deleted: true })
}

async function listInputItems({ request, kept }: RouteContext): Promise<GatewayResponse> {
  const { id } = await keptResponse(request, kept)
  const items = (await kept.of(await clientName(request))?.inputOf(String(id))) ?? []
  const parameter = (name: string): string | undefined => queryParameter(request, name)
  const [order, limit, after] = [parameter('order'), parameter('limit'), parameter('after')]
  return json(encodeInputItems(items, { order, limit, after }))
}

/** Refuses to cancel a response: one that a client can name has ended. */
async function cancelResponse({ request, kept }: RouteContext): Promise<GatewayResponse> {
  await keptResponse(request, kept)
  throw new AnycallError(
    'invalid-request',
    'Cannot cancel a synchronous response, and none are made in the background here. To stop a response, close its connection.',
  )
}

/** A path under that of a response. */
const under = (name: string) => RegExp(`^${v1}/responses/[\\w-]+/${name}$`)

/** The routes of the Responses API. */
export const responsesRoutes: readonly Route[] = [
  { method: 'POST', path: RegExp(`^${v1}/responses$`), isExchange: true, handle: respond },
  { method: 'POST', path: RegExp(`^${v1}/responses/compact$`), isExchange: true, handle: compact },
  { method: 'GET', path: RegExp(`^${v1}/responses$`), matches: isWebSocket, handle: refuseWebSocket },
  { method: 'POST', path: RegExp(`^${v1}/responses/input_tokens$`), handle: countInputTokens },
  { method: 'GET', path: under('input_items'), handle: listInputItems },
  { method: 'POST', path: under('cancel'), handle: cancelResponse },
  { method: 'GET', path: RegExp(`^${v1}/responses/[\\w-]+$`), handle: showResponse },
  { method: 'DELETE', path: RegExp(`^${v1}/responses/[\\w-]+$`), handle: deleteResponse },
]
