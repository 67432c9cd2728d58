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

const largeBody = 1024 ** 2

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
    let own = 0
    return {
      get isLarge() {
        return own > largeBody
      },
      take: (bytes) => {
        if (this.#held + bytes > this.#megabytes * 1024 ** 2) throw tooMany(this.#megabytes)
        this.#held += bytes
        own += bytes
      },
      release: () => {
        this.#held -= own
        own = 0
      },
    }
  }
}

function tooMany(megabytes: number): AnycallError {
  return new AnycallError(
    'rate-limit',
    `The bodies of the requests in work would be more than ${megabytes} MB, which is the gateway's limit (limits.bodiesMegabytes). Try again shortly.`,
    { retryAfter: 1 },
  )
}
