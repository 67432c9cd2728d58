import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../test/support/draws.ts'
import { stretchesOf, visible } from './visible.ts'

test('names controls, signs of direction and characters without width', () => {
  expect(visible('\u001b[31mred\u202etxt.exe\u2060\r\n\ta')).toBe('\\u001b[31mred\\u202etxt.exe\\u2060\\r\n\ta')
  expect(visible('\ud800 \u{e0041}')).toBe('\\ud800 \\u{e0041}')
})

test('leaves letters of any script, joiners and emoji', () => {
  const text = 'Grüße, 日本語, می‌خواهم, 👩‍💻'
  expect(stretchesOf(text)).toEqual([{ text, isEscape: false }])
})

test('no text has a character left that a terminal or a browser acts on', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = stretchesOf(text)
      expect(shown.map((one) => one.text).join('')).toBe(visible(text))
      expect(visible(text)).not.toMatch(/[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)
    }),
    { numRuns: lawRuns },
  )
})
