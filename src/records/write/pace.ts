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

/** The share of time that serving and writing may take together; if serving alone takes more, the gateway is busy. */
const bothShare = 0.7
/** The shortest time over which the work of the serving thread is measured, and the longest rest, in milliseconds. */
const windowMs = 30
const longestRestMs = 100

/** Bounds the time for which records are written: after each batch the writer rests, the longer the more the gateway has to do. */
export class WritePace {
  readonly #options: WritePaceOptions
  #last: ThreadTime | undefined
  /** The share of time for which the serving thread worked when it was measured last; undefined if it never was. */
  #serving: number | undefined
  /** The last batch: the time when it was written, and the milliseconds that this took. */
  #wroteAt = 0
  #wroteMs = 0

  constructor(options: WritePaceOptions) {
    this.#options = options
  }

  /** True if serving alone takes more time than serving and writing may. Never if writing is not bounded. */
  get isBusy(): boolean {
    this.#measure()
    return (this.#serving ?? 0) > bothShare && this.#options.share < 1
  }

  /** The share of time for which records may be written now. */
  get #share(): number {
    return Math.max(this.#options.share, this.#serving === undefined ? 1 : bothShare - this.#serving)
  }

  /** Notes that a batch was written, for so many milliseconds. */
  wrote(ms: number): void {
    this.#wroteAt = this.#options.now()
    this.#wroteMs = ms
  }

  /** Returns the milliseconds for which the writer has to rest before it asks again; 0 if it may write. */
  rest(): number {
    this.#measure()
    const restedAt = this.#wroteAt + this.#wroteMs / this.#share - this.#wroteMs
    // The gateway may have less to do before the rest is over.
    return Math.min(Math.max(0, restedAt - this.#options.now()), longestRestMs)
  }

  #measure(): void {
    const time = this.#options.serving()
    if (!time) return
    const active = time.active - (this.#last?.active ?? 0)
    const all = active + time.idle - (this.#last?.idle ?? 0)
    if (all < windowMs) return
    this.#last = time
    this.#serving = active / all
  }
}

/** Returns a pace by the time of the thread that calls this. */
export function paceOf(share: number): WritePace {
  const own = builtinModule('node:perf_hooks')?.performance
  return new WritePace({ share, serving: () => own?.eventLoopUtilization?.(), now: () => performance.now() })
}
