/** The result of one request to an upstream. */
export interface Observed {
  /** The calls of its reply, and expected calls that did not come. */
  calls: number
  /** The wrong ones among them. */
  errors: number
  /** Milliseconds to the first event; undefined for a request without one. */
  firstMs?: number
}

/** The recent results of a model of an upstream. */
export interface Quality {
  /** The share of wrong calls, from 0 to 1; undefined if too few were observed. */
  errorRate?: number
  /** The median of the milliseconds to the first event; undefined if too few were observed. */
  firstMs?: number
}

/** The time and the number of results that count. */
export interface Window {
  ms: number
  /** With fewer calls, or fewer times, nothing is known of them. */
  floor: number
}

/** The number of results that are kept, the newest ones. */
const mostObserved = 512

/** The results of one model of an upstream, the oldest first. */
export class Observations {
  readonly #observed: (Observed & { at: number })[] = []

  add(at: number, observed: Observed): void {
    this.#observed.push({ ...observed, at })
    if (this.#observed.length > mostObserved) this.#observed.shift()
  }

  /** Returns the quality by the results of a window that ends now. */
  quality(now: number, { ms, floor }: Window): Quality {
    const recent = this.#observed.filter(({ at }) => at > now - ms)
    const calls = recent.reduce((sum, one) => sum + one.calls, 0)
    const errors = recent.reduce((sum, one) => sum + one.errors, 0)
    const times = recent.flatMap(({ firstMs }) => firstMs ?? []).sort((a, b) => a - b)
    const median = times[Math.floor(times.length / 2)]
    return {
      ...(calls >= floor && { errorRate: errors / calls }),
      ...(median !== undefined && times.length >= floor && { firstMs: median }),
    }
  }
}
