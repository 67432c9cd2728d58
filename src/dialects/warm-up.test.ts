import { expect, it } from 'vitest'
import { warmUp } from './warm-up.ts'

/** Counts the turns of the event loop until a promise is settled. */
async function turnsUntil(promise: Promise<void>): Promise<number> {
  let turns = 0
  let isOver = false
  void promise.finally(() => {
    isOver = true
  })
  while (!isOver) {
    turns++
    await new Promise((resolve) => setImmediate(resolve))
  }
  return turns
}

it('compiles in many pieces, between which others get their turn', async () => {
  expect(await turnsUntil(warmUp(new AbortController().signal))).toBeGreaterThan(500)
})

it('ends once it is aborted', async () => {
  expect(await turnsUntil(warmUp(AbortSignal.abort()))).toBeLessThan(3)
})
