import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { growthOf, linearGrowth, stepsOf } from '../../../test/support/steps.ts'
import { objectMembers, plainMembers, readMembers } from './members.ts'

it.each<[string, [string, string][] | undefined]>([
  [
    '{"a":12345678901234567890,"b":{"c":[1,"x"]}}',
    [
      ['a', '12345678901234567890'],
      ['b', '{"c": [1, "x"]}'],
    ],
  ],
  [
    '{"__proto__":1,"":"\\u00e9"}',
    [
      ['__proto__', '1'],
      ['', '"\\u00e9"'],
    ],
  ],
  ['{}', []],
  [
    '{"a":1,"b":[2',
    [
      ['a', '1'],
      ['b', '[2]'],
    ],
  ],
  ['[1]', undefined],
  ['"x"', undefined],
  ['', undefined],
])('gives the members of %s', (json, members) => {
  expect(objectMembers(json)).toEqual(members)
})

const text = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text))
const spelled = fc
  .stringMatching(/^(?:[a<\n "é]|\\[n"\\/bu]|\\u0041|\\ud800|[\ud800])*$/)
  .map((content) => `"${content}"`)
const key = fc.oneof({ weight: 9, arbitrary: text }, spelled)
const value = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(text, fc.constantFrom('1', '-20', 'true', 'null')) },
  fc.oneof(spelled, fc.constantFrom('1.50', '1e3', '01', 'None', '[1]', '{}', '')),
)
const blank = fc.constantFrom('', '', ' ', '\n')
const drawnObject = fc
  .tuple(fc.array(fc.tuple(key, blank, value, blank), { maxLength: 3 }), fc.constantFrom('}', '}', '}', '} x', ',}'))
  .map(
    ([members, end]) => `{${members.map(([key, gap, json, after]) => `${key}${gap}:${json}${after}`).join(',')}${end}`,
  )

test('what is cut out of a text is what the reader reads in it', () => {
  let cut = 0
  fc.assert(
    fc.property(drawnObject, (json) => {
      const members = plainMembers(json)
      if (!members) return
      cut++
      expect(members).toEqual(readMembers(json))
    }),
    { numRuns: 10 * lawRuns },
  )
  expect(cut).toBeGreaterThan(0)
})

test('objects as JSON.stringify writes them are cut', () => {
  const json = JSON.stringify({
    path: 'C:\\new\\dir',
    text: 'a "b"\n\\u0041 \u{1f600}',
    line: 3,
    isNew: false,
    none: null,
  })
  expect(plainMembers(json)).toEqual(readMembers(json))
  expect(plainMembers(json)).toHaveLength(5)
})

test('a string takes no more steps if it is longer', () => {
  const make = (length: number) => JSON.stringify({ a: 'lorem <ipsum>\n'.repeat(length) })
  const [short, long] = [make(10), make(100_000)]
  objectMembers(short)
  expect(stepsOf(() => objectMembers(long))).toBe(stepsOf(() => objectMembers(short)))
  expect(growthOf((length) => objectMembers(JSON.stringify({ a: '"\\'.repeat(length) })), 1000)).toBeLessThan(
    linearGrowth,
  )
})
