const minuteMs = 60_000

/**
 * Holds what may still be used of a limit per minute. It fills evenly, up to a minute's amount; more may be used than it holds, which is
 * then owed.
 */
export class Bucket {
  #level: number
  #at: number

  /** It is full at first. */
  constructor(perMinute: number, now: number) {
    this.#level = perMinute
    this.#at = now
  }

  /** Returns the amount that it holds now. A limit that was lowered holds no more than a minute's amount. */
  level(perMinute: number, now: number): number {
    // A clock that was set back adds nothing.
    const elapsed = Math.max(0, now - this.#at)
    this.#level = Math.min(perMinute, this.#level + (elapsed * perMinute) / minuteMs)
    this.#at = now
    return this.#level
  }

  /** Takes an amount out; `least` bounds the debt. */
  take(amount: number, least: number): void {
    this.#level = Math.max(least, this.#level - amount)
  }
}

/** Returns the milliseconds until a bucket holds an amount. */
export function untilMs(level: number, amount: number, perMinute: number): number {
  return Math.ceil(((amount - level) * minuteMs) / perMinute)
}
