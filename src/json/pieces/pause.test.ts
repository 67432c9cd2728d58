import { stat } from 'node:fs'
import { expect, it, vi } from 'vitest'
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

it('is a rest after long work, in which a request of several steps can be served', async () => {
  // Only the runtime's own measure counts, and it begins with the loop.
  await pause()
  const started = performance.now()
  while (performance.now() - started < 200) {
    // Work for one large input.
  }
  // How much others do in a rest depends on the machine.
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await pause()
  const rests = timers.mock.calls.map(([, ms]) => ms)
  timers.mockRestore()
  expect(rests).toHaveLength(1)
  expect(rests[0]).toBeGreaterThanOrEqual(20)
  expect(rests[0]).toBeLessThanOrEqual(25)
})

it('lets one piece alone go on in a turn', async () => {
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 2; piece++) {
      await pause()
      order.push(`${name}${piece}`)
      setImmediate(() => order.push('turn'))
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  const pieces = order.filter((entry) => entry !== 'turn')
  expect(pieces).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  expect(order.slice(0, 10)).toEqual(pieces.slice(0, 5).flatMap((piece) => [piece, 'turn']))
})

it.each([
  [19, 0],
  [20, 2],
  [80, 8],
  [1000, 25],
])('rests after %d ms of work for %d ms', (worked, rest) => {
  expect(restAfter(worked)).toBe(rest)
})
