import type { JsonObject } from '../../conversation/index.ts'
import type { ResponseMemory } from '../../protocols/openai-responses/index.ts'

/** The size and the age up to which responses are kept. */
export interface KeptBounds {
  bytes: number
  ms: number
}

/** The responses of one client. Each method rejects with `unavailable` if the store cannot be asked. */
export interface OwnResponses extends ResponseMemory {
  /** Returns a response; undefined for one that is not kept, or is another client's. */
  response(id: string): Promise<JsonObject | undefined>
  /** Returns the items to which a response answered; undefined for one that is not kept, or is another client's. */
  inputOf(id: string): Promise<readonly unknown[] | undefined>
  /** Forgets a response, and returns true if it was kept. */
  delete(id: string): Promise<boolean>
}

/** Keeps responses for requests that continue one or refer to its items. */
export interface ResponseStore {
  /**
   * Returns the responses of a client; undefined if none are kept at all. `owner` is the client's name: letters and digits, or the empty
   * text.
   */
  of(owner: string): OwnResponses | undefined
  close?(): Promise<void>
}

/** Creates the store at an address of Valkey or Redis. */
export type StoreFactory = (options: SharedStoreOptions) => ResponseStore

export interface SharedStoreOptions extends KeptBounds {
  url: string
  /** Milliseconds for which an answer of the server is awaited. */
  timeoutMs: number
  /** Called when the server cannot be reached any more, and with undefined when it can again. */
  changed(failure: Error | undefined): void
}
