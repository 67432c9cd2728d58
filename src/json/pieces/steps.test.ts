import { afterEach, expect, it, vi } from 'vitest'
import { atOnce, inPieces, type Steps } from './steps.ts'

afterEach(() => void vi.restoreAllMocks())

/** Notes each of its steps, each of which takes so many milliseconds of the clock that `clock` replaces. */
function* counting(steps: number, done: string[], step: () => void = () => {}): Steps<number> {
  for (let at = 1; at <= steps; at++) {
    done.push(`step ${at}`)
    step()
    if (at < steps) yield
  }
  return steps
}

function clock(ms: number): () => void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return () => {
    now += ms
  }
}

it('does all steps at once', () => {
  const done: string[] = []
  expect(atOnce(counting(3, done))).toBe(3)
  expect(done).toEqual(['step 1', 'step 2', 'step 3'])
})

it.each([
  ['long steps have a rest after each, also after the last', 10, 'step 1, rest, step 2, rest, step 3, rest'],
  ['shorter ones are done together', 3, 'step 1, step 2, rest, step 3'],
  ['short ones have none', 1, 'step 1, step 2, step 3'],
])('%s', async (_, ms, wanted) => {
  const done: string[] = []
  const result = await inPieces(counting(3, done, clock(ms)), async () => void done.push('rest'))
  expect([result, done.join(', ')]).toEqual([3, wanted])
})

it('rejects with what a step throws', async () => {
  function* failing(): Steps<number> {
    yield
    throw new Error('no')
  }
  await expect(inPieces(failing())).rejects.toThrow('no')
  expect(() => atOnce(failing())).toThrow('no')
})
