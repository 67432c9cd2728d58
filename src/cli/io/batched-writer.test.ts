import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BatchedWriter } from './batched-writer.ts'

test('texts of one turn are one write, in their order', async () => {
  const written: string[] = []
  const { write } = new BatchedWriter((text) => written.push(text))
  write('a\n')
  await Promise.resolve()
  write('b\n')
  expect(written).toEqual([])
  await turn()
  write('c\n')
  await turn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

test('what waits can be written at once, and is written once', async () => {
  const written: string[] = []
  const { write, flush } = new BatchedWriter((text) => written.push(text))
  write('a\n')
  flush()
  expect(written).toEqual(['a\n'])
  await turn()
  expect(written).toEqual(['a\n'])
})
