import { expect, test } from 'vitest'
import { call, close, jsonArguments, sequence, token, value } from './expression.ts'
import * as pattern from './pattern.ts'
import { longestMarker, unreadableMarker } from './unreadable-marker.ts'

test.each([
  ['a literal', '<tool_call>'],
  [
    'a pattern',
    pattern.sequence(
      '<f',
      pattern.space(),
      pattern.tolerated(';'),
      pattern.space(),
      pattern.capture('name', '^<>'),
      pattern.space(),
      '>',
    ),
  ],
  ['a tree', sequence(token('<f ', pattern.capture('name', '\\w'), '>'), value('</f>'), close('</f>'))],
])('%s can be read', (_name, marker) => {
  expect(unreadableMarker(marker)).toBeUndefined()
})

const long = 'x'.repeat(longestMarker + 1)
const shared = pattern.sequence(pattern.chars('a-z', 0, 64), 'b', pattern.chars('a-z', 1, 64), ';')

test.each([
  ['a long literal', long, `a marker has ${longestMarker + 1} characters`],
  [
    'a long alternative',
    pattern.choice('<a>', pattern.sequence('<', long)),
    `a marker has ${longestMarker + 2} characters`,
  ],
  ['a long closing marker', sequence(call(token('<f>'), jsonArguments(), close(long))), 'a marker has 501 characters'],
  ['a long end of a value', value(long), 'a marker has 501 characters'],
  ['runs that share a text', shared, 'it may fit in too many ways'],
  ['a tree with them', sequence(token('<f>'), close(shared)), 'it may fit in too many ways'],
])('%s cannot be read', (_name, marker, why) => {
  expect(unreadableMarker(marker)).toBe(why)
})
