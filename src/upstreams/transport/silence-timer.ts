/**
 * Watches for silence while something is awaited. One timer serves many waits: it is not restarted for each chunk, but
 * reads the clock when it fires.
 */
export class SilenceTimer {
  readonly #onSilence: () => void
  #waitingSince: number | undefined
  #limitMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence
  }

  /** From now on something is awaited, for at most `limitMs`; 0 or less is no limit. */
  wait(limitMs: number): void {
    if (limitMs !== this.#limitMs) {
      this.stop()
      this.#limitMs = limitMs
    }
    this.#waitingSince = performance.now()
    if (limitMs > 0 && this.#timer === undefined) this.#arm(limitMs)
  }

  /** Stops the watch: the awaited value came, or the caller reads no further. */
  rest(): void {
    this.#waitingSince = undefined
  }

  stop(): void {
    this.#waitingSince = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(delayMs: number): void {
    // Longer delays than 31 bits fire at once.
    this.#timer = setTimeout(this.#check, Math.min(Math.ceil(delayMs), 2 ** 31 - 1))
  }

  readonly #check = (): void => {
    this.#timer = undefined
    if (this.#waitingSince === undefined) return
    const left = this.#limitMs - (performance.now() - this.#waitingSince)
    if (left > 0) this.#arm(left)
    else this.#onSilence()
  }
}
