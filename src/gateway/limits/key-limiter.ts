import { AnycallError } from '../../conversation/index.ts'
import type { Counter, KeyLimits, Limited, Refusal } from './counter.ts'

/** Must be called when an admitted request has ended, with the tokens that it used. */
export type EndRequest = (tokens: number) => void

/**
 * Admits requests within the limits of their keys. They are counted in the shared counter, if there is one; as long as that does not
 * answer, this gateway counts its own.
 */
export class KeyLimiter {
  readonly #shared: Counter | undefined
  readonly #local: Counter

  constructor(local: Counter, shared?: Counter) {
    this.#local = local
    this.#shared = shared
  }

  /** Admits a request, by an id that no other has. Throws `rate-limit` if a limit is reached. */
  async admit(holder: Limited, request: string): Promise<EndRequest> {
    const { counter, refusal } = await this.#take(holder, request)
    if (refusal) throw refused(holder, refusal)
    return (tokens) => {
      // A counter that fails now has reported it, and counts the request as ended after a while.
      counter.end(holder, request, tokens).catch(() => {})
    }
  }

  async close(): Promise<void> {
    await this.#shared?.close?.()
  }

  async #take(holder: Limited, request: string): Promise<{ counter: Counter; refusal: Refusal | undefined }> {
    if (this.#shared) {
      try {
        return { counter: this.#shared, refusal: await this.#shared.take(holder, request) }
      } catch (error) {
        if (!AnycallError.isInstance(error) || error.code !== 'unavailable') throw error
      }
    }
    return { counter: this.#local, refusal: await this.#local.take(holder, request) }
  }
}

const words: Readonly<Record<keyof KeyLimits, string>> = {
  requestsPerMinute: 'requests a minute',
  tokensPerMinute: 'tokens a minute',
  concurrentRequests: 'requests at once',
}

function refused({ name, limits }: Limited, { limit, retryAfterMs }: Refusal): AnycallError {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new AnycallError(
    'rate-limit',
    `The key "${name}" has ${limits[limit]} ${words[limit]}, which are used up (limits.${limit} of the key). Try again in ${retryAfter} s.`,
    { retryAfter },
  )
}
