import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { JsonValue } from '../../conversation/index.ts'
import { PiecewiseJson } from './parse.ts'
import { BegunObject, isLarge, jsonPieces, jsonText } from './write.ts'

const unbounded = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** Reads a text that is pushed in pieces of this size, and cut whenever it can be after `enough` characters. */
function parse(text: string, size: number, enough: number): unknown {
  const reader = new PiecewiseJson(unbounded, enough)
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  return reader.end()
}

/** The value that `JSON.parse`, or the parser in pieces, returns for a text; undefined if it is not JSON. */
function outcomeOf(read: () => unknown): { value: unknown; keys: string } | undefined {
  try {
    const value = read()
    return { value, keys: JSON.stringify(value) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const json = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, null, 2)),
  fc
    .tuple(fc.json(), fc.json(), fc.json())
    .map(([a, b, c]) => `{"a":${a},"a":{"1":${b},"0":"\\ud83d\\ude00\\n"},"__proto__":${c},"":[${a},{"a":${b}}]}`),
)

test('a text in pieces has the value that it has as a whole, its order of names included', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30 }), (text, size, enough) => {
      expect(outcomeOf(() => parse(text, size, enough))).toEqual(outcomeOf(() => JSON.parse(text)))
    }),
    { numRuns: 10 * lawRuns },
  )
})

test('a text that is broken in one place is no JSON in pieces either, and only then', () => {
  fc.assert(
    fc.property(
      json,
      fc.nat(),
      fc.constantFrom(...',:[]{}"\\0u x'),
      fc.boolean(),
      fc.integer({ min: 1, max: 20 }),
      (text, seed, char, isPut, enough) => {
        const at = seed % (text.length + 1)
        const broken = text.slice(0, at) + char + text.slice(isPut ? at : at + 1)
        expect(outcomeOf(() => parse(broken, 7, enough))).toEqual(outcomeOf(() => JSON.parse(broken)))
      },
    ),
    { numRuns: 20 * lawRuns },
  )
})

describe('bounds', () => {
  test.each([
    ['[1,2,3]', { values: 2, depth: 9 }, 'values'],
    ['[[[]]]', { values: 9, depth: 2 }, 'depth'],
    ['{"a":",,,,[[[["}', { values: 1, depth: 1 }, undefined],
  ])('%s', (text, bounds, excess) => {
    expect(new PiecewiseJson(bounds).push(text)).toBe(excess)
  })

  test('a text that can be cut nowhere is refused', () => {
    const reader = new PiecewiseJson(unbounded)
    const push = () => {
      for (;;) reader.push(' '.repeat(1024 ** 2))
    }
    expect(push).toThrow(SyntaxError)
  })
})

test('the pieces of a value are together what JSON.stringify writes, and none is long', () => {
  const long = 'a "b"\n😀'.repeat(100_000)
  const value: JsonValue = { a: [long, { b: long, c: [1, null, true] }], d: Array(200_000).fill({ e: 'f' }), g: '' }
  const pieces = [...jsonPieces(value)]
  expect(pieces.join('') === JSON.stringify(value)).toBe(true)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * 1024 ** 2)
  expect(isLarge(value)).toBe(true)
  expect([...jsonPieces({ a: 1 })]).toEqual(['{"a":1}'])
})

describe('an object whose first members are written', () => {
  test.each([
    ['a small one', { b: [1, 'x'], c: null }],
    ['a large one', { b: 'long '.repeat(100_000), c: [{ d: 'e'.repeat(300_000) }] }],
  ])('is JSON with all of its members: %s', (_, members) => {
    const whole = JSON.stringify({ a: '{', ...members })
    const begun = new BegunObject('{"a":"{"', members)
    expect(jsonText(begun) === whole).toBe(true)
    expect([...jsonPieces(begun)].join('') === whole).toBe(true)
    expect(isLarge(begun)).toBe(whole.length > 256 * 1024)
  })

  test('is large by its head alone', () => {
    expect(isLarge(new BegunObject(`{"a":"${'x'.repeat(300_000)}"`, { b: 1 }))).toBe(true)
  })
})
