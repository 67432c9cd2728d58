import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { admits, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import type { JsonObject } from '../../../conversation/index.ts'
import { SchemaTypes, typeText } from '../../../json/index.ts'
import { GbnfRules } from '../rules.ts'
import type { Mistaken } from './text-kind.ts'
import { textUntil } from './until.ts'

const closers = ['</v>', '\n</v>', '|']

/** The text of a value, followed by the given marker. */
function grammarOf(not: readonly Mistaken[], closer: string) {
  const rules = new GbnfRules()
  return parseGbnf(
    rules.print(textUntil({ closer, marks: [closer], isLineStart: false, not, isNonEmpty: true }, rules)),
  )
}

interface Case {
  not: Mistaken
  /** Another type of values beside strings. */
  schema: JsonObject
  admitted: readonly string[]
  refused: readonly string[]
}

const cases: readonly Case[] = [
  {
    not: 'number',
    schema: { type: ['string', 'number'] },
    admitted: [
      '2 dollars',
      '5.',
      '.5',
      '+5',
      '01',
      '1e',
      '1e+',
      '2024-01-15',
      '-',
      '- 5',
      '1_000',
      '5 6',
      'true',
      '{"a":1}',
      '[1]',
    ],
    refused: ['2', '-2', '0', '-0.5', '1.25e10', '1E+5', '12 ', '12 \n ', ' 5', '"a"', "'a'", '<a>'],
  },
  {
    not: 'word',
    schema: { type: ['string', 'boolean', 'null'] },
    admitted: ['t', 'tru', 'truer', 'true enough', 'TRUE', 'nullable', 'Non', 'None of it', '5', '[true]'],
    refused: ['true', 'false', 'null', 'True', 'False', 'None', 'null ', 'None\n', '"null"', ' true'],
  },
  {
    not: 'structure',
    schema: { type: ['string', 'object', 'array'] },
    admitted: ['{not valid json', '[INFO] started', '{a} and {b}.', '{', '[', '[1, 2', '5', 'null', '{"a": 1} ok'],
    refused: ['{}', '[]', '{"a": 1}', '[1, 2]', '[1, 2] ', '[1\n]\n', '"[]"', '“a”'],
  },
]

describe.each(cases)('a string that is no $not', ({ not, schema, admitted, refused }) => {
  test.each(closers)('before %j', (closer) => {
    const grammar = grammarOf([not], closer)
    for (const text of admitted) expect([text, admits(grammar, text + closer)]).toEqual([text, true])
    for (const text of refused) expect([text, admits(grammar, text + closer) === true]).toEqual([text, false])
  })

  test('is read as a string', () => {
    const shape = SchemaTypes.of(schema)
    for (const text of admitted) expect(typeText(text, shape)).toEqual({ json: JSON.stringify(text) })
    const parts = fc.constantFrom(...'0159-+.eE[]{}", \ntrueNnol<abc')
    const texts = fc.array(parts, { minLength: 1, maxLength: 8 }).map((chars) => chars.join(''))
    const grammars = closers.map((closer) => [closer, grammarOf([not], closer)] as const)
    fc.assert(
      fc.property(fc.oneof(texts, fc.constantFrom(...admitted, ...refused)), (text) => {
        for (const [closer, grammar] of grammars) {
          if (admits(grammar, text + closer) === true)
            expect(typeText(text, shape)).toEqual({ json: JSON.stringify(text) })
        }
      }),
      { numRuns: 100 * lawRuns },
    )
  })
})

test('a marker that begins with a bracket hides no JSON', () => {
  const grammar = grammarOf(['structure'], ']<v>')
  expect(admits(grammar, 'plain]<v>')).toBe(true)
  expect(admits(grammar, '{"a": [1]}]<v>')).not.toBe(true)
})
