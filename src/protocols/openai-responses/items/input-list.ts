import { isJsonObject, type JsonObject } from '../../../conversation/index.ts'
import { invalid } from '../../fields.ts'

/** The number of items in a list without a limit, and the greatest limit. */
const usualLimit = 20
const mostItems = 100

/** The parameters of a list, as the query has them. */
export interface ListParameters {
  order?: string | undefined
  limit?: string | undefined
  after?: string | undefined
}

/**
 * Encodes the input of a response as `GET /v1/responses/{id}/input_items` answers it: the newest first unless `order` is `asc`,
 * from the item after the one that `after` names. Throws an AnycallError `invalid-request`.
 */
export function encodeInputItems(items: readonly unknown[], { order, limit, after }: ListParameters): JsonObject {
  if (order !== undefined && order !== 'asc' && order !== 'desc') throw invalid('order', 'expected asc or desc')
  const count = limit === undefined ? usualLimit : Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > mostItems) {
    throw invalid('limit', `expected a whole number from 1 to ${mostItems}`)
  }
  const all = listedOnce(items.filter(isJsonObject))
  if (order !== 'asc') all.reverse()
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) throw invalid('after', 'names no item of this list')
  return listOf(all.slice(start, start + count), start + count < all.length)
}

/** Encodes items as one list, the first one first. */
export function encodeItems(items: readonly JsonObject[]): JsonObject {
  return listOf(listedOnce(items), false)
}

/** Encodes an item as lists of items have it. */
export function encodeItem(item: JsonObject): JsonObject {
  return listed(item, idIn(item) ?? 'item_0')
}

function listOf(data: JsonObject[], hasMore: boolean): JsonObject {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  }
}

/**
 * Returns the items as a list has them, each with an id of its own, so that `after` names one place. The same items always get the same ids. Of
 * several items with one id, the first keeps it.
 */
function listedOnce(items: readonly JsonObject[]): JsonObject[] {
  const given = new Set(items.map(idIn))
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return items.map((item, index) => {
    const own = idIn(item)
    const wanted = own ?? `item_${index}`
    let id = wanted
    let count = counts.get(wanted) ?? 1
    while (taken.has(id) || (id !== own && given.has(id))) id = `${wanted}_${++count}`
    counts.set(wanted, count)
    taken.add(id)
    return listed(item, id)
  })
}

function idIn({ id }: JsonObject): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Returns an item as a list has it: with an id, and with all members that clients may leave out. */
function listed(item: JsonObject, id: string): JsonObject {
  if (item.role !== undefined) return { status: 'completed', ...item, id, type: 'message', content: partsOf(item) }
  if (item.call_id === undefined) return { ...item, id }
  return { status: 'completed', ...completed(item), id }
}

/** Adds the members of shell calls and their results that clients may leave out, and lists have. */
function completed(item: JsonObject): JsonObject {
  if (item.type === 'shell_call_output') return { max_output_length: null, ...item }
  if (item.type !== 'shell_call' || !isJsonObject(item.action)) return item
  return { environment: null, ...item, action: { timeout_ms: null, max_output_length: null, ...item.action } }
}

/** Returns the parts of a message, each with all members that clients may leave out; a text is one part. */
export function partsOf({ content, role }: JsonObject): JsonObject['content'] {
  if (typeof content === 'string')
    return [completePart({ type: role === 'assistant' ? 'output_text' : 'input_text', text: content })]
  return Array.isArray(content) ? content.map((part) => (isJsonObject(part) ? completePart(part) : part)) : []
}

function completePart(part: JsonObject): JsonObject {
  if (part.type === 'output_text')
    return { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] }
  return part.type === 'input_image' ? { ...part, detail: part.detail ?? 'auto' } : part
}
