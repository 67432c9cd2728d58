import { expect, test } from 'vitest'
import { memoize, RecentMap } from './memo.ts'

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

/** Requests the keys one after another; returns those for which a value was made. */
function made(most: number, keys: readonly string[]): string {
  const recent = new RecentMap<string, undefined>(most)
  let all = ''
  for (const key of keys) {
    recent.of(key, () => {
      all += key
      return undefined
    })
  }
  return all
}

test.each([
  ['what is known is not made again, though it be undefined', 2, 'aabab', 'ab'],
  ['what was used longest ago goes first', 2, 'abcab', 'abcab'],
  ['what was used since stays', 2, 'abaca', 'abc'],
  ['no more than so many stay', 3, 'abcdefghabc', 'abcdefghabc'],
  ['at least one stays', 0, 'aabb', 'ab'],
])('%s', (_, most, keys, wanted) => {
  expect(made(most, [...keys])).toBe(wanted)
})

test('what fails to be made is not remembered', () => {
  const recent = new RecentMap<string, number>(2)
  expect(() =>
    recent.of('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(recent.of('a', () => 1)).toBe(1)
})

test('forgets what was set for a time that is over', () => {
  let now = 0
  const recent = new RecentMap<string, number>(2, () => now)
  const seen = () => [recent.get('a'), recent.has('b')]
  recent.set('a', 1, 100).set('b', 2)
  now = 99
  expect(seen()).toEqual([1, true])
  now = 100
  expect(seen()).toEqual([undefined, true])
  recent.set('a', 3, 100)
  now = 150
  recent.set('a', 4)
  now = 1000
  expect(seen()).toEqual([4, true])
})

test('computes once for each object, an undefined value as well', () => {
  const seen: object[] = []
  const nameOf = memoize((of: { name?: string }) => {
    seen.push(of)
    return of.name
  })
  const [named, unnamed] = [{ name: 'one' }, {}]
  expect([nameOf(named), nameOf(unnamed), nameOf(named), nameOf(unnamed), nameOf({})]).toEqual([
    ...['one', undefined, 'one', undefined, undefined],
  ])
  expect(seen).toEqual([named, unnamed, {}])
})
