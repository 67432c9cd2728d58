import { afterEach, expect, it, vi } from 'vitest'
import { warmUp } from './warm-up.ts'

afterEach(() => vi.restoreAllMocks())

/** Counts the pauses of a warm-up, each of which gives others their turn. A loop that counts turns would itself be other work. */
async function pausesOf(signal: AbortSignal): Promise<number> {
  const immediates = vi.spyOn(globalThis, 'setImmediate')
  await warmUp(signal)
  return immediates.mock.calls.length
}

it('compiles in many pieces, between which others get their turn', async () => {
  expect(await pausesOf(new AbortController().signal)).toBeGreaterThan(500)
})

it('ends once it is aborted', async () => {
  expect(await pausesOf(AbortSignal.abort())).toBeLessThan(3)
})
