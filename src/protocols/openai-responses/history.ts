import { AnycallError, isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { invalid, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { inputItems } from './input.ts'
import { conversationType, itemsIn, withId } from './items/kept-conversation.ts'

/** The responses that are kept for later requests; `undefined` if none are. */
export interface ResponseMemory {
  /** Returns the items of an earlier response, its input first; undefined for one that is not kept. */
  itemsOf(responseId: string): Promise<readonly unknown[] | undefined>
  /** Returns the items of earlier responses with the given ids, without those that are not kept. */
  items(itemIds: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>
  /** Returns a response; undefined for one that is not kept. */
  response(responseId: string): Promise<JsonObject | undefined>
  /** Keeps a response. One that cannot be kept is no error of its request. */
  keep(response: JsonObject, input: readonly unknown[]): void | Promise<void>
}

/** The items that a request answers to. */
export interface History {
  items: readonly unknown[]
  /** Keeps a response in the conversation that the request names. */
  keep?(response: JsonObject): void | Promise<void>
}

/**
 * Returns all items of a request: those of its conversation or of the previous response, and its own with their references resolved. Throws
 * `not-found` for a response or a conversation that is not kept.
 */
export async function historyOf(body: JsonObject, memory: ResponseMemory | undefined): Promise<History> {
  const own = memory ? await resolved(inputItems(body.input), memory) : inputItems(body.input)
  const previous = readOptionalString(body.previous_response_id, 'previous_response_id')
  const named = readConversationId(body.conversation)
  if (previous && named)
    throw invalid('conversation', 'cannot be used together with previous_response_id; leave one out')
  if (named) return inConversation(named, own, memory)
  if (!previous) return { items: own }
  const items = await memory?.itemsOf(previous)
  if (items !== undefined) return { items: [...items, ...own] }
  throw notKept('previous_response_id', 'response', previous)
}

async function inConversation(
  id: string,
  own: readonly unknown[],
  memory: ResponseMemory | undefined,
): Promise<History> {
  const kept = await memory?.response(id)
  if (!memory || kept?.object !== conversationType) throw notKept('conversation', 'conversation', id)
  const items = [...itemsIn(kept), ...own.map((item) => (isJsonObject(item) ? withId(item) : item))]
  return {
    items,
    keep: ({ output }) =>
      memory.keep({ ...kept, output: [...items, ...readArray(output ?? [], 'output')].filter(isJsonObject) }, []),
  }
}

function readConversationId(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value || undefined
  return readString(readObject(value, 'conversation').id, 'conversation.id')
}

function notKept(field: string, what: string, id: string): AnycallError {
  const shown = JSON.stringify(id.slice(0, 100))
  return new AnycallError(
    'not-found',
    `${field}: no ${what} ${shown} is kept here; send the whole conversation in input`,
    { param: field },
  )
}

/** Returns the items with those of earlier responses in place of the references to them. */
export async function resolved<Item>(
  items: readonly Item[],
  memory: ResponseMemory | undefined,
): Promise<readonly (Item | JsonObject)[]> {
  const ids = items.flatMap((item) => referenceIn(item) ?? [])
  if (memory === undefined || ids.length === 0) return items
  const found = await memory.items([...new Set(ids)])
  return items.map((item) => found.get(referenceIn(item) ?? '') ?? item)
}

/** Returns the id in a reference to an item; undefined for another item. */
function referenceIn(item: unknown): string | undefined {
  if (!isJsonObject(item) || typeof item.id !== 'string') return undefined
  const isReference = item.type === 'item_reference' || (item.type === undefined && item.role === undefined)
  return isReference ? item.id : undefined
}
