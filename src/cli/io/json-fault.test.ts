import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { jsonFault } from './json-fault.ts'

describe('jsonFault', () => {
  // The bar marks the place.
  test.each<[string, string]>([
    ['|', 'a value'],
    ['  |', 'a value'],
    ['[1, |]', 'a value'],
    ['[|}', 'a value or ]'],
    ['[1 |2]', 'a comma or ]'],
    ['[1|', 'a comma or ]'],
    ['{|1: 2}', 'a key in double quotes or }'],
    ['{|name: 2}', 'a key in double quotes or }'],
    ['{"a": 1, |}', 'a key in double quotes'],
    ['{"a" |1}', 'a colon'],
    ['{"a": |}', 'a value'],
    ['{"a": [1]|]', 'a comma or }'],
    ['{"a": 1|', 'a comma or }'],
    ["[|'a']", 'a value or ]'],
    ['[|"a\nb"]', 'a value or ]'],
    ['[|"\\x"]', 'a value or ]'],
    ['[|True]', 'a value or ]'],
    ['[0|1]', 'a comma or ]'],
    ['{} |{}', 'nothing more'],
    ['[] |// done', 'nothing more'],
  ])('%j expects %s', (marked, expected) => {
    expect(jsonFault(marked.replace('|', ''))).toEqual({ offset: marked.indexOf('|'), expected })
  })

  test('finds none in JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFault(text)).toBeUndefined()
      }),
    )
  })

  test('finds one exactly where JSON.parse does', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '.5', 'null', ' ', '\n')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(jsonFault(text) === undefined).toBe(isJson)
      }),
      { numRuns: 100 * lawRuns },
    )
  })
})
