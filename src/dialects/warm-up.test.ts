import { afterEach, expect, it, vi } from 'vitest'
import { pause } from '../json/index.ts'
import { formatDialect } from './prompt/format-dialect.ts'
import { ReplyFormat } from './read/format/reply-format.ts'
import { dialectOf } from './registry.ts'
import { warmUp } from './warm-up.ts'

afterEach(() => vi.restoreAllMocks())

/** Counts the pauses of a warm-up, each of which gives others their turn. A loop that counts turns would itself be other work. */
async function pausesOf(signal: AbortSignal): Promise<number> {
  const immediates = vi.spyOn(globalThis, 'setImmediate')
  await warmUp('universal', { signal, rest: pause })
  return immediates.mock.calls.length
}

it('leaves no expression to be compiled for a reply', async () => {
  // Expressions are compiled once for each tree, which other tests may have done for toolify's own.
  const { format } = dialectOf('toolify')
  if (!format) throw new Error('no format')
  const dialect = formatDialect(structuredClone(format))
  const unprepared = () => dialect.format && ReplyFormat.of(dialect.format).unprepared.size
  expect(unprepared()).toBeGreaterThan(0)
  await warmUp(dialect, { signal: new AbortController().signal, rest: pause })
  expect(unprepared()).toBe(0)
})

it('compiles in many pieces, between which others get their turn', async () => {
  expect(await pausesOf(new AbortController().signal)).toBeGreaterThan(500)
})

it('ends once it is aborted', async () => {
  expect(await pausesOf(AbortSignal.abort())).toBeLessThan(3)
})
