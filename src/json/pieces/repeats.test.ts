import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { Repeats } from './repeats.ts'

/** Long texts that begin alike and differ in the middle, in their lengths, and in whether a character of two halves is at a block's end. */
const long = fc
  .tuple(
    fc.constantFrom('', 'b'),
    fc.constantFrom('"quoted"\n', '😀', 'x', '\ud83d', '\ude00\\'),
    fc.integer({ min: 0, max: 3000 }),
    fc.string({ maxLength: 8, unit: 'binary' }),
    fc.integer({ min: 0, max: 3000 }),
  )
  .map(([start, unit, before, middle, after]) => start + unit.repeat(before) + middle + unit.repeat(after))
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    long,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__', 'undefined'), tie('value')),
    fc.constant({ a: undefined, b: undefined }),
  ),
})).value

test('values are written as JSON.stringify writes them, whatever was written before', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const repeats = new Repeats()
      for (const one of [...values, ...values.toReversed()])
        expect(repeats.json(one as never) === JSON.stringify(one)).toBe(true)
    }),
    { numRuns: 20 * lawRuns },
  )
})

test('a character after half a character at the end of a block stays whole', () => {
  for (const before of [1023, 1024, 1025]) {
    const text = `${'\ud83d'.repeat(before)}\ud800\udc00${'x'.repeat(2048)}`
    expect(new Repeats().json(text) === JSON.stringify(text)).toBe(true)
  }
})

/** The number of characters that `JSON.stringify` is given meanwhile. */
function writtenIn(work: () => void): number {
  const spy = vi.spyOn(JSON, 'stringify')
  try {
    work()
    return spy.mock.calls.reduce((sum, [given]) => sum + String(given).length, 0)
  } finally {
    spy.mockRestore()
  }
}

test('a block of a string that is where it was is not written again', () => {
  const repeats = new Repeats()
  const request = (word: string) => ({ a: 1, b: [{ c: `${'x'.repeat(5000)}${word}${'y'.repeat(9000)}` }] })
  expect(writtenIn(() => repeats.json(request('one')))).toBeGreaterThan(14_000)
  expect(writtenIn(() => repeats.json(request('two')))).toBeLessThan(3000)
  expect(writtenIn(() => repeats.json(request('one')))).toBeLessThan(500)
  // The first text is kept if half of the next one is the same.
  expect(writtenIn(() => repeats.json(request('two')))).toBeGreaterThan(500)
  const grown = { a: 1, b: [{ c: `${'x'.repeat(5000)}${'z'.repeat(9000)}` }] }
  expect(writtenIn(() => repeats.json(grown))).toBeGreaterThan(8000)
  expect(writtenIn(() => repeats.json(grown))).toBeLessThan(500)
})

test('only the first long string of a value is remembered', () => {
  const repeats = new Repeats()
  const [first, second] = ['x'.repeat(5000), 'y'.repeat(7000)]
  for (const _ of [1, 2]) repeats.json([first, second])
  const spy = vi.spyOn(JSON, 'stringify')
  repeats.json([first, second])
  expect(spy.mock.calls).toEqual([[[second]]])
  spy.mockRestore()
})

test('no more than 32 strings are remembered, and none that is longer than 128 kB', () => {
  const repeats = new Repeats()
  const text = (index: number) => `${index} `.repeat(1000)
  for (let index = 0; index < 33; index++) repeats.json(text(index))
  expect(writtenIn(() => repeats.json(text(32)))).toBe(0)
  expect(writtenIn(() => repeats.json(text(0)))).toBe(text(0).length)
  const longest = 'x'.repeat(200_000)
  for (const _ of [1, 2]) expect(writtenIn(() => repeats.json(longest))).toBe(longest.length)
})
