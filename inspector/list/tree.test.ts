import { expect, test } from 'vitest'
import { depthsOf } from './tree.ts'

const row = (id: string, parent?: string) => ({
  id,
  session: { id: 'a', step: 0, ...(parent !== undefined && { parent }) },
})

test('steps that go on stay, a second continuation of the same step is set in', () => {
  const depths = depthsOf([row('a'), row('b', 'a'), row('c', 'b'), row('d', 'a'), row('e', 'd'), row('f', 'gone')])
  expect(Object.fromEntries(depths)).toEqual({ a: 0, b: 0, c: 0, d: 1, e: 1, f: 0 })
})
