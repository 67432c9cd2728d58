import { availableParallelism } from 'node:os'
import type { GatewayConfig } from '../../gateway/index.ts'
import { FlagError } from '../io/flags.ts'

type Key = Exclude<GatewayConfig['keys'], string>[number]

/** Returns the number of processes that a configuration asks for. */
export function workerCount({ listen }: Pick<GatewayConfig, 'listen'>): number {
  return listen.workers === 'auto' ? availableParallelism() : listen.workers
}

/**
 * Throws a FlagError for settings that several workers cannot serve: parts that would be in each worker's memory, although clients and
 * operators expect one.
 */
export function checkShared({ upstreams, records }: GatewayConfig, count: number): void {
  if (count === 1) return
  if (records !== undefined && records.file === undefined) {
    throw new FlagError(
      `records: ${count} workers cannot keep records in memory, as each would have its own; set records.file, or serve with one worker`,
    )
  }
  for (const [name, { type }] of Object.entries(upstreams)) {
    if (type !== 'gguf') continue
    throw new FlagError(
      `upstreams.${name}: ${count} workers would load the model file ${count} times; serve it with one worker, or run it in llama-server`,
    )
  }
}

/** Returns the notes for the person who started several workers. */
export function workerNotes({ responses, limits }: GatewayConfig, count: number): string[] {
  if (count === 1) return []
  const keepsNone = responses.store === undefined && limits.responsesMegabytes > 0
  const note = 'Responses are not kept (previous_response_id is refused): workers share none without responses.store.'
  return [`Workers: ${count}.`, ...(keepsNone ? [note] : [])]
}

/**
 * Returns the configuration of one of `count` workers. Limits apply to the server as a whole, so that each worker gets an equal share of
 * those on requests and memory at once.
 *
 * @example
 * shareOf(parseConfig({}), 4).limits.concurrentRequests // 64, a quarter of 256
 */
export function shareOf(config: GatewayConfig, count: number): GatewayConfig {
  if (count === 1) return config
  const { limits, responses, keys } = config
  // With a store, all workers count in one place.
  const isCounted = limits.store !== undefined || responses.store !== undefined
  return {
    ...config,
    keys: keys === 'pass-through' || isCounted ? keys : keys.map((key) => keyShare(key, count)),
    limits: {
      ...limits,
      concurrentRequests: Math.ceil(limits.concurrentRequests / count),
      bodiesMegabytes: limits.bodiesMegabytes / count,
      repliesMegabytes: limits.repliesMegabytes / count,
      // A response kept by one worker could not be found by the others.
      responsesMegabytes: responses.store === undefined ? 0 : limits.responsesMegabytes,
    },
  }
}

/** Connections are spread evenly, so each worker counts its part of what a key may do. */
function keyShare(key: Key, count: number): Key {
  if (typeof key === 'string' || key.limits === undefined) return key
  const { requestsPerMinute, tokensPerMinute, concurrentRequests } = key.limits
  const shared: typeof key.limits = {}
  if (requestsPerMinute !== undefined) shared.requestsPerMinute = Math.ceil(requestsPerMinute / count)
  if (tokensPerMinute !== undefined) shared.tokensPerMinute = Math.ceil(tokensPerMinute / count)
  if (concurrentRequests !== undefined) shared.concurrentRequests = Math.ceil(concurrentRequests / count)
  return { ...key, limits: shared }
}
