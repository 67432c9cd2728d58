import { RecentMap } from '../../conversation/index.ts'
import type { GenerationContext, Upstream } from '../../upstreams/index.ts'

/** Milliseconds for which a length counts, and its absence: servers are restarted with other flags. */
const knownMs = 600_000
const unknownMs = 60_000

interface Model {
  upstream: Upstream
  /** The model as the upstream names it. */
  model: string
}

/** The tokens of the models' contexts, as upstreams list them or name them in a refusal. */
export class ContextLengths {
  readonly #lengths: RecentMap<string, number | undefined>

  /** `now` is in milliseconds since 1970. */
  constructor(now?: () => number) {
    this.#lengths = new RecentMap(undefined, now)
  }

  /** Resolves with undefined if the upstream does not tell the length, or cannot be asked. */
  async of(target: Model, { signal, clientKey, log, requestId }: GenerationContext): Promise<number | undefined> {
    const { upstream, model } = target
    const key = keyOf(target)
    if (this.#lengths.has(key)) return this.#lengths.get(key)
    try {
      const models = await upstream.models({ signal, ...(clientKey !== undefined && { clientKey }) })
      const length = models.find(({ id }) => id === model)?.contextLength
      this.#lengths.set(key, length, length === undefined ? unknownMs : knownMs)
      return length
    } catch (error) {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      log('warn', 'models-unavailable', { requestId, upstream: upstream.name, error: why })
      // Another client's key may be accepted.
      if (clientKey === undefined) this.#lengths.set(key, undefined, unknownMs)
      return undefined
    }
  }

  /** Remembers the length that an upstream's refusal names. */
  learn(target: Model, length: number): void {
    this.#lengths.set(keyOf(target), length, knownMs)
  }
}

function keyOf({ upstream, model }: Model): string {
  return JSON.stringify([upstream.name, model])
}
