import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import type { ClosingMark } from './closing-marks.ts'
import { firstMark, mayBeUnclosed, unclosedAt } from './unclosed-strings.ts'

/** A mark, and any part of it at the end of a text. */
function markOf(mark: string): ClosingMark {
  const parts = Array.from({ length: mark.length }, (_, index) => mark.slice(0, index + 1))
  const escaped = (text: string) => text.replace(/[[\]|]/g, '\\$&')
  return {
    whole: { compiled: new RegExp(escaped(mark), 'y') },
    begun: { compiled: new RegExp(`(?:${parts.reverse().map(escaped).join('|')})$`, 'y') },
    mustBegin: [mark.charAt(0)],
    prefix: mark.toLowerCase(),
    next: '',
  }
}

const marks = [markOf('</tool_call>'), markOf('[/CALL]'), markOf('<|end|>')]
const words = [
  'a',
  '</tool_call>',
  '[/CALL]',
  '<|end|>',
  '<',
  '[',
  '}',
  ']',
  ')',
  ',',
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\\',
  '</tool',
  '|',
]
const drawn = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(''))

test('a piece that the quick check passes over has no end', () => {
  let passedOver = 0
  fc.assert(
    fc.property(drawn, fc.nat(), fc.nat(), fc.boolean(), fc.boolean(), (text, one, other, final, isPython) => {
      const [at, end] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b) as [number, number]
      const hasMark = firstMark(text, at, end, marks) >= 0
      if (mayBeUnclosed(text, at, end, isPython, hasMark)) return
      passedOver++
      const place = { marks, isClosedBy: (brackets: string) => brackets === '}', isPython, hasMember: () => true }
      expect(unclosedAt(text, at, end, final, place, hasMark)).toBeUndefined()
    }),
    { numRuns: 300 * lawRuns },
  )
  expect(passedOver).toBeGreaterThan(100)
})

test.each(['code, and more', 'a  ', 'x = 1;', ''])('the quick check passes over %j', (text) => {
  expect(mayBeUnclosed(`"${text}`, 1, text.length + 1, false, false)).toBe(false)
})
