import type { AnycallError } from '../../conversation/index.ts'
import type { Attempts } from '../attempts.ts'
import { cancelled, TransportError, type TransportReason } from '../transport/transport-error.ts'
import { UpstreamError } from './upstream-error.ts'

/** An error with a flag: true if the same request may succeed when it is sent again. */
export type RetryableError = AnycallError & { readonly retryable: boolean }

export interface RetryOptions {
  /** The number of retries. */
  retries: number
  signal: AbortSignal
  /** The requests that may still be sent. */
  attempts?: Attempts
  /** The wait before the first repetition; it doubles with each. */
  baseMs?: number
  /** The longest wait that an upstream may ask for; when it asks for more, its error is passed on at once. */
  maxRetryAfterSeconds?: number
  /** True for an error after which is tried again. Default: an UpstreamError that is retryable. */
  isRepeated?: (error: unknown) => error is RetryableError
  onRetry?: (error: RetryableError, repetition: number, waitMs: number) => void
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1). */
  random?: () => number
}

function isRetryable(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.retryable
}

/** Returns true for a failure of a kept connection, which does not concern the request: no answer to it had begun. */
export function isStale(error: unknown): error is TransportError {
  return error instanceof TransportError && error.reason === 'stale'
}

const broken: ReadonlySet<TransportReason> = new Set(['stale', 'cut', 'failed'])

/** Returns true for a connection that broke, whenever it did. */
export function isBroken(error: unknown): error is TransportError {
  return error instanceof TransportError && broken.has(error.reason)
}

/** Repeats `attempt` while it fails with an error that is repeated; throws the last error. `attempt` is given the number of failures before. */
export async function withRetries<T>(attempt: (failures: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, signal, attempts, baseMs = 250, maxRetryAfterSeconds = 10 } = options
  const { isRepeated = isRetryable, onRetry, sleep = sleepFor, random = Math.random } = options
  for (let repetition = 1; ; repetition++) {
    try {
      return await attempt(repetition - 1)
    } catch (error) {
      if (!isRepeated(error) || repetition > retries || signal.aborted) throw error
      if (attempts?.isSpent) throw error
      const { retryAfter } = error
      if (retryAfter !== undefined && retryAfter > maxRetryAfterSeconds) throw error
      // Half of the wait is random, so that requests that failed together do not come back together.
      const backOffMs = baseMs * 2 ** (repetition - 1) * (0.5 + random() / 2)
      const waitMs = retryAfter === undefined ? backOffMs : retryAfter * 1000
      onRetry?.(error, repetition, waitMs)
      if (waitMs > 0) await sleep(waitMs, signal)
    }
  }
}

/**
 * Seconds to wait, from the headers `retry-after-ms` (OpenAI) and `retry-after` (seconds or a date); undefined if no
 * readable one is there. `now` is in milliseconds since 1970.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = readNumber(headers['retry-after-ms'])
  if (ms !== undefined) return ms / 1000
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const seconds = readNumber(text)
  if (seconds !== undefined) return seconds
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

/** Gemini: `"retryDelay": "45.8s"` in the error's details, `Please retry in 45.8s.` in its message; OpenAI: `Please try again in 20s`, `… in 320ms`. */
const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)(s)"|\b(?:retry|try again) in (\d+(?:\.\d+)?)(ms|s)\b/i

/** Seconds to wait, from the text of an error, if no header has them. */
export function readRetryDelay(text: string): number | undefined {
  const [, whole, unit, said = whole, saidUnit = unit] = delay.exec(text) ?? []
  return said === undefined ? undefined : Number(said) / (saidUnit?.toLowerCase() === 'ms' ? 1000 : 1)
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(cancelled(signal))
      return
    }
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(cancelled(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
