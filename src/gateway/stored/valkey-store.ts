import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { OwnResponses, ResponseStore, SharedStoreOptions } from './response-store.ts'
import { listIn, objectIn } from './stored-json.ts'
import { ValkeyConnection } from './valkey-connection.ts'
import { countKeys, deleteScript, itemKey, keepScript, responseKey } from './valkey-scripts.ts'

/** The number of items that one question asks for. */
const itemsAtOnce = 100

/**
 * Creates a store in a server of Valkey or Redis, which several gateways share. Nothing is loaded or connected before the first use.
 * Responses are forgotten as in memory: after their time, and the oldest when all together would be too many bytes. Keys of the server
 * contain the owner's name, so that nobody finds the responses of others.
 */
export function createValkeyStore(options: SharedStoreOptions): ResponseStore {
  const connection = new ValkeyConnection({ ...options, use: 'responses' })
  return {
    of: (owner) => (options.bytes === 0 ? undefined : new OwnInValkey(connection, owner, options)),
    close: () => connection.close(),
  }
}

class OwnInValkey implements OwnResponses {
  readonly #connection: ValkeyConnection
  readonly #owner: string
  readonly #bounds: Pick<SharedStoreOptions, 'bytes' | 'ms'>

  constructor(connection: ValkeyConnection, owner: string, bounds: Pick<SharedStoreOptions, 'bytes' | 'ms'>) {
    this.#connection = connection
    this.#owner = owner
    this.#bounds = bounds
  }

  /** A failure is reported by the connection: the response itself can go out. */
  async keep(response: JsonObject, input: readonly unknown[]): Promise<void> {
    const { id, output } = response
    if (typeof id !== 'string') return
    const texts = [JSON.stringify(response), JSON.stringify(input)]
    const items = (Array.isArray(output) ? output : []).flatMap((item) =>
      isJsonObject(item) && typeof item.id === 'string' ? [item.id, JSON.stringify(item)] : [],
    )
    // The server would refuse it as too large.
    if (texts.reduce((sum, text) => sum + text.length, 0) > this.#bounds.bytes) return
    const { ms, bytes } = this.#bounds
    const given = [`${this.#owner}:${id}`, Math.ceil(ms), bytes, ...texts, ...items]
    await this.#connection
      .ask((client) => client.eval(keepScript, countKeys.length, ...countKeys, ...given), false)
      .catch(() => {})
  }

  async itemsOf(id: string): Promise<readonly unknown[] | undefined> {
    const [input, response] = await this.#connection.ask(
      (client) => client.hmget(this.#key(id), 'input', 'response'),
      true,
    )
    if (!input || !response) return undefined
    const { output } = objectIn(response)
    return [...listIn(input), ...(Array.isArray(output) ? output : [])]
  }

  async items(itemIds: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    const found = new Map<string, JsonObject>()
    for (let at = 0; at < itemIds.length; at += itemsAtOnce) {
      const ids = itemIds.slice(at, at + itemsAtOnce)
      const keys = ids.map((id) => itemKey(this.#owner, id))
      const texts = await this.#connection.ask((client) => client.mget(...keys), true)
      for (const [index, id] of ids.entries()) {
        const text = texts[index]
        if (text) found.set(id, objectIn(text))
      }
    }
    return found
  }

  async response(id: string): Promise<JsonObject | undefined> {
    const text = await this.#connection.ask((client) => client.hget(this.#key(id), 'response'), true)
    return text === null ? undefined : objectIn(text)
  }

  async inputOf(id: string): Promise<readonly unknown[] | undefined> {
    const text = await this.#connection.ask((client) => client.hget(this.#key(id), 'input'), true)
    return text === null ? undefined : listIn(text)
  }

  async delete(id: string): Promise<boolean> {
    const member = `${this.#owner}:${id}`
    const count = await this.#connection.ask(
      (client) => client.eval(deleteScript, countKeys.length, ...countKeys, member),
      true,
    )
    return count === 1
  }

  #key(id: string): string {
    return responseKey(this.#owner, id)
  }
}
