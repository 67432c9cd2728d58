import { warmUp } from '../../dialects/index.ts'
import { replyDialects } from '../../gateway/index.ts'
import { backgroundPause } from '../../json/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { Served } from './running.ts'

type PrepareDialect = (name: string, options: Parameters<typeof warmUp>[1]) => Promise<void>

/**
 * Loads and compiles what replies need, before the first one waits for it: undici (75 ms), the expressions of the rules' dialects
 * (60 ms each) and those of the universal reader, a second of work and 20 MB.
 *
 * @example
 * const preparation = new Preparation(signal)
 * await preparation.beforeListening(served)
 * // It listens now.
 * preparation.inBackground(served)
 * await preparation.end()
 */
export class Preparation {
  readonly #signal: AbortSignal
  readonly #prepareDialect: PrepareDialect
  readonly #upstreams = new WeakSet<Upstream>()
  readonly #dialects = new Set<string>()
  #running = Promise.resolve()

  /** Nothing more is prepared once `signal` aborts. */
  constructor(signal: AbortSignal, prepareDialect: PrepareDialect = warmUp) {
    this.#signal = signal
    this.#prepareDialect = prepareDialect
  }

  /** Prepares what is short: until this process listens, other workers serve, and none of their requests waits. */
  async beforeListening(served: Served): Promise<void> {
    await this.#prepareUpstreams(served)
    const short = dialectsOf(served).filter((name) => name !== 'universal')
    await this.#prepareDialects(short, async () => {})
  }

  /** Prepares in the background what a configuration needs and was not prepared before. */
  inBackground(served: Served): void {
    this.#running = this.#running.then(async () => {
      await this.#prepareUpstreams(served)
      await this.#prepareDialects(dialectsOf(served), backgroundPause(this.#signal))
    })
  }

  /** Resolves when nothing is prepared any more. */
  end(): Promise<void> {
    return this.#running
  }

  async #prepareUpstreams({ upstreams, log }: Served): Promise<void> {
    for (const upstream of upstreams.values()) {
      if (this.#signal.aborted) return
      if (this.#upstreams.has(upstream)) continue
      this.#upstreams.add(upstream)
      try {
        await upstream.prepare?.()
      } catch (error) {
        // The request that needs it fails with the same error.
        const why = error instanceof Error ? error.message : String(error)
        log('warn', 'upstream-not-prepared', { upstream: upstream.name, error: why })
      }
    }
  }

  async #prepareDialects(names: readonly string[], rest: () => Promise<void>): Promise<void> {
    for (const name of names) {
      if (this.#dialects.has(name)) continue
      this.#dialects.add(name)
      await this.#prepareDialect(name, { signal: this.#signal, rest })
    }
  }
}

function dialectsOf({ config, upstreams }: Served): string[] {
  return config.models.flatMap((rule) => replyDialects(rule, upstreams))
}
