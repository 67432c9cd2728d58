import { stat } from 'node:fs'
import { expect, it } from 'vitest'
import { pause } from './pause.ts'

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
