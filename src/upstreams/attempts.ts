import { AnycallError } from '../conversation/index.ts'

/** The requests that one client request may still send to upstreams: for retries, fall-backs, corrections and continuations together. */
export class Attempts {
  readonly #most: number
  #sent = 0
  #last: AnycallError | undefined

  constructor(most: number) {
    this.#most = most
  }

  get isSpent(): boolean {
    return this.#sent >= this.#most
  }

  /** Counts a request that is about to be sent. Throws AttemptsSpent if the limit is reached. */
  take(): void {
    if (this.isSpent) throw new AttemptsSpent(this.#most, this.#last)
    this.#sent++
  }

  /** Notes how a request failed: if no other can be sent, that is the reason. */
  failed(error: unknown): void {
    if (error instanceof AnycallError && !(error instanceof AttemptsSpent)) this.#last = error
  }
}

/**
 * The error in place of a request beyond the limit: of the kind of the failure before it, and with its message. It does
 * not count against the upstream that was not asked.
 */
export class AttemptsSpent extends AnycallError {
  constructor(most: number, last: AnycallError | undefined) {
    const limit = `No further request was sent to an upstream: ${most} is the limit for one request (limits.attempts).`
    super(last?.code ?? 'upstream', last ? `${last.message} ${limit}` : limit, {
      ...(last && { cause: last }),
      ...(last?.retryAfter !== undefined && { retryAfter: last.retryAfter }),
    })
  }
}
