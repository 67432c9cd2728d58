import { describe, expect, test } from 'vitest'
import { growthOf, linearGrowth } from '../../../../../test/support/steps.ts'
import { Budget } from './budget.ts'
import { indexOf, lastIndexOf, splitAt } from './search.ts'

/** Needles longer than 64 characters, for which the search is our own. */
const a = 'a'.repeat(70)
const ab = 'ab'.repeat(40)

describe('a search for a long text', () => {
  test.each([
    ['nothing', a, ab],
    ['the whole', ab, ab],
    ['at the end', `${a}b`, `${a.slice(1)}b`],
    ['at the beginning', `b${a}a`, `b${a}`],
    ['overlapping itself', a + a, a],
    ['nearly everywhere', `${a + a}b${a}c`, `${a}c`],
    ['with periods', `${ab}b${ab}${ab}c`, `${ab}ab`],
    ['longer than the text', a, `${a}a`],
    ['twice', `-${ab}x-${ab}x-`, `${ab}x`],
  ])('%s', (_, text, part) => {
    expect(indexOf(text, part)).toBe(text.indexOf(part))
    expect(indexOf(text, part, 3)).toBe(text.indexOf(part, 3))
    expect(lastIndexOf(text, part)).toBe(text.lastIndexOf(part))
    expect(splitAt(text, part, new Budget())).toEqual(text.split(part))
  })

  test('takes steps in proportion to the lengths', () => {
    const search = (length: number) => {
      const text = 'a'.repeat(length * 2)
      const half = 'a'.repeat(length)
      for (const part of [`${half}b`, `b${half}`, `${half}b${half}`.slice(0, length * 1.5), `ab${half}`]) {
        expect(indexOf(text, part)).toBe(-1)
        expect(lastIndexOf(text, part)).toBe(-1)
        expect(splitAt(text, part, new Budget())).toHaveLength(1)
      }
    }
    expect(growthOf(search, 20_000)).toBeLessThan(linearGrowth)
  })
})

test('a split counts its parts', () => {
  expect(() => splitAt('a,'.repeat(100), ',', new Budget({ steps: 50 }))).toThrow('steps')
})
