import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { ArgumentsOutline } from './arguments-outline.ts'

function outlineOf(pieces: readonly string[]): ArgumentsOutline {
  const outline = new ArgumentsOutline()
  for (const piece of pieces) outline.push(piece)
  return outline
}

test('a JSON text may be whole, and a list or an object has ended, at its end only', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const isContainer = /^[[{]/.test(json)
      expect(outlineOf([...json]).mayBeWhole).toBe(true)
      expect(outlineOf([json]).hasEnded).toBe(isContainer)
      for (let at = 1; isContainer && at < json.length; at++) {
        expect(outlineOf([json.slice(0, at)]).mayBeWhole).toBe(false)
      }
    }),
    { numRuns: 4 * lawRuns },
  )
})

test('a string is open up to its quote, wherever the pieces end', () => {
  expect(outlineOf(['{"a', '\\', '"b']).isInString).toBe(true)
  expect(outlineOf(['{"a', '\\', '"b', '"']).isInString).toBe(false)
  expect(outlineOf(['{"a\\\\', '"']).isInString).toBe(false)
})

test('what is long and neither a list nor an object is none', () => {
  expect(outlineOf(['1'.repeat(1000)]).mayBeWhole).toBe(true)
  expect(outlineOf(['1'.repeat(1001)]).mayBeWhole).toBe(false)
})
