import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { lawRuns } from '../../test/support/draws.ts'
import { faultOf } from '../../tools/fuzz/laws.mjs'
import type { FuzzCase } from '../../tools/fuzz/types.ts'
import { createReader } from './create-reader.ts'
import { dialects } from './index.ts'

// The rules of a reader that wait for the text after white space wait for a limited number of characters. Each limit must be a place of
// the text, whatever the pieces in which the text comes. Most limits are 40, 64, 200 or 256 characters.

/** All kinds of white space, among them those that JSON does not have and those that JSON must escape. */
const blanks = [
  ...[' ', '\t', '\n', '\r', '\r\n', ' \n', '\v', '\f'],
  ...['\u0085', '\u00a0', '\u2003', '\u2028', '\u3000', '\ufeff'],
]
const lengths = fc.oneof(
  fc.integer({ min: 38, max: 70 }),
  fc.constantFrom(1, 16, 17, 126, 129, 160, 161, 200, 201, 255, 256, 257, 258),
)
/** Text that breaks a call off, before the white space or after it. */
const odd = fc.constantFrom(
  '',
  '',
  '"',
  "'",
  '{',
  '}',
  ':',
  ',',
  '<',
  '>',
  '[',
  ']',
  '(',
  'x',
  '\\',
  '|',
  '```',
  '</',
  '=',
  '. ',
)
const accept = fc.record({ looseCalls: fc.boolean(), naturalLanguage: fc.boolean(), callsInReasoning: fc.boolean() })

const texts = fc
  .record({
    dialect: fc.constantFrom(...dialects),
    isUniversal: fc.boolean(),
    at: fc.nat(),
    before: odd,
    blank: fc.constantFrom(...blanks),
    length: lengths,
    after: odd,
    tail: fc.constantFrom('', 'rest', 'example', 'word'),
    reason: fc.constantFrom('stop' as const, 'length' as const),
    accept,
  })
  .map(({ dialect: { name, example }, isUniversal, at, before, blank, length, after, tail, ...options }) => {
    const cut = at % (example.length + 1)
    const head = example.slice(0, cut) + before
    const gap = blank.repeat(length).slice(0, length)
    const rest = after + (tail === 'rest' ? example.slice(cut) : tail === 'example' ? example : tail)
    return {
      head,
      gap,
      rest,
      fuzzCase: { dialect: isUniversal ? 'universal' : name, text: head + gap + rest, options },
    }
  })

/** Splits a text next to the white space in it, within it, and into all of its characters. */
function splitsOf(head: string, gap: string, rest: string): string[][] {
  const text = head + gap + rest
  const places = [head.length - 1, head.length, head.length + 1, head.length + 38, head.length + gap.length]
  const inTwo = places.map((place) => [text.slice(0, Math.max(0, place)), text.slice(Math.max(0, place))])
  return [text.split(''), [head, ...gap.split(''), rest], ...inTwo]
}

it('reads a broken call and the white space in it or after it alike, however they are cut', () => {
  fc.assert(
    fc.property(texts, ({ head, gap, rest, fuzzCase }) => {
      expect(faultOf(createReader, fuzzCase, splitsOf(head, gap, rest))).toBeUndefined()
    }),
    { numRuns: 2 * lawRuns },
  )
})

it.each(['{"name": "get', '{"name" "\v: "get', '[{"id": "get'])(
  'reads %s and more white space than a name has',
  (head) => {
    const cases = fc.tuple(
      fc.constantFrom(...blanks),
      fc.integer({ min: 38, max: 70 }),
      fc.constantFrom('', '"', '"}', 'x'),
    )
    fc.assert(
      fc.property(cases, ([blank, length, rest]) => {
        const gap = blank.repeat(length)
        const fuzzCase: FuzzCase = { dialect: 'universal', text: head + gap + rest, options: {} }
        expect(faultOf(createReader, fuzzCase, splitsOf(head, gap, rest))).toBeUndefined()
      }),
      { numRuns: lawRuns },
    )
  },
)
