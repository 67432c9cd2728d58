import { describe, expect, it } from 'vitest'
import { AnycallError } from '../../conversation/index.ts'
import { readRetryAfter, readRetryDelay, withRetries } from './retry.ts'
import { UpstreamError } from './upstream-error.ts'

const failing = (retryable = true, retryAfter?: number): UpstreamError =>
  new UpstreamError('overloaded', 'busy', retryable, retryAfter === undefined ? {} : { retryAfter })

/** Runs with the failures first, then success; gives the result or error, and the waits. */
async function run(failures: Error[], options: { retries?: number; random?: number; signal?: AbortSignal } = {}) {
  const waits: number[] = []
  let attempts = 0
  const result = await withRetries(
    async () => {
      const failure = failures[attempts++]
      if (failure) throw failure
      return 'done'
    },
    {
      retries: options.retries ?? 2,
      signal: options.signal ?? new AbortController().signal,
      random: () => options.random ?? 0.5,
      sleep: async (ms) => void waits.push(ms),
    },
  ).catch((error: unknown) => error)
  return { result, waits, attempts }
}

describe('withRetries', () => {
  it('doubles the wait, half of which is random', async () => {
    expect(await run([failing(), failing()], { random: 0 })).toEqual({ result: 'done', waits: [125, 250], attempts: 3 })
    expect(await run([failing(), failing()], { random: 1 })).toEqual({ result: 'done', waits: [250, 500], attempts: 3 })
  })

  it('throws the last error when the retries are used up', async () => {
    const last = failing()
    expect(await run([failing(), failing(), last])).toMatchObject({ result: last, attempts: 3 })
    expect(await run([last], { retries: 0 })).toMatchObject({ result: last, attempts: 1, waits: [] })
  })

  it('waits as long as the upstream asks for', async () => {
    expect(await run([failing(true, 3)])).toMatchObject({ result: 'done', waits: [3000] })
  })

  it('passes the error on when the upstream asks for too long a wait', async () => {
    const error = failing(true, 11)
    expect(await run([error])).toEqual({ result: error, waits: [], attempts: 1 })
  })

  it.each([
    ['an error that is not retryable', failing(false)],
    ['an error of anycall', new AnycallError('cancelled', 'gone')],
    ['any other error', new TypeError('bug')],
  ])('does not repeat %s', async (_, error) => {
    expect(await run([error])).toEqual({ result: error, waits: [], attempts: 1 })
  })

  it('stops waiting when the request is aborted', async () => {
    const controller = new AbortController()
    const pending = withRetries(
      async () => {
        throw failing(true, 10)
      },
      { retries: 2, signal: controller.signal, onRetry: () => queueMicrotask(() => controller.abort()) },
    )
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('readRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '0.5' }, 0.5],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1.5],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, seconds) => {
    expect(readRetryAfter(headers, now)).toBe(seconds)
  })
})

describe('readRetryDelay', () => {
  it.each<[text: string, seconds: number | undefined]>([
    [
      '{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"45.837906927s"}]}}',
      45.837906927,
    ],
    ['You exceeded your current quota. Please retry in 12.5s.', 12.5],
    ['Rate limit reached for gpt-4o. Limit 30000, used 29000. Please try again in 320ms.', 0.32],
    ['Please try again in 20s. Visit the page to learn more.', 20],
    ['Please try again later.', undefined],
    ['Please try again in 5 minutes.', undefined],
  ])('%s', (text, seconds) => {
    expect(readRetryDelay(text)).toBe(seconds)
  })
})
