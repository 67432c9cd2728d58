import { builtinModule } from '../../upstreams/index.ts'

/** The time that a thread has worked and rested, in milliseconds, as `performance.eventLoopUtilization` returns it. */
export interface ThreadTime {
  active: number
  idle: number
}

export interface WritePaceOptions {
  /** The share of time for which records may be written while the gateway is busy. */
  share: number
  /** The time of the thread that serves requests; undefined if the runtime does not measure it. */
  serving(): ThreadTime | undefined
  /** Milliseconds that only grow. */
  now(): number
}

/** The gateway is busy if the thread that serves requests works for this share of time. */
const busyShare = 0.5
/** The shortest time over which this is measured, in milliseconds. */
const windowMs = 50

/** Bounds the time for which records are written while the gateway is busy: after each batch the writer rests in proportion. */
export class WritePace {
  readonly #options: WritePaceOptions
  #last: ThreadTime | undefined
  #isBusy = false
  /** The time from which on a busy gateway's records are written again. */
  #restedAt = 0

  constructor(options: WritePaceOptions) {
    this.#options = options
  }

  /** Notes that records were written for so many milliseconds. */
  wrote(ms: number): void {
    const now = this.#options.now()
    const from = this.#isBusy ? Math.max(this.#restedAt, now) : now
    this.#restedAt = from + ms / this.#options.share - ms
  }

  /** Returns the milliseconds for which the writer has to rest now; 0 if it may write. */
  rest(): number {
    this.#measure()
    if (!this.#isBusy) return 0
    // The gateway may have nothing to do before the rest is over.
    return Math.min(Math.max(0, this.#restedAt - this.#options.now()), 2 * windowMs)
  }

  #measure(): void {
    const time = this.#options.serving()
    if (!time) return
    const active = time.active - (this.#last?.active ?? 0)
    const idle = time.idle - (this.#last?.idle ?? 0)
    if (this.#last && active + idle < windowMs) return
    this.#last = time
    this.#isBusy = active > busyShare * (active + idle)
  }
}

/** Returns a pace by the time of the thread that calls this. */
export function paceOf(share: number): WritePace {
  const own = builtinModule('node:perf_hooks')?.performance
  return new WritePace({ share, serving: () => own?.eventLoopUtilization?.(), now: () => performance.now() })
}
