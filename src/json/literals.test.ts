import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../test/support/draws.ts'
import { escapeText, unescapeJson } from './literals.ts'

/** Texts at the end of a piece, with parts of escapes. */
const unit = fc.constantFrom('\\\\', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\"', 'a', 'u', 'é', '😀')

test('a large text with escapes is what it is as a whole, wherever its pieces end', () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), fc.nat({ max: 20 }), (units, shift) => {
      const size = 64 * 1024
      const repeated = units.join('').repeat(Math.ceil((2 * size) / units.join('').length))
      const json = 'x'.repeat(size - 10 + shift) + repeated
      expect(unescapeJson(json) === JSON.parse(`"${json}"`)).toBe(true)
    }),
    { numRuns: lawRuns },
  )
})

test('a text of backslashes alone has as many', () => {
  const text = '\\'.repeat(200_001)
  expect(unescapeJson(escapeText(text)) === text).toBe(true)
})
