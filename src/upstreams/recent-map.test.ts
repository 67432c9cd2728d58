import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('keeps what was set last', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

test('keeps no more than a thousand where nothing else is said', () => {
  const map = new RecentMap<number, number>()
  for (let at = 0; at < 5000; at++) map.set(at, at)
  expect([map.size, map.has(4000), map.has(3999)]).toEqual([1000, true, false])
})
