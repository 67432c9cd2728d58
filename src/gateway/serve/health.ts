/** The recent failures of an upstream. */
interface Record {
  failures: number
  /** Nothing is sent there before this time, in milliseconds. */
  until: number
  /** True while one request tests if it works again. */
  isProbed: boolean
}

/** A request to an upstream. The reader of the reply reports how it ended; only the first report counts. */
export interface Visit extends VisitEnd {
  /** True if nobody else may ask the upstream before this ends. */
  isProbe: boolean
}

/** Reports of the end of a request to an upstream. */
export interface VisitEnd {
  succeeded(): void
  /** `retryAfter`: the seconds that the upstream asked to be left alone. */
  failed(retryAfter?: number): void
  /** Nothing was learned of the upstream: the request was at fault, or its client left. */
  released(): void
}

/** After this number of failures in a row, an upstream is left alone for a while. */
const mostFailures = 3
/** The first pause; it doubles with each further failure. */
const firstPauseMs = 5_000
const longestPauseMs = 300_000
/** An upstream that asks for more is asked again anyway: a mistake in its clock or its units must not exclude it for days. */
const longestRetryAfterMs = 3_600_000

/** Knows which upstreams are worth asking: a circuit breaker for each, half open once its pause is over. */
export class Health {
  readonly #records = new Map<string, Record>()
  readonly #now: () => number

  /** `now` returns milliseconds of a clock that is not set: one set back by an hour would pause an upstream for an hour longer. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** True if a request may go there; after a pause one alone goes first. */
  isReady(upstream: string): boolean {
    const record = this.#records.get(upstream)
    return !record || (record.until <= this.#now() && !record.isProbed)
  }

  /** A request goes there. */
  asked(upstream: string): Visit {
    const before = this.#records.get(upstream)
    const isProbe = before !== undefined && before.failures >= mostFailures && !before.isProbed
    if (isProbe) before.isProbed = true
    let isOver = false
    const ending = (end: () => void): void => {
      if (isOver) return
      isOver = true
      if (isProbe) before.isProbed = false
      // A pause that began meanwhile is for later requests. Requests from before it give no new information: a server
      // that restarts cuts all of its replies at once, and one that limits its rate continues those that have begun.
      const record = this.#records.get(upstream)
      if (record === before || !record || record.until <= this.#now()) end()
    }
    return {
      isProbe,
      succeeded: () => ending(() => this.#records.delete(upstream)),
      failed: (retryAfter) => ending(() => this.#failed(upstream, retryAfter)),
      released: () => ending(() => {}),
    }
  }

  #failed(upstream: string, retryAfter = 0): void {
    const failures = (this.#records.get(upstream)?.failures ?? 0) + 1
    const pauseMs =
      failures < mostFailures ? 0 : Math.min(firstPauseMs * 2 ** (failures - mostFailures), longestPauseMs)
    const until = this.#now() + Math.max(pauseMs, Math.min(retryAfter * 1000, longestRetryAfterMs))
    this.#records.set(upstream, { failures, until, isProbed: false })
  }
}
