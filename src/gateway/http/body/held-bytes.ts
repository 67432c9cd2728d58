import { AnycallError } from '../../../conversation/index.ts'

/** The bytes that one request holds. */
export interface BodyHold {
  /** Holds more bytes; throws `rate-limit` if all requests together would hold too many. */
  take(bytes: number): void
  /** True if it holds enough bytes to make each step of the work on it slow. */
  readonly isLarge: boolean
  /** Releases all of them. */
  release(): void
}

/** Small values take longest: a schema of 500 kB may have 16,000 parts, whose prompt took 0.4 s in one step. */
const largeBody = 256 * 1024

/**
 * The bytes of all request bodies in memory. Each body has its own limit, and may be compressed: without a bound on all of them, a few
 * hundred kilobytes from a client become gigabytes here.
 */
export class HeldBytes {
  readonly #megabytes: number
  #held = 0

  constructor(megabytes: number) {
    this.#megabytes = megabytes
  }

  /** The bytes that are held now. */
  get held(): number {
    return this.#held
  }

  open(): BodyHold {
    return new Hold(this)
  }

  /** Holds more bytes, or fewer; throws `rate-limit` past the limit. */
  add(bytes: number): void {
    if (bytes > 0 && this.#held + bytes > this.#megabytes * 1024 ** 2) throw tooMany(this.#megabytes)
    this.#held += bytes
  }
}

/** A class: V8 has no fast way to make an object literal with a getter. */
class Hold implements BodyHold {
  readonly #all: HeldBytes
  #own = 0

  constructor(all: HeldBytes) {
    this.#all = all
  }

  get isLarge(): boolean {
    return this.#own > largeBody
  }

  readonly take = (bytes: number): void => {
    this.#all.add(bytes)
    this.#own += bytes
  }

  release(): void {
    this.#all.add(-this.#own)
    this.#own = 0
  }
}

function tooMany(megabytes: number): AnycallError {
  return new AnycallError(
    'rate-limit',
    `The bodies of the requests in work would be more than ${megabytes} MB, which is the gateway's limit (limits.bodiesMegabytes). Try again shortly.`,
    { retryAfter: 1 },
  )
}
