import { AnycallError } from '../../../conversation/index.ts'
import type { Log } from '../../../upstreams/index.ts'
import { MemoryStore } from '../../stored/memory-store.ts'
import type { KeptBounds, ResponseStore, StoreFactory } from '../../stored/response-store.ts'
import type { GatewayConfig } from '../config.ts'

/**
 * Creates the store of a configuration: in memory, or in a server that gateways share. `createShared` creates the latter; throws an
 * AnycallError if the runtime has none.
 */
export function createResponseStore(
  { responses, limits }: Pick<GatewayConfig, 'responses' | 'limits'>,
  createShared: StoreFactory | undefined,
  log: Log,
): ResponseStore {
  const bounds: KeptBounds = { bytes: limits.responsesMegabytes * 1024 ** 2, ms: limits.responsesMinutes * 60_000 }
  const { store: url, timeout } = responses
  if (url === undefined) return new MemoryStore(bounds)
  if (createShared === undefined) {
    throw new AnycallError(
      'invalid-request',
      'responses.store: a server of Valkey or Redis needs Node\'s modules: import createGateway from "anycall/node".',
    )
  }
  return createShared({
    ...bounds,
    url,
    timeoutMs: timeout * 1000,
    changed: (failure) => {
      if (failure) log('warn', 'responses-store.failed', { error: failure.message })
      else log('info', 'responses-store.restored')
    },
  })
}
