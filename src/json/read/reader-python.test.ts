import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { readPieces } from '../../../test/support/json/reading.ts'

const python = { python: true }

describe('JsonReader with Python literals', () => {
  it.each([
    ['True', 'true'],
    ['None', 'null'],
    ['-74.0', '-74.0'],
    ['1_000', '1000'],
    ['0x1F', '31'],
    ["'it\\'s'", '"it\'s"'],
    ['\'say "x"\'', '"say \\"x\\""'],
    ['\'grep -F "]"\'', '"grep -F \\"]\\""'],
    ["'''a\n'b' \"c\"'''", '"a\\n\'b\' \\"c\\""'],
    ['"""say "hi""""', '"say \\"hi\\""'],
    ['""', '""'],
    ['""""""', '""'],
    ['r"C:\\new\\"', '"C:\\\\new\\\\\\""', 'open'],
    ['r"\\d+"', '"\\\\d+"'],
    ["b'x'", '"x"'],
    ["f'{a}'", '"{a}"'],
    ['"a" "b"', '"ab"'],
    ["'a' r'\\b' u\"c\"", '"a\\\\bc"'],
    ["'\\x41\\U0001F600\\033[0m\\\n!'", '"A\u{1f600}\\u001b[0m!"'],
    ['(1, 2)', '[1,2]'],
    ['(1,)', '[1]'],
    ['(1)', '1'],
    ['("a"\n "b")', '"ab"'],
    ['()', '[]'],
    ['((1, "x"), [2])', '[[1,"x"],[2]]'],
    ["{'a': [True, 1.5], 'b': {'c': None}, 3: (1, 2)}", '{"a":[true,1.5],"b":{"c":null},"3":[1,2]}'],
    ['[1, # one\n 2]', '[1,2]'],
    ['{1, -2.5}', '[1,-2.5]'],
    ["{'it\\'s', \"b\"}", '["it\'s","b"]'],
    ["[{'a'}, {'b': {'c'}}]", '[["a"],{"b":["c"]}]'],
  ])('reads %s', (value, json, isOpen?) => {
    for (const after of [', b=1)', ')', ' )', '']) {
      const text = value + after
      for (const pieces of [[text], text.split('')]) {
        const reading = readPieces(pieces, python)
        if (isOpen) {
          // A raw string whose last backslash keeps its quote is open for Python too.
          expect(reading.status).toBe('more')
          continue
        }
        expect(reading).toEqual({ json, status: 'done', end: value.length, repairs: [] })
      }
    }
  })

  it.each([
    ['"say "hi" now"', '"say \\"hi\\" now"', ['inner-quote', 'inner-quote']],
    ['"a\nb"', '"a\\nb"', ['control-character']],
    ['Paris', '"Paris"', ['bare-string']],
    ['2026-01-15', '"2026-01-15"', ['bare-string']],
    ['"C:\\Users\\x"', '"C:\\\\Users\\\\x"', ['invalid-escape', 'invalid-escape']],
    [
      '"""def f():\n  """doc"""\n  pass"""',
      '"def f():\\n  \\"\\"\\"doc\\"\\"\\"\\n  pass"',
      ['inner-quote', 'inner-quote'],
    ],
    ["'f('a')'", '"f(\'a\')"', ['inner-quote', 'inner-quote']],
    [`'python3 -c "print(x='a')" && ls'`, `"python3 -c \\"print(x='a')\\" && ls"`, ['inner-quote', 'inner-quote']],
    [`'g('a').h'`, `"g('a').h"`, ['inner-quote', 'inner-quote']],
    ['nan', '"nan"', ['bare-string']],
    ['NaN', 'null', ['no-value']],
  ])('repairs %s', (value, json, repairs) => {
    for (const pieces of [[`${value}, b=1)`], `${value}, b=1)`.split('')]) {
      const reading = readPieces(pieces, python)
      expect(reading).toMatchObject({ json, status: 'done', end: value.length })
      expect(reading.repairs.map(([name]) => name)).toEqual(repairs)
    }
  })

  it('says nothing of line breaks in strings where a style has them', () => {
    const value = "'a\nb\t', c='d"
    for (const pieces of [[value], value.split('')]) {
      expect(readPieces(pieces, { ...python, rawControls: true })).toMatchObject({ json: '"a\\nb\\t"', repairs: [] })
    }
    expect(readPieces([value], python).repairs.map(([name]) => name)).toEqual(['control-character'])
  })

  it.each([
    'f(1)',
    'a + b',
    '1 + 2',
    '"a" + "b"',
    '60*60',
    '10/2',
    "float'x'",
    'New York',
    '[f(1)]',
    'lambda x: x',
    '-x*2',
  ])('does not guess at %s', (value) => {
    for (const pieces of [[`${value})`], `${value})`.split('')]) {
      expect(readPieces(pieces, python).status).toBe('stopped')
    }
  })

  it('reads any JSON after an argument, and the place where it ends', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const text = `${json}, b=1)`
        for (const pieces of [[text], text.split('')]) {
          const reading = readPieces(pieces, python)
          expect(reading.end).toBe(json.length)
          expect(JSON.parse(reading.json)).toEqual(JSON.parse(json))
        }
      }),
    )
  })

  it('reads garbage alike in any pieces', () => {
    const words = [
      '"',
      "'",
      '"""',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      'r',
      'b',
      '\\',
      '\n',
      ' ',
      'a',
      '1',
      '#',
      '+',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const whole = readPieces([text], python)
        expect(readPieces(text.split(''), python)).toEqual(whole)
        if (whole.status === 'done') expect(() => JSON.parse(whole.json)).not.toThrow()
      }),
      { numRuns: 100 * lawRuns },
    )
  })
})
