import { expect, test } from 'vitest'
import { sequence } from '../tree/expression.ts'
import { GrammarCache } from './grammar-cache.ts'

const tool = (name: string) => ({ name, description: '', schema: {} })
const [one, other] = [sequence('a'), sequence('a')]

test('what is asked for again is not made again', () => {
  const recent = new GrammarCache<{ made: number }>()
  let made = 0
  const ask = (format: object, names: string[], rest: unknown = 'auto') =>
    recent.of(format, names.map(tool), rest, () => ({ made: ++made }))?.made
  expect([ask(one, []), ask(one, [])]).toEqual([1, 1])
  expect([ask(other, []), ask(one, ['a']), ask(one, [], 'required')]).toEqual([2, 3, 4])
  expect([ask(one, []), ask(one, ['a'])]).toEqual([1, 3])
})

test('that there is none is known as well', () => {
  const recent = new GrammarCache<{ made: number }>()
  let asked = 0
  const ask = () => {
    return recent.of(one, [], 'none', () => {
      asked++
      return undefined
    })
  }
  expect([ask(), ask(), asked]).toEqual([undefined, undefined, 1])
})

test('what was used longest ago goes', () => {
  const recent = new GrammarCache<{ made: number }>()
  let made = 0
  const ask = (rest: unknown) => recent.of(one, [], rest, () => ({ made: ++made }))?.made
  for (let index = 1; index <= 100; index++) {
    expect(ask(index)).toBe(index)
    expect(ask(1)).toBe(1)
  }
  expect([ask(100), ask(2)]).toEqual([100, 101])
})
