import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../test/support/draws.ts'
import { escapeText, unescapeJson, writeEscaped } from './literals.ts'

/** Texts at the end of a piece, with parts of escapes. */
const unit = fc.constantFrom('\\\\', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\"', 'a', 'u', 'é', '😀')

/** Characters that are escaped in different ways, with both halves of a pair and with one alone. */
const plain = fc.constantFrom('\\', '\n', '"', 'a', 'é', '😀', '\ud83d', '\ude00')

/** Texts of several pieces: a piece ends at any place of the units. */
function large(of: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const size = 64 * 1024
  return fc
    .tuple(fc.array(of, { minLength: 1, maxLength: 20 }), fc.nat({ max: 20 }))
    .map(
      ([units, shift]) =>
        'x'.repeat(size - 10 + shift) + units.join('').repeat(Math.ceil((2 * size) / units.join('').length)),
    )
}

test('a large text with escapes is what it is as a whole, wherever its pieces end', () => {
  fc.assert(
    fc.property(large(unit), (json) => {
      expect(unescapeJson(json) === JSON.parse(`"${json}"`)).toBe(true)
    }),
    { numRuns: lawRuns },
  )
})

test('a large text escaped in pieces is what it is escaped as a whole, wherever its pieces end', () => {
  fc.assert(
    fc.property(large(plain), (text) => {
      const pieces: string[] = []
      writeEscaped(text, { stringPiece: (json) => pieces.push(json) })
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.join('') === JSON.stringify(text).slice(1, -1)).toBe(true)
    }),
    { numRuns: lawRuns },
  )
})

test('a text of backslashes alone has as many', () => {
  const text = '\\'.repeat(200_001)
  expect(unescapeJson(escapeText(text)) === text).toBe(true)
})
