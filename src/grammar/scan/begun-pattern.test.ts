import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import * as pattern from '../tree/pattern.ts'
import { type Pattern, patternOf } from '../tree/pattern.ts'
import { begunChoice, begunSource } from './begun-pattern.ts'

function isBegun(source: string, text: string): boolean {
  return new RegExp(`^(?:${source})`, 'i').test(text)
}

describe('begunSource', () => {
  it.each<[name: string, pattern: Pattern, begun: string[], not: string[]]>([
    ['a literal', patternOf('<|x|>'), ['', '<', '<|', '<|x|'], ['<|x|>', '<|y', 'x', '<|x|>x']],
    [
      'literals that begin alike',
      pattern.choice('<ab', '<ac', 'd'),
      ['', '<', '<a', '<A'],
      ['<ab', '<ac', '<b', 'd', 'e'],
    ],
    [
      'a literal that another goes on from',
      pattern.choice('ab', 'abcd'),
      ['', 'a', 'ab', 'abc'],
      ['abcd', 'ac', 'abd'],
    ],
    [
      'the same with what follows',
      pattern.choice(pattern.sequence('ab', '!'), 'abc'),
      ['a', 'ab'],
      ['ab!', 'abc', 'a!'],
    ],
    [
      'parts that may be missing',
      pattern.sequence('a', pattern.tolerated('b'), 'c'),
      ['a', 'ab'],
      ['ac', 'abc', 'abb'],
    ],
    ['white space', pattern.sequence('a', pattern.space(), 'b'), ['a', 'a ', 'a \n'], ['ab', 'a b', 'a x']],
    ['a name', pattern.sequence('<', pattern.capture('name', 'a-z'), '>'), ['<', '<ab'], ['<ab>', '<a b']],
    ['what must follow', pattern.sequence('a', pattern.ahead('bc')), ['a', 'ab'], ['abc', 'ax']],
    [
      'what must not follow',
      pattern.sequence('a', pattern.notAhead('bc'), pattern.chars('a-z', 2, 2)),
      ['a', 'ab', 'ax'],
      ['axy', 'abc'],
    ],
    [
      'sequences in sequences',
      pattern.sequence(pattern.sequence('a', 'b'), pattern.sequence('c', pattern.choice('d', 'e'))),
      ['ab', 'abc'],
      ['abcd'],
    ],
    ['nothing', pattern.sequence(), [], ['', 'a']],
  ])('matches what may become %s', (_name, pattern, begun, not) => {
    const source = begunSource(pattern)
    for (const text of begun) expect([text, isBegun(source, text)]).toEqual([text, true])
    for (const text of not) expect([text, isBegun(source, text)]).toEqual([text, false])
  })

  it('finds of several literals what each finds by itself', () => {
    const text = fc.string({ unit: fc.constantFrom('<', '|', 'a', 'b', '.', '😀'), maxLength: 5 })
    const drawn = fc.oneof(
      text.map(patternOf),
      fc.tuple(text, text).map(([head, end]) => pattern.sequence(head, pattern.tolerated('b'), end)),
      fc.tuple(text, text).map(([head, end]) => pattern.sequence(head, pattern.choice(end, 'a<'))),
    )
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 5 }), text, (patterns, given) => {
        const each = patterns.some((one) => isBegun(begunSource(one), given))
        expect(isBegun(begunChoice(patterns), given)).toBe(each)
        const literals = patterns.flatMap((one) => (one.type === 'literal' ? [one.text] : []))
        const isProper = literals.some((literal) => given.length < literal.length && literal.startsWith(given))
        expect(isBegun(begunChoice(literals.map(patternOf)), given)).toBe(isProper)
      }),
      { numRuns: 60 * lawRuns },
    )
  })
})
