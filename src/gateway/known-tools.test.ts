import { expect, test } from 'vitest'
import type { Tool } from '../conversation/index.ts'
import { KnownTools } from './known-tools.ts'

const tool = (name: string, description = 'Runs.'): Tool => ({ name, description, schema: { type: 'object' } })

test('tools that say the same are one list', () => {
  const known = new KnownTools()
  const first = [tool('a'), tool('b')]
  expect(known.same(first)).toBe(first)
  expect(known.same([tool('a'), tool('b')])).toBe(first)
})

test.each<[string, Tool[]]>([
  ['another order', [tool('b'), tool('a')]],
  ['one less', [tool('a')]],
  ['another description', [tool('a'), tool('b', 'Walks.')]],
  ['another schema', [tool('a'), { ...tool('b'), schema: { type: 'object', properties: {} } }]],
])('%s is another list', (_, tools) => {
  const known = new KnownTools()
  known.same([tool('a'), tool('b')])
  expect(known.same(tools)).toBe(tools)
})

test('what was not used for long is forgotten, what is used is kept', () => {
  const known = new KnownTools()
  const list = (name: string): Tool[] => [tool(name, 'x'.repeat(1_000_000))]
  const [a, b] = [list('a'), list('b')]
  known.same(a)
  known.same(b)
  // Each takes a million characters: six fit beside `a`.
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i']) {
    known.same(list(name))
    expect(known.same(list('a'))).toBe(a)
  }
  expect(known.same(list('b'))).not.toBe(b)
})
