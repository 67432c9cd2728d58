import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPlaces } from './text.ts'

test('line and column of each place, however the text comes', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '😀') }))
  fc.assert(
    fc.property(pieces, (parts) => {
      const places = new TextPlaces()
      for (const part of parts) places.add(part)
      const text = parts.join('')
      for (let offset = 0; offset <= text.length; offset++) {
        const lines = text.slice(0, offset).split('\n')
        expect(places.placeOf(offset)).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 })
      }
    }),
  )
})
