import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { pattern } from '../index.ts'
import { Scanner } from './scanner.ts'
import { soughtPattern } from './sought.ts'

interface Mark {
  text: string
  atLine: boolean
}

/** The first place where a mark is, or may be with more text: each place and each mark for itself. */
function firstPlace(marks: readonly Mark[], text: string, from: number, isFinal: boolean, beginsLine: boolean) {
  for (let index = from; index < text.length; index++) {
    const lineStart = text.lastIndexOf('\n', index - 1) + 1
    const isOnFirstLine =
      lineStart <= from && text.slice(from, index).trim() === '' && !text.slice(from, index).includes('\n')
    const startsLine = isOnFirstLine ? beginsLine : text.slice(Math.max(lineStart, from), index).trim() === ''
    const here = marks.filter(({ atLine }) => !atLine || startsLine)
    const rest = text.slice(index).toLowerCase()
    if (!isFinal && here.some((mark) => rest.length < mark.text.length && mark.text.startsWith(rest)))
      return { type: 'held', index }
    if (here.some((mark) => rest.startsWith(mark.text))) return { type: 'found', index }
  }
  return undefined
}

const letters = 'ab<'
const mark = fc.record({
  text: fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 }),
  atLine: fc.boolean(),
})
const marks = fc.array(mark, { minLength: 1, maxLength: 6 })
const written = fc.string({ unit: fc.constantFrom(...letters, 'A', 'x', ' ', '\n', '\t'), maxLength: 24 })

test('a scanner finds the first mark, and those of lines at their beginning only', () => {
  fc.assert(
    fc.property(
      marks,
      marks,
      written,
      fc.nat(24),
      fc.boolean(),
      fc.boolean(),
      (base, extra, text, place, isFinal, beginsLine) => {
        const sought = (some: readonly Mark[]) =>
          some.map((one) => ({ ...soughtPattern(pattern.literal(one.text)), atLine: one.atLine }))
        const from = Math.min(place, text.length)
        const scanner = new Scanner(sought(base))
        expect(scanner.find(text, from, isFinal, beginsLine)).toEqual(firstPlace(base, text, from, isFinal, beginsLine))
        const both = firstPlace([...base, ...extra], text, from, isFinal, beginsLine)
        expect(scanner.with({ sought: sought(extra) }).find(text, from, isFinal, beginsLine)).toEqual(both)
      },
    ),
    { numRuns: 100 * lawRuns },
  )
})
