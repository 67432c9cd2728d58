import { isJsonObject, type JsonObject, newId } from '../../../conversation/index.ts'
import { invalid, readArray, readObject } from '../../fields.ts'

/** The `object` of a conversation. It is kept as a response is: its items are the output. */
export const conversationType = 'conversation'

/** Returns a conversation as it is kept, from the body of `POST /v1/conversations`. */
export function newConversation(body: unknown, created: number): JsonObject {
  const { items, metadata } = body === undefined ? {} : readObject(body, 'body')
  return {
    id: newId('conv_'),
    object: conversationType,
    created_at: created,
    metadata: readMetadata(metadata),
    output: readItems(items ?? []).map(withId),
  }
}

/** Returns a conversation with the metadata of the body of `POST /v1/conversations/{id}`: in place of all that it had. */
export function withMetadata(conversation: JsonObject, body: unknown): JsonObject {
  const { metadata } = readObject(body, 'body')
  if (metadata === undefined) throw invalid('metadata', 'is missing; send an object, which replaces the whole metadata')
  return { ...conversation, metadata: readMetadata(metadata) }
}

/** Returns the items in the body of `POST /v1/conversations/{id}/items`. */
export function itemsToAdd(body: unknown): JsonObject[] {
  const items = readItems(readObject(body, 'body').items)
  if (items.length === 0) throw invalid('items', 'is empty; send the items to add')
  return items
}

/** Returns a conversation as a client sees it. */
export function shownConversation({ output: _, ...conversation }: JsonObject): JsonObject {
  return conversation
}

/** Returns the items of a conversation that is kept. */
export function itemsIn({ output }: JsonObject): JsonObject[] {
  return Array.isArray(output) ? output.filter(isJsonObject) : []
}

/** Returns an item with an id, as the API gives one to each item of a conversation; others refer to it by this id. */
export function withId(item: JsonObject): JsonObject {
  return typeof item.id !== 'string' ? { ...item, id: newId('item_') } : item
}

function readItems(value: unknown): JsonObject[] {
  return readArray(value, 'items').map((item, index) => readObject(item, `items[${index}]`))
}

/** Metadata may be null, which means none. */
function readMetadata(value: unknown): JsonObject {
  return value === undefined || value === null ? {} : readObject(value, 'metadata')
}
