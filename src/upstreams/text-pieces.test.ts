import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPieces } from './text-pieces.ts'

function decode(pieces: readonly Uint8Array[]): string {
  const text = new TextPieces()
  return pieces.map((piece) => text.push(piece)).join('') + text.end()
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const bomBytes = Uint8Array.of(0xef, 0xbb, 0xbf)

/** The bytes cut at these places, given as shares of their length. */
function cut(all: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor(share * all.length)).sort((one, other) => one - other)
  return [0, ...places].map((place, index) => all.subarray(place, places[index]))
}

test('wherever the bytes are cut, the text is the one that they are decoded to at once', () => {
  const anyBytes = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '\n', 'é', '漢', '😀', '\uFEFF') }).map(bytes),
    fc.uint8Array({ maxLength: 40 }),
  )
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
  fc.assert(
    fc.property(anyBytes, places, (all, shares) => {
      expect(decode(cut(all, shares))).toBe(new TextDecoder().decode(all))
    }),
  )
})

test('a byte order mark is left out at the beginning only', () => {
  expect(decode([bomBytes, bytes('a\uFEFFb\n'), bytes('\uFEFFc\n')])).toBe('a\uFEFFb\n\uFEFFc\n')
  expect(decode([bomBytes.subarray(0, 1), bomBytes.subarray(1), bytes('a')])).toBe('a')
})

test('a character that is cut off at the end is shown as such', () => {
  expect(decode([bytes('a'), bytes('é').subarray(0, 1)])).toBe('a\uFFFD')
})
