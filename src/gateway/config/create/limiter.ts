import { AnycallError } from '../../../conversation/index.ts'
import type { Log } from '../../../upstreams/index.ts'
import type { SharedCounterFactory } from '../../limits/counter.ts'
import { KeyLimiter } from '../../limits/key-limiter.ts'
import { MemoryCounter } from '../../limits/memory-counter.ts'
import type { GatewayConfig } from '../schema/types.ts'

/** The time that a request may take beyond its limit, until its end is counted. */
const marginMs = 60_000

type Counted = Pick<GatewayConfig, 'limits' | 'responses' | 'keys'>

/** Returns the address of the server in which limits are counted; undefined if there are none, or each gateway counts its own. */
export function sharedCounterOf({ limits, responses, keys }: Counted): string | undefined {
  const hasLimits = typeof keys !== 'string' && keys.some((key) => typeof key !== 'string' && key.limits !== undefined)
  return hasLimits ? (limits.store ?? responses.store) : undefined
}

/**
 * Creates what counts the requests and tokens of keys. `createShared` creates the counter in a server that gateways share; throws an
 * AnycallError if the runtime has none.
 */
export function createKeyLimiter(
  config: Counted,
  createShared: SharedCounterFactory | undefined,
  log: Log,
): KeyLimiter {
  const url = sharedCounterOf(config)
  if (url === undefined) return new KeyLimiter(new MemoryCounter())
  if (createShared === undefined) {
    throw new AnycallError(
      'invalid-request',
      'limits.store: a server of Valkey or Redis needs Node\'s modules: import createGateway from "anycall/node".',
    )
  }
  const shared = createShared({
    url,
    timeoutMs: config.responses.timeout * 1000,
    requestMs: config.limits.requestSeconds * 1000 + marginMs,
    changed: (failure) => {
      if (failure) log('warn', 'limits-store.failed', { error: failure.message })
      else log('info', 'limits-store.restored')
    },
  })
  return new KeyLimiter(new MemoryCounter(), shared)
}
