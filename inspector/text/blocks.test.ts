import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Span } from '../../src/records/api/types.ts'
import { lawRuns } from '../../test/support/draws.ts'
import { blocksOf, type Mark } from './blocks.ts'

const roles = ['text', 'marker', 'argument'] as const

/** A text with spans in order, which may leave gaps, and marks in order. */
const drawn = fc
  .record({
    words: fc.array(fc.tuple(fc.constantFrom('a', '\n', '😀', ' '), fc.integer({ min: 1, max: 9000 })), {
      maxLength: 8,
    }),
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }),
    places: fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 5 }),
  })
  .map(({ words, cuts, places }) => {
    const text = words.map(([word, count]) => word.repeat(count)).join('')
    const ends = cuts.filter((at) => at < text.length).sort((a, b) => a - b)
    const spans: Span[] = ends.slice(1).flatMap((end, index) => {
      const role = roles[index % 4]
      return role ? [{ role, start: ends[index] ?? 0, end }] : []
    })
    const marks: Mark[] = places
      .filter((at) => at < text.length)
      .sort((a, b) => a - b)
      .map((at) => ({ at, code: 'c', message: 'm' }))
    return { text, spans, marks }
  })

test('blocks have the whole text, each character in its role, each mark at its place', () => {
  fc.assert(
    fc.property(drawn, ({ text, spans, marks }) => {
      const blocks = blocksOf(text, spans, marks)
      const pieces = blocks.flatMap((block) => block.pieces)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      for (const piece of pieces) {
        expect(piece.text).not.toBe('')
        const span = spans.find(({ start, end }) => start <= piece.start && piece.start < end)
        expect(piece.role).toBe(span?.role)
        expect(piece.isFirst).toBe(span?.start === piece.start)
        if (span) expect(piece.start + piece.text.length).toBeLessThanOrEqual(span.end)
      }
      expect(pieces.flatMap((piece) => piece.marks.map(() => piece.start))).toEqual(marks.map(({ at }) => at))
      for (const block of blocks)
        expect(block.pieces.map((piece) => piece.text).join('').length).toBeLessThanOrEqual(8000)
    }),
    { numRuns: lawRuns },
  )
})

test('a block ends with a line if it can, and never within a pair of surrogates', () => {
  const lines = `${'x'.repeat(5000)}\n`.repeat(3)
  expect(blocksOf(lines).map(({ isCut }) => isCut)).toEqual([false, false, false])
  const pairs = blocksOf(`a${'😀'.repeat(8000)}`)
  expect(pairs.map(({ isCut }) => isCut)).toEqual([true, true, false])
  for (const { pieces } of pairs) for (const { text } of pieces) expect(text).not.toMatch(/\p{Surrogate}/u)
})
