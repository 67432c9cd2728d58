import { expect, test } from 'vitest'
import { fakeEngine } from '../../../test/support/upstreams/gguf-engine.ts'
import type { EngineSequence } from './engine.ts'
import { SequencePool } from './sequence-pool.ts'

const forever = new AbortController().signal

/** Returns sequences that each contain the given tokens. */
async function holding(...held: number[][]): Promise<readonly EngineSequence[]> {
  const engine = fakeEngine({ replies: [''] })
  const { sequences } = await engine.load({ file: '', sequences: held.length })
  for (const [index, tokens] of held.entries()) await sequences[index]?.read(tokens)
  return sequences
}
const range = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)

test.each<[string, number[][], number[], number]>([
  ['the one that holds the beginning', [range(5, 50), range(5)], range(8), 1],
  ['the longer of two beginnings', [range(3), range(6)], range(8), 1],
  ['an empty one rather than one whose long conversation would be forgotten', [range(90), []], [0, 1, 200], 1],
  ['one that loses little for what it saves', [range(10), []], [...range(9), 200], 0],
  ['the one that was used longest ago, where none helps', [[], []], [1], 0],
])('takes %s', async (_, held, prompt, index) => {
  const sequences = await holding(...held)
  expect(await new SequencePool(sequences).take(prompt, forever)).toBe(sequences[index])
})

test('who finds none waits for the next, in the order of coming; who leaves the queue is told at once', async () => {
  const [only] = await holding([])
  if (!only) throw new Error('there is no sequence')
  const pool = new SequencePool([only])
  await pool.take([], forever)
  const order: string[] = []
  const leaving = new AbortController()
  const first = pool.take([], forever).then(() => order.push('first'))
  const left = pool.take([], leaving.signal).catch((error: Error) => order.push(error.message))
  const third = pool.take([], forever).then(() => order.push('third'))
  leaving.abort()
  await left
  expect(order).toEqual(['The request was cancelled before its answer was complete.'])
  pool.release(only)
  await first
  pool.release(only)
  await third
  expect(order.slice(1)).toEqual(['first', 'third'])
  pool.release(only)
  expect(await pool.take([], forever)).toBe(only)
})
