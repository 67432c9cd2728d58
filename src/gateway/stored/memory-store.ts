import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { KeptBounds, OwnResponses, ResponseStore } from './response-store.ts'
import { listIn, objectIn } from './stored-json.ts'

interface Kept {
  owner: string
  /** The response and its input as JSON: a text has a known size, and shares nothing with the request. */
  response: string
  input: string
  itemIds: string[]
  until: number
}

/**
 * Keeps responses in the memory of this process. The oldest are forgotten when all together would be too many bytes. Clients see only
 * responses to requests with their own key.
 */
export class MemoryStore implements ResponseStore {
  readonly #bounds: KeptBounds
  readonly #now: () => number
  /** The oldest comes first. */
  readonly #kept = new Map<string, Kept>()
  readonly #holders = new Map<string, string>()
  #bytes = 0

  /** `now` returns milliseconds. */
  constructor(bounds: KeptBounds, now: () => number = Date.now) {
    this.#bounds = bounds
    this.#now = now
  }

  /** The bytes that are kept now, as UTF-16. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the responses of a client; undefined if none are kept at all. */
  of(owner: string): OwnResponses | undefined {
    if (this.#bounds.bytes === 0) return undefined
    return {
      keep: (response, input) => this.#keep(owner, response, input),
      itemsOf: async (id) => {
        const kept = this.#find(owner, id)
        return kept && [...listIn(kept.input), ...outputOf(kept)]
      },
      items: async (ids) => {
        const found = new Map<string, JsonObject>()
        for (const itemId of ids) {
          const kept = this.#find(owner, this.#holders.get(itemId) ?? '')
          const item = kept && outputOf(kept).find(({ id }) => id === itemId)
          if (item) found.set(itemId, item)
        }
        return found
      },
      response: async (id) => {
        const kept = this.#find(owner, id)
        return kept && objectIn(kept.response)
      },
      inputOf: async (id) => {
        const kept = this.#find(owner, id)
        return kept && listIn(kept.input)
      },
      delete: async (id) => this.#find(owner, id) !== undefined && this.#forget(id),
    }
  }

  #keep(owner: string, response: JsonObject, input: readonly unknown[]): void {
    if (typeof response.id !== 'string') return
    const { id, output } = response
    const items = Array.isArray(output) ? output.filter(isJsonObject) : []
    const itemIds = items.map((item) => item.id).filter((itemId) => typeof itemId === 'string')
    const kept: Kept = {
      owner,
      response: JSON.stringify(response),
      input: JSON.stringify(input),
      itemIds,
      until: this.#now() + this.#bounds.ms,
    }
    this.#forget(id)
    this.#kept.set(id, kept)
    for (const itemId of itemIds) this.#holders.set(itemId, id)
    this.#bytes += sizeOf(kept)
    this.#makeRoom()
  }

  #makeRoom(): void {
    const now = this.#now()
    for (const [id, { until }] of this.#kept) {
      if (this.#bytes <= this.#bounds.bytes && until > now) break
      this.#forget(id)
    }
  }

  #find(owner: string, id: string): Kept | undefined {
    const kept = this.#kept.get(id)
    if (!kept || kept.owner !== owner) return undefined
    if (kept.until > this.#now()) return kept
    this.#forget(id)
    return undefined
  }

  #forget(id: string): boolean {
    const kept = this.#kept.get(id)
    if (!kept) return false
    this.#kept.delete(id)
    for (const itemId of kept.itemIds) this.#holders.delete(itemId)
    this.#bytes -= sizeOf(kept)
    return true
  }
}

/** The size of a few fields and of the entries of two maps. */
const overhead = 500

function sizeOf({ response, input }: Kept): number {
  return 2 * (response.length + input.length) + overhead
}

function outputOf(kept: Kept): JsonObject[] {
  const { output } = objectIn(kept.response)
  return Array.isArray(output) ? output.filter(isJsonObject) : []
}
