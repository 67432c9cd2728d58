import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonExcess, nestsDeeper } from './bounds.ts'

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return Math.max(1, members.length) + members.reduce<number>((sum, one) => sum + countOf(one), 0)
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('jsonExcess', () => {
  test.each([
    ['[1,2,3]', 3, undefined],
    ['[1,2,3]', 2, 'values'],
    ['"a,b,c,[[[{{{,,,"', 0, undefined],
    ['["\\",,,,,,", 1]', 2, undefined],
    ['["\\\\",1,1]', 2, 'values'],
    ['{"a":{},"b":[]}', 4, undefined],
    ['{"a":{},"b":[]}', 3, 'values'],
  ])('%s of at most %i values: %s', (text, values, expected) => {
    expect(jsonExcess(text, { values, depth: 9 })).toBe(expected)
  })

  test('says so of any JSON, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(12), fc.nat(5), fc.nat(2), (value, values, depth, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const [isMany, isDeep] = [countOf(value) > values, depthOf(value) > depth]
        const found = jsonExcess(text, { values, depth })
        expect([found !== undefined, found === 'depth' ? isDeep : found === 'values' ? isMany : true]).toEqual([
          isMany || isDeep,
          true,
        ])
      }),
    )
  })

  test('stops where a bound is passed', () => {
    // A million brackets: the level is counted in as many steps as there may be levels.
    expect(jsonExcess('['.repeat(1_000_000), { values: 1000, depth: 100 })).toBe('depth')
    expect(jsonExcess('{},'.repeat(1_000_000), { values: 1000, depth: 100 })).toBe('values')
  })
})

test('nestsDeeper says how deep a value nests, and overflows at no depth', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(5), (value, depth) => {
      expect(nestsDeeper(value, depth)).toBe(depthOf(value) > depth)
    }),
  )
  expect(nestsDeeper(JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000)), 500)).toBe(true)
})
