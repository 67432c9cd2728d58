import { AnycallError, isJsonObject, type JsonObject } from '../../conversation/index.ts'
import {
  conversationType,
  encodeInputItems,
  newConversation,
  shownConversation,
} from '../../protocols/openai-responses/index.ts'
import { clientName } from '../http/access.ts'
import { type GatewayResponse, queryParameter } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { OwnResponses } from '../stored/response-store.ts'
import type { Route, RouteContext } from './context.ts'
import { v1 } from './paths.ts'
import { readBody } from './reply.ts'

const path = RegExp(`^${v1}/conversations/([\\w-]+)$`)
const itemsPath = RegExp(`^${v1}/conversations/([\\w-]+)/items$`)

/** Returns the store of the request's client. Throws if nothing is kept at all. */
async function storeOf({ request, kept }: RouteContext): Promise<OwnResponses> {
  const own = kept.of(await clientName(request))
  if (own) return own
  throw new AnycallError('not-found', 'No conversations are kept here (limits.responsesMegabytes is 0).')
}

/** Returns the conversation that a request's path names. Throws `not-found`. */
async function keptConversation(context: RouteContext): Promise<JsonObject> {
  const id = (path.exec(context.request.path) ?? itemsPath.exec(context.request.path))?.[1] ?? ''
  const conversation = await (await storeOf(context)).response(id)
  if (conversation?.object === conversationType) return conversation
  throw new AnycallError(
    'not-found',
    `No conversation ${JSON.stringify(id.slice(0, 100))} is kept here. Conversations are kept for a while after their last response (limits.responsesMinutes).`,
  )
}

async function create(context: RouteContext): Promise<GatewayResponse> {
  const conversation = newConversation(await readBody(context), Math.floor(Date.now() / 1000))
  await (await storeOf(context)).keep(conversation, [])
  return json(shownConversation(conversation))
}

async function show(context: RouteContext): Promise<GatewayResponse> {
  return json(shownConversation(await keptConversation(context)))
}

async function remove(context: RouteContext): Promise<GatewayResponse> {
  const { id = null } = await keptConversation(context)
  await (await storeOf(context)).delete(String(id))
  return json({ id, object: `${conversationType}.deleted`, deleted: true })
}

async function listItems(context: RouteContext): Promise<GatewayResponse> {
  const { output } = await keptConversation(context)
  const items = Array.isArray(output) ? output.filter(isJsonObject) : []
  const [order, limit, after] = ['order', 'limit', 'after'].map((name) => queryParameter(context.request, name))
  return json(encodeInputItems(items, { order, limit, after }))
}

/** The routes of OpenAI's Conversations API, whose conversations responses continue. */
export const conversationRoutes: readonly Route[] = [
  { method: 'POST', path: RegExp(`^${v1}/conversations$`), handle: create },
  { method: 'GET', path: itemsPath, handle: listItems },
  { method: 'GET', path, handle: show },
  { method: 'DELETE', path, handle: remove },
]
