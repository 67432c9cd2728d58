import { warmUp } from '../../dialects/index.ts'
import { replyDialects } from '../../gateway/index.ts'
import { pause } from '../../json/index.ts'
import type { Served } from './running.ts'

/**
 * Prepares a server for its first replies, in the background: without it the first one waits for undici (75 ms) and for the expressions of
 * its dialect (60 ms; half a second for the universal reader, which takes a second of work and 20 MB in all).
 *
 * @example
 * const preparation = new Preparation(signal)
 * preparation.begin(served)
 * await preparation.end()
 */
export class Preparation {
  readonly #signal: AbortSignal
  readonly #dialects = new Set<string>()
  #running = Promise.resolve()

  /** Nothing more is prepared once `signal` aborts. */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Prepares what a configuration needs and was not prepared before. */
  begin(served: Served): void {
    this.#running = this.#running.then(() => this.#prepare(served))
  }

  /** Resolves when nothing is prepared any more. */
  end(): Promise<void> {
    return this.#running
  }

  async #prepare({ config, upstreams, log }: Served): Promise<void> {
    // A primary process starts a server for its address alone, and closes it at once.
    await pause()
    for (const upstream of upstreams.values()) {
      if (this.#signal.aborted) return
      try {
        await upstream.prepare?.()
      } catch (error) {
        // The request that needs it fails with the same error.
        const why = error instanceof Error ? error.message : String(error)
        log('warn', 'upstream-not-prepared', { upstream: upstream.name, error: why })
      }
    }
    for (const name of config.models.flatMap((rule) => replyDialects(rule, upstreams))) {
      if (this.#dialects.has(name)) continue
      this.#dialects.add(name)
      await warmUp(name, this.#signal)
    }
  }
}
