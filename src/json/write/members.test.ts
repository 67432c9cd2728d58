import { expect, it } from 'vitest'
import { objectMembers } from './members.ts'

it.each<[string, [string, string][] | undefined]>([
  [
    '{"a":12345678901234567890,"b":{"c":[1,"x"]}}',
    [
      ['a', '12345678901234567890'],
      ['b', '{"c": [1, "x"]}'],
    ],
  ],
  [
    '{"__proto__":1,"":"\\u00e9"}',
    [
      ['__proto__', '1'],
      ['', '"\\u00e9"'],
    ],
  ],
  ['{}', []],
  [
    '{"a":1,"b":[2',
    [
      ['a', '1'],
      ['b', '[2]'],
    ],
  ],
  ['[1]', undefined],
  ['"x"', undefined],
  ['', undefined],
])('gives the members of %s', (json, members) => {
  expect(objectMembers(json)).toEqual(members)
})
