import { describe, expect, test } from 'vitest'
import { coveringPairs } from '../../../test/support/draws.ts'
import { TooManyStates } from './automaton.ts'
import { Language } from './language.ts'
import { patternLanguage } from './pattern.ts'

const texts = [
  '',
  'a',
  'ab',
  'abc',
  'A',
  '1',
  '12',
  'x y',
  '0.1',
  '-',
  'a-b',
  'abcabc',
  '\n',
  'é😀',
  'foo',
  'foobar',
  'axb',
]
const patterns = [
  ...['^a', 'b$', '^$', 'a|b', '^(a|b)*$', '^(?!x)[a-z]+$', '(^[0-9]+$)', '^(?!foo$).*$', '^[^a]*$', 'ab?c', ''],
  ...['^a{2,}|b$', '^(?:x|y)?$', '^(foo|bar)+$', '^(?=.*a)(?=.*b).*$', '.', '^.$', '^\\w+\\s\\w+$', '^.{2,3}$'],
]

const othersOf = coveringPairs(patterns, patterns)

describe('languages of patterns', () => {
  test.each(patterns)('%s', (pattern) => {
    const language = patternLanguage(pattern)
    const expression = new RegExp(pattern, 'u')
    expect(texts.filter((text) => language?.has(text))).toEqual(texts.filter((text) => expression.test(text)))
    expect(texts.filter((text) => language?.not().has(text))).toEqual(texts.filter((text) => !expression.test(text)))
  })

  test('joined, intersected, taken from each other', () => {
    for (const one of patterns) {
      for (const other of othersOf(one)) {
        const [first, second] = [patternLanguage(one), patternLanguage(other)]
        if (!first || !second) throw new Error(`${one} or ${other} has no language`)
        for (const text of texts) {
          const [inFirst, inSecond] = [first.has(text), second.has(text)]
          expect([text, first.or(second).has(text)]).toEqual([text, inFirst || inSecond])
          expect([text, first.and(second).has(text)]).toEqual([text, inFirst && inSecond])
          expect([text, first.without(second).has(text)]).toEqual([text, inFirst && !inSecond])
        }
        const isSame = first.without(second).isEmpty && second.without(first).isEmpty
        expect(isSame).toBe(first.or(second).without(first.and(second)).isEmpty)
      }
    }
  })

  test('lengths count code points', () => {
    const language = Language.all.ofLength(2, 3)
    expect(texts.filter((text) => language.has(text))).toEqual(texts.filter((text) => /^.{2,3}$/su.test(text)))
  })

  test.each(['\\bfoo', '(a)\\1', 'a(?=b)', '(?<=a)b', '\\p{L}', '^(?i)a', '('])('%s has none', (pattern) => {
    expect(patternLanguage(pattern)).toBeUndefined()
  })
})

test('what takes too many states is refused at once', () => {
  expect(patternLanguage('a.{30}b.{30}c')).toBeUndefined()
  expect(() => Language.all.without(Language.of(['x'])).ofLength(0, 1_000_000)).toThrow(TooManyStates)
})
