import { Bucket, untilMs } from './bucket.ts'
import { type Counter, type Limited, mostDebtMinutes, type Refusal } from './counter.ts'

/** The counts of one key. */
interface Account {
  requests: Bucket
  tokens: Bucket
  running: Set<string>
}

/** A request that must wait for another one to end is tried again after a second. */
const retryMs = 1000

/** Counts in the memory of this process. Only keys of the configuration are counted, so the accounts are few. */
export class MemoryCounter implements Counter {
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()

  /** `now` returns milliseconds of a clock that is not set; by default those since the process began. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async take(holder: Limited, request: string): Promise<Refusal | undefined> {
    const { requestsPerMinute, tokensPerMinute, concurrentRequests } = holder.limits
    const { requests, tokens, running } = this.#accountOf(holder)
    const now = this.#now()
    if (requestsPerMinute !== undefined) {
      const level = requests.level(requestsPerMinute, now)
      if (level < 1) return { limit: 'requestsPerMinute', retryAfterMs: untilMs(level, 1, requestsPerMinute) }
    }
    if (tokensPerMinute !== undefined) {
      // The tokens of a request are known when it has ended: the last one before the limit may go beyond it.
      const level = tokens.level(tokensPerMinute, now)
      if (level < 1) return { limit: 'tokensPerMinute', retryAfterMs: untilMs(level, 1, tokensPerMinute) }
    }
    if (concurrentRequests !== undefined && running.size >= concurrentRequests)
      return { limit: 'concurrentRequests', retryAfterMs: retryMs }
    requests.take(1, 0)
    running.add(request)
    return undefined
  }

  async end(holder: Limited, request: string, used: number): Promise<void> {
    const { tokensPerMinute } = holder.limits
    const { tokens, running } = this.#accountOf(holder)
    running.delete(request)
    if (tokensPerMinute === undefined) return
    tokens.level(tokensPerMinute, this.#now())
    tokens.take(used, -mostDebtMinutes * tokensPerMinute)
  }

  #accountOf({ name, limits }: Limited): Account {
    const known = this.#accounts.get(name)
    if (known) return known
    const now = this.#now()
    const account = {
      requests: new Bucket(limits.requestsPerMinute ?? 0, now),
      tokens: new Bucket(limits.tokensPerMinute ?? 0, now),
      running: new Set<string>(),
    }
    this.#accounts.set(name, account)
    return account
  }
}
