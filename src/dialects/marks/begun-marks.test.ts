import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { type Pattern, pattern } from '../../grammar/index.ts'
import { BegunMarks } from './begun-marks.ts'
import { joiner, sourcesOf } from './mark-pattern.ts'

const alphabet = ['a', 'B', 'É', '<', ' ', '\u00a0', '|', '😀']

/** Patterns of all types that marks are made of. */
const { drawn } = fc.letrec<{ drawn: Pattern }>((tie) => ({
  drawn: fc.oneof(
    { maxDepth: 4 },
    fc
      .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 3 })
      .map((chars): Pattern => ({ type: 'literal', text: chars.join('') })),
    fc
      .record({ set: fc.constantFrom('\\s', 'ab', '^\\s<', '|', 'é'), min: fc.nat(1), more: fc.nat(2) })
      .map(({ set, min, more }): Pattern => ({ type: 'chars', set, min, max: min + more, as: '', lazy: false })),
    fc.array(tie('drawn'), { minLength: 1, maxLength: 3 }).map((of): Pattern => ({ type: 'sequence', of })),
    fc.array(tie('drawn'), { minLength: 1, maxLength: 3 }).map((of): Pattern => ({ type: 'choice', of })),
    tie('drawn').map((of): Pattern => ({ type: 'optional', of, isWritten: false })),
    tie('drawn').map((of): Pattern => pattern.ahead(of)),
    tie('drawn').map((of): Pattern => ({ type: 'not', of })),
  ),
}))

test('the beginnings of marks are those that one expression for all of them finds', () => {
  const text = fc.array(fc.constantFrom(...alphabet, 'b', 'é', joiner), { maxLength: 4 }).map((chars) => chars.join(''))
  const marks = fc.array(drawn, { minLength: 1, maxLength: 4 })
  let found = 0
  const property = fc.property(marks, text, fc.integer({ min: 1, max: 2 }), (patterns, rest, joiners) => {
    const sources = patterns.map((one) => sourcesOf(one, new Set(['<'])))
    const begun = sources.map((source) => source.begun).join('|')
    const whole = new RegExp(`${joiner}(?<=<${joiner})${joiner}*(?=$|${begun})`, 'iy')
    const written = `a<${joiner.repeat(joiners)}${rest}`
    whole.lastIndex = 2
    const expected = whole.exec(written)?.[0].length ?? 0
    expect(new BegunMarks('<', patterns, sources).joinersAt(written, 2)).toBe(expected)
    expect(new BegunMarks('<', patterns, sources).joinersAt(written, 1)).toBe(0)
    if (expected > 0 && rest !== '') found++
  })
  fc.assert(property, { numRuns: 50 * lawRuns })
  expect(found).toBeGreaterThan(lawRuns)
})
