import { builtinModule } from '../../upstreams/index.ts'

/** The time that a thread has worked and rested, in milliseconds, as `performance.eventLoopUtilization` returns it. */
export interface ThreadTime {
  active: number
  idle: number
}

/** The milliseconds since the share was measured last, and for how many of them the serving thread worked. */
interface Worked {
  active: number
  all: number
}

export interface WritePaceOptions {
  /** The share of a core's time that records may take while the gateway is busy. */
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
const longestRestMs = 500
/** The milliseconds after which the gateway is busy if it worked for most of them: a burst of requests begins within a few. */
const soonMs = 1
/**
 * The time that a record takes of all cores together, in milliseconds, most of it in V8's helper threads and the one that writes: 1 was
 * measured (docs/decisions/0014-sqlite-for-records.md), and records that are larger take more.
 */
const recordMs = 2
/**
 * The number of records for which there is time at once, however busy the gateway is: the steps of one agent come in their tens, and on a
 * machine that also runs the model or a browser even they seem to keep the gateway busy. In the long run only the share counts.
 */
const atOnce = 64

/**
 * Bounds the time that records take: after each batch the writer rests, the longer the more the gateway has to do; and while the gateway is
 * busy there is time for few further records.
 */
export class WritePace {
  readonly #options: WritePaceOptions
  #last: ThreadTime | undefined
  /** The last measurement, and its time. */
  #recent: Worked = { active: 0, all: 0 }
  #measuredAt = Number.NEGATIVE_INFINITY
  /** The share of time for which the serving thread worked when it was measured last; undefined if it never was. */
  #serving: number | undefined
  /** The last batch: the time when it was written, and the milliseconds that this took. */
  #wroteAt = 0
  #wroteMs = 0
  /** From then on there is time for a further record. */
  #freeAt = Number.NEGATIVE_INFINITY

  constructor(options: WritePaceOptions) {
    this.#options = options
  }

  /** True if the gateway is busy, and the records that were kept so far take all of their time. Never if that time is not bounded. */
  get isSpent(): boolean {
    if (this.#options.share >= 1) return false
    // Measured in any case, as a rest that was long ago says nothing of now.
    const isBusy = this.#isBusy
    return isBusy && this.#options.now() < this.#freeAt
  }

  /** Notes that a record is kept. */
  kept(): void {
    const now = this.#options.now()
    const each = recordMs / this.#options.share
    // Never after now: records that are kept in any case delay the next one by no more than its own time.
    this.#freeAt = Math.max(Math.min(this.#freeAt, now), now - (atOnce - 1) * each) + each
  }

  /** Work that has just begun counts soon, a rest only after a while: many requests come at once, and each wants a record. */
  get #isBusy(): boolean {
    const { active, all } = this.#measure()
    return (this.#serving ?? 0) > bothShare || (all >= soonMs && active / all > bothShare)
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

  /** Measures at most once a millisecond: it takes 3 us, and is asked for twice for each exchange. */
  #measure(): Worked {
    const now = this.#options.now()
    if (now - this.#measuredAt >= 1) {
      this.#measuredAt = now
      this.#recent = this.#worked()
    }
    return this.#recent
  }

  #worked(): Worked {
    const time = this.#options.serving()
    if (!time) return { active: 0, all: 0 }
    const active = time.active - (this.#last?.active ?? 0)
    const all = active + time.idle - (this.#last?.idle ?? 0)
    if (all >= windowMs) {
      this.#last = time
      this.#serving = active / all
    }
    return { active, all }
  }
}

/** Returns a pace by the time of the thread that calls this. */
export function paceOf(share: number): WritePace {
  const own = builtinModule('node:perf_hooks')?.performance
  return new WritePace({ share, serving: () => own?.eventLoopUtilization?.(), now: () => performance.now() })
}
