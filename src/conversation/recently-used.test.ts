import { expect, test } from 'vitest'
import { RecentlyUsed } from './recently-used.ts'

/** Which of these keys, asked for one after the other, were made. */
function made(most: number, keys: readonly string[]): string {
  const recent = new RecentlyUsed<string, undefined>(most)
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
])('%s', (_, most, keys, wanted) => {
  expect(made(most, [...keys])).toBe(wanted)
})

test('what fails to be made is not remembered', () => {
  const recent = new RecentlyUsed<string, number>(2)
  expect(() =>
    recent.of('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(recent.of('a', () => 1)).toBe(1)
})
