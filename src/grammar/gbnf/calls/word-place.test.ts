import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Token } from '../../tree/expression.ts'
import type { Capture, PatternLike } from '../../tree/pattern.ts'
import * as pattern from '../../tree/pattern.ts'
import { writeMarker } from '../../write/marker.ts'
import { longestWord } from './word-place.ts'

function marker(...of: PatternLike[]): Token {
  return { type: 'token', pattern: pattern.sequence(...of) }
}

const key = pattern.capture('key', '^<>\\n{}', 100)

/** Title, marker, and the longest word that fits in the place of the key. */
const cases: [string, Token, number][] = [
  ['between literals', marker('<parameter=', key, '>'), 100],
  ['white space before it', marker('<call>', pattern.space('\n'), '<', key, '>'), 100],
  ['a closing tag is none', marker('<', pattern.notAhead('/call>'), key, '>'), 100],
  ['more after it', marker('<key>', key, '</key>', pattern.space(), pattern.tolerated(' type="string"'), '>'), 100],
  ['some keys are none', marker('<', pattern.notAhead('call>'), key, '>'), 0],
  ['a word ends it', marker('key ', key, 'is '), 0],
  ['nothing ends it', marker('key ', key), 0],
  ['what ends it is no text', marker('key ', key, pattern.space(' '), '='), 0],
  ['no word fits', marker('<', pattern.capture('key', '0-9'), '>'), 0],
  [
    'words of two characters or more',
    marker('<', { type: 'capture', as: 'key', of: pattern.chars('\\w', 2, 9) }, '>'),
    0,
  ],
  ['a word may stand before it', marker('<', pattern.tolerated('key '), key, '>'), 0],
  ['one of several before it', marker(pattern.choice('<', '<key '), key, '>'), 0],
  ['anything before it', marker('<', pattern.chars('^=', 0, 40), key, '>'), 0],
  ['another place before it', marker('<', pattern.capture('name', '\\w'), ' ', key, '>'), 0],
  ['what was captured before', marker('</', pattern.captured('key'), '>'), 0],
  ['what must follow', marker('<', key, pattern.ahead('>')), 0],
]

describe('how long any word may be that a marker captures', () => {
  test.each(cases)('%s', (_, of, longest) => {
    expect(longestWord(of, 'key')).toBe(longest)
  })

  test('a marker that is only its place', () => {
    expect(longestWord({ type: 'token', pattern: pattern.literal('<key>') }, 'key')).toBe(0)
  })

  test('each such word is read back', () => {
    const word = fc.stringMatching(/^\w+$/)
    for (const [, of, longest] of cases) {
      if (longest === 0) continue
      fc.assert(
        fc.property(word, (drawn) => {
          const captures: Partial<Record<Capture, string>> = { key: drawn.slice(0, longest) }
          expect(writeMarker(of, captures, false)).toBeDefined()
        }),
      )
    }
  })
})
