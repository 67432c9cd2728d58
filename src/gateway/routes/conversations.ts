import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import {
  conversationType,
  encodeInputItems,
  encodeItem,
  encodeItems,
  itemsIn,
  itemsToAdd,
  newConversation,
  resolveReferences,
  shownConversation,
  withItemId,
  withMetadata,
} from '../../protocols/openai-responses/index.ts'
import { clientName } from '../http/access/access.ts'
import { type GatewayResponse, queryParameter } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { OwnResponses } from '../stored/response-store.ts'
import type { Route, RouteContext } from './context.ts'
import { v1 } from './paths.ts'
import { readBody } from './reply.ts'

const path = RegExp(`^${v1}/conversations/([\\w-]+)$`)
const itemsPath = RegExp(`^${v1}/conversations/([\\w-]+)/items$`)
const itemPath = RegExp(`^${v1}/conversations/([\\w-]+)/items/([\\w-]+)$`)

/** Returns the store of the request's client. Throws if nothing is kept at all. */
async function storeOf({ request, kept }: RouteContext): Promise<OwnResponses> {
  const own = kept.of(await clientName(request))
  if (own) return own
  throw new AnycallError('not-found', 'No conversations are kept here (limits.responsesMegabytes is 0).')
}

/** Returns the conversation that a request's path names. Throws `not-found`. */
async function keptConversation(context: RouteContext): Promise<JsonObject> {
  const id = [path, itemsPath, itemPath].map((one) => one.exec(context.request.path)?.[1]).find(Boolean) ?? ''
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

/** Replaces the metadata. */
async function update(context: RouteContext): Promise<GatewayResponse> {
  const conversation = withMetadata(await keptConversation(context), await readBody(context))
  await (await storeOf(context)).keep(conversation, [])
  return json(shownConversation(conversation))
}

async function addItems(context: RouteContext): Promise<GatewayResponse> {
  const conversation = await keptConversation(context)
  const store = await storeOf(context)
  const added = (await resolveReferences(itemsToAdd(await readBody(context)), store)).map(withItemId)
  await store.keep({ ...conversation, output: [...itemsIn(conversation), ...added] }, [])
  return json(encodeItems(added))
}

/** Returns the conversation and the item that a request's path names. Throws `not-found`. */
async function keptItem(context: RouteContext): Promise<{ conversation: JsonObject; item: JsonObject }> {
  const conversation = await keptConversation(context)
  const itemId = itemPath.exec(context.request.path)?.[2] ?? ''
  const item = itemsIn(conversation).find(({ id }) => id === itemId)
  if (item) return { conversation, item }
  throw new AnycallError(
    'not-found',
    `Conversation ${conversation.id} has no item ${JSON.stringify(itemId.slice(0, 100))}. GET .../items lists its items.`,
  )
}

async function showItem(context: RouteContext): Promise<GatewayResponse> {
  return json(encodeItem((await keptItem(context)).item))
}

/** Removes an item, and answers with the conversation, as the API does. */
async function removeItem(context: RouteContext): Promise<GatewayResponse> {
  const { conversation, item } = await keptItem(context)
  const output = itemsIn(conversation).filter(({ id }) => id !== item.id)
  await (await storeOf(context)).keep({ ...conversation, output }, [])
  return json(shownConversation(conversation))
}

async function listItems(context: RouteContext): Promise<GatewayResponse> {
  const items = itemsIn(await keptConversation(context))
  const [order, limit, after] = ['order', 'limit', 'after'].map((name) => queryParameter(context.request, name))
  return json(encodeInputItems(items, { order, limit, after }))
}

/** The routes of OpenAI's Conversations API, whose conversations responses continue. */
export const conversationRoutes: readonly Route[] = [
  { method: 'POST', path: RegExp(`^${v1}/conversations$`), handle: create },
  { method: 'GET', path: itemsPath, handle: listItems },
  { method: 'POST', path: itemsPath, handle: addItems },
  { method: 'GET', path: itemPath, handle: showItem },
  { method: 'DELETE', path: itemPath, handle: removeItem },
  { method: 'POST', path, handle: update },
  { method: 'GET', path, handle: show },
  { method: 'DELETE', path, handle: remove },
]
