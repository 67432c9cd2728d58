import { ValkeyConnection } from '../stored/valkey-connection.ts'
import type { Counter, KeyLimits, Limited, Refusal, SharedCounterOptions } from './counter.ts'
import { endScript, limitKeys, takeScript } from './limit-scripts.ts'

/** The limits by the places that the script returns. */
const places: readonly (keyof KeyLimits)[] = ['requestsPerMinute', 'tokensPerMinute', 'concurrentRequests']

/**
 * Creates a counter in a server of Valkey or Redis. Nothing is loaded or connected before the first use. Both questions reject with
 * `unavailable` if the server does not answer; neither waits for a broken connection.
 */
export function createValkeyCounter(options: SharedCounterOptions): Counter {
  const { url, timeoutMs, requestMs, changed } = options
  const connection = new ValkeyConnection({ url, timeoutMs, changed, use: 'limits' })
  return {
    async take(holder, request) {
      const { concurrentRequests = 0 } = holder.limits
      const args = [...perMinute(holder), concurrentRequests, request, requestMs]
      const answer = await ask(connection, takeScript, holder, args)
      return refusalIn(answer)
    },
    async end(holder, request, tokens) {
      await ask(connection, endScript, holder, [...perMinute(holder), request, tokens])
    },
    close: () => connection.close(),
  }
}

function perMinute({ limits: { requestsPerMinute = 0, tokensPerMinute = 0 } }: Limited): number[] {
  return [requestsPerMinute, tokensPerMinute]
}

function ask(
  connection: ValkeyConnection,
  script: string,
  { name }: Limited,
  args: (string | number)[],
): Promise<unknown> {
  const keys = limitKeys(name)
  return connection.ask((client) => client.eval(script, keys.length, ...keys, ...args), false)
}

function refusalIn(answer: unknown): Refusal | undefined {
  const [place, ms]: unknown[] = Array.isArray(answer) ? answer : []
  const limit = typeof place === 'number' ? places[place - 1] : undefined
  return limit === undefined ? undefined : { limit, retryAfterMs: typeof ms === 'number' ? ms : 1000 }
}
