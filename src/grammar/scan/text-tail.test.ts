import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendTail } from './text-tail.ts'

test('the tail ends like the text, in any pieces, and stays short', () => {
  const pieces = fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 })
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 20 }), (pieces, kept) => {
      let tail = ''
      for (const piece of pieces) {
        tail = appendTail(tail, piece, kept)
        expect(tail.length).toBeLessThanOrEqual(16 * kept)
      }
      expect(tail.slice(-kept)).toBe(pieces.join('').slice(-kept))
    }),
  )
})
