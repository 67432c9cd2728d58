import { afterEach, expect, it, vi } from 'vitest'
import { ReplyFormat } from './read/reply/format.ts'
import { dialectOf } from './registry.ts'
import { warmUp } from './warm-up.ts'

afterEach(() => vi.restoreAllMocks())

/** Counts the pauses of a warm-up, each of which gives others their turn. A loop that counts turns would itself be other work. */
async function pausesOf(signal: AbortSignal): Promise<number> {
  const immediates = vi.spyOn(globalThis, 'setImmediate')
  await warmUp('universal', signal)
  return immediates.mock.calls.length
}

it('compiles in many pieces, between which others get their turn', async () => {
  expect(await pausesOf(new AbortController().signal)).toBeGreaterThan(500)
})

it.each(['toolify', 'glm'])('leaves no expression of %s to be compiled for a reply', async (name) => {
  const { format } = dialectOf(name)
  if (!format) throw new Error('no format')
  expect(ReplyFormat.of(format).unprepared.size).toBeGreaterThan(0)
  await warmUp(name, new AbortController().signal)
  expect(ReplyFormat.of(format).unprepared.size).toBe(0)
})

it('ends once it is aborted', async () => {
  expect(await pausesOf(AbortSignal.abort())).toBeLessThan(3)
})
