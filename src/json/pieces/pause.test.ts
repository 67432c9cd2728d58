import { stat } from 'node:fs'
import { expect, it } from 'vitest'
import { pause, restAfter } from './pause.ts'

/** Busy until the next millisecond but one, so that a timer of one millisecond is due. */
function waitForTimer(): void {
  const start = performance.now()
  while (performance.now() - start < 3) {
    // Nothing else runs meanwhile.
  }
}

it('lets timers and input run first, even if it is called where input is handled', async () => {
  const order: string[] = []
  await new Promise<void>((resolve) => {
    stat('.', () => {
      setTimeout(() => order.push('timer'), 1)
      waitForTimer()
      void pause().then(() => {
        order.push('after the pause')
        resolve()
      })
    })
  })
  expect(order).toEqual(['timer', 'after the pause'])
})

it('is a rest after long work: a request of several steps is served in it', async () => {
  // Only the runtime's own measure counts, and it begins with the loop.
  await pause()
  const started = performance.now()
  while (performance.now() - started < 200) {
    // Work for one large input.
  }
  let steps = 0
  const step = (): void => {
    steps++
    if (steps < 8) setImmediate(() => setImmediate(step))
  }
  setImmediate(step)
  await pause()
  expect(steps).toBe(8)
})

it.each([
  [9, 0],
  [10, 2.5],
  [80, 20],
  [1000, 25],
])('rests after %d ms of work for %d ms', (worked, rest) => {
  expect(restAfter(worked)).toBe(rest)
})
