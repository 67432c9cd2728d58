/** How an upstream has fared of late. */
interface Record {
  failures: number
  /** Nothing is sent there before this time, in milliseconds since 1970. */
  until: number
  /** One request is on its way to find out whether it works again. */
  isProbed: boolean
}

/** So many failures in a row, and an upstream is left alone for a while. */
const mostFailures = 3
/** For so long at first; twice as long each time it fails again. */
const firstPauseMs = 5_000
const longestPauseMs = 300_000

/** Knows which upstreams are worth asking: a circuit breaker for each, half open once its pause is over. */
export class Health {
  readonly #records = new Map<string, Record>()
  readonly #now: () => number

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** True where a request may go there; behind a pause one alone goes first. */
  isReady(upstream: string): boolean {
    const record = this.#records.get(upstream)
    return !record || (record.until <= this.#now() && !record.isProbed)
  }

  /** A request goes there. */
  asked(upstream: string): void {
    const record = this.#records.get(upstream)
    if (record && record.failures >= mostFailures) record.isProbed = true
  }

  succeeded(upstream: string): void {
    this.#records.delete(upstream)
  }

  /** Nothing was learned of it: the request was at fault, or its client left. */
  released(upstream: string): void {
    const record = this.#records.get(upstream)
    if (record) record.isProbed = false
  }

  /** `retryAfter`: the seconds that it asked to be left alone. */
  failed(upstream: string, retryAfter?: number): void {
    const failures = (this.#records.get(upstream)?.failures ?? 0) + 1
    const pauseMs =
      failures < mostFailures ? 0 : Math.min(firstPauseMs * 2 ** (failures - mostFailures), longestPauseMs)
    const until = this.#now() + Math.max(pauseMs, (retryAfter ?? 0) * 1000)
    this.#records.set(upstream, { failures, until, isProbed: false })
  }
}
