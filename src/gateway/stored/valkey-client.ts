import { AnycallError } from '../../conversation/index.ts'
import { importOptionalPackage } from '../../upstreams/index.ts'

/** The methods of a client of the package iovalkey that the store uses. */
export interface ValkeyClient {
  readonly status: string
  connect(): Promise<unknown>
  disconnect(reconnect?: boolean): void
  on(event: 'ready', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'ready', listener: () => void): unknown
  eval(script: string, keyCount: number, ...keysAndArguments: (string | number)[]): Promise<unknown>
  hget(key: string, field: string): Promise<string | null>
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>
  mget(...keys: string[]): Promise<(string | null)[]>
}

/** The options of a client, as iovalkey names them. */
export interface ClientOptions {
  lazyConnect: true
  connectTimeout: number
  commandTimeout: number
  enableOfflineQueue: false
  autoResendUnfulfilledCommands: false
  maxRetriesPerRequest: 0
  retryStrategy(times: number): number
}

type ValkeyClass = new (url: string, options: ClientOptions) => ValkeyClient

const packageName = 'iovalkey'

/** Loads the package, which is not part of anycall, and creates a client that is not connected yet. `user`: what needs it, for errors. */
export async function createValkeyClient(user: string, url: string, options: ClientOptions): Promise<ValkeyClient> {
  const module = await importOptionalPackage(packageName, user)
  if (!hasValkey(module)) {
    throw new AnycallError(
      'unavailable',
      `The installed version of ${packageName} is not supported. Install it again: npm install ${packageName}@0.4`,
    )
  }
  return new module.Valkey(url, options)
}

function hasValkey(module: unknown): module is { Valkey: ValkeyClass } {
  return typeof module === 'object' && module !== null && 'Valkey' in module && typeof module.Valkey === 'function'
}
