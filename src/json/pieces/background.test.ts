import { performance } from 'node:perf_hooks'
import { afterEach, expect, it, vi } from 'vitest'
import { backgroundPause } from './background.ts'

afterEach(() => vi.restoreAllMocks())

function work(): void {
  const start = performance.now()
  while (performance.now() - start < 6) {
    // A step of background work.
  }
}

/** Pauses after a step in a thread that works for `share` of the time. Returns the milliseconds of the sleeps that are longer than any of a pause. */
async function sleepsAfterStep(share: number, signal = new AbortController().signal): Promise<number[]> {
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    const active = performance.now() * share
    return { active, idle: performance.now() - active, utilization: share }
  })
  const sleeps: number[] = []
  const later = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void, ms = 0) => {
    sleeps.push(ms)
    return later(wake, 0)
  }) as typeof setTimeout)
  const rest = backgroundPause(signal)
  work()
  await rest()
  return sleeps.filter((ms) => ms > 100)
}

it('is a long sleep in a thread that does other work', async () => {
  const [sleep, ...others] = await sleepsAfterStep(0.9)
  expect(others).toEqual([])
  // A fiftieth of the time, and half a second at most.
  expect(sleep).toBeGreaterThanOrEqual(300)
  expect(sleep).toBeLessThanOrEqual(500)
})

it('is short in a thread that has nothing else to do', async () => {
  expect(await sleepsAfterStep(0.1)).toEqual([])
})

it('is short once the signal has aborted', async () => {
  expect(await sleepsAfterStep(0.9, AbortSignal.abort())).toEqual([])
})

it('wakes up when the signal aborts', async () => {
  const stop = new AbortController()
  const turns: string[] = []
  const busy = (): void => {
    work()
    if (!stop.signal.aborted) setImmediate(busy)
  }
  busy()
  const rest = backgroundPause(stop.signal)
  work()
  const over = rest().then(() => turns.push('over'))
  setTimeout(() => {
    turns.push('aborted')
    stop.abort()
  }, 40)
  await over
  expect(turns).toEqual(['aborted', 'over'])
})
