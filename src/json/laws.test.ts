import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns, someOf } from '../../test/support/draws.ts'
import { cutAt, readPieces } from '../../test/support/json/reading.ts'
import { growthOf, linearGrowth } from '../../test/support/steps.ts'
import { JsonReader } from './read/reader.ts'
import type { JsonStyle } from './style.ts'
import { JsonText } from './text.ts'
import { SchemaTypes } from './typed/schema-types.ts'
import { ArgumentWriter } from './write/writer.ts'

const styles: [string, JsonStyle][] = [
  ['JSON', {}],
  ['Python', { python: true }],
  ['delimited', { delimiters: ['<|"|>', '<escape>'] }],
]

const parts = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '{{',
    '}}',
    '"',
    "'",
    '"""',
    '“',
    '”',
    '‘',
    '’',
    '＂',
    ',',
    ':',
    '=',
    '=>',
    '，',
    '：',
    '｛',
    '｝',
  ],
  ...[
    '\\',
    '\\"',
    '\\\\\\"',
    '\\n',
    '\\u0',
    '\\x4',
    '"a"',
    '"a": ',
    'a',
    'r',
    'b',
    '1',
    '-',
    'None',
    'NaN',
    ' ',
    '\n',
    '\u{1f600}',
  ],
  ...[
    '</',
    '<',
    '<|"|>',
    '<escape>',
    '<esc',
    '/*',
    '*/',
    '//',
    '#',
    '+',
    '{"a": {"b": 1}, {"b": 2}}',
    '{\\"a\\": \\"b\\"}',
  ],
]
const junk = fc.array(fc.constantFrom(...parts), { maxLength: 25 })

/** Completes JSON that is cut somewhere with the missing part. */
function complete(json: string): string {
  const closers: string[] = []
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const char = json.charAt(at)
    if (inString && char === '\\') at++
    else if (char === '"') inString = !inString
    else if (!inString && (char === '{' || char === '[')) closers.push(char === '{' ? '}' : ']')
    else if (!inString && (char === '}' || char === ']')) closers.pop()
  }
  const ended = inString ? `${json}"` : json
  const value = ended === '' || ended.endsWith(':') ? 'null' : ''
  return ended + value + closers.reverse().join('')
}

describe.each(styles)('%s', (_name, style) => {
  it('is read alike in any pieces, and what comes out is always the beginning of JSON', () => {
    fc.assert(
      fc.property(junk, fc.array(fc.nat(), { maxLength: 6 }), (words, cuts) => {
        for (const text of [words.join(''), `{${words.join('')}`, `["${words.join('')}`]) {
          const whole = readPieces([text], style)
          expect(readPieces(cutAt(text, cuts), style)).toEqual(whole)
          expect(readPieces(text.split(''), style)).toEqual(whole)
          expect(() => JSON.parse(complete(whole.json)), whole.json).not.toThrow()
        }
      }),
      { numRuns: 20 * lawRuns },
    )
  })

  it('passes JSON through unchanged, without a repair', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        expect(readPieces(json.split(''), style)).toEqual({ json, status: 'done', end: json.length, repairs: [] })
      }),
    )
  })
})

const schemaTypes = SchemaTypes.of({
  properties: { a: { type: 'array', items: { type: 'object' } }, b: { type: 'integer' }, r: {}, k: { type: 'string' } },
})

it('writes arguments that only grow into JSON, whatever is read', () => {
  fc.assert(
    fc.property(junk, fc.array(fc.nat(), { maxLength: 6 }), (words, cuts) => {
      const text = `{"a": {"b": "1"}, ${words.join('')}}`
      const results = [[text], cutAt(text, cuts), text.split('')].map((pieces) => {
        let json = ''
        const report = { offset: () => 0, repaired: () => {}, typed: () => {}, repeated: () => {} }
        const reader = new JsonReader(new ArgumentWriter(schemaTypes, (piece) => (json += piece), report))
        let rest = ''
        for (const [index, piece] of pieces.entries()) {
          rest += piece
          rest = rest.slice(reader.read(rest, 0, index === pieces.length - 1))
          expect(() => JSON.parse(complete(json)), json).not.toThrow()
        }
        return json
      })
      expect(new Set(results).size).toBe(1)
    }),
    { numRuns: 20 * lawRuns },
  )
})

describe('the work grows with the text and not faster', () => {
  const texts: readonly (readonly [start: string, part: string])[] = [
    ['{', '{"a":'],
    ['[', '[['],
    ['{"a": "', 'x'],
    ['{"a": "', '"x '],
    ['{"a": "', '" '],
    ['{"a": "', '\\'],
    ['{"a": "', '\\u12'],
    ['{"a": “', '”，'],
    ['{"a": "', '" //'],
    ['{"a": <escape>', '<escap'],
    ['{"a": ', 'w'],
    ['{', 'k"'],
    ['{', '"k" '],
    ['{', '1 '],
    ['{', ' '],
    ['[', '{\\"a\\":1},'],
    ['{\\"a\\": \\"', 'x'],
    ['{\\"a\\": \\"', '\\\\'],
    ['[', ','],
    ['[', ']'],
    ['[1 /*', '*'],
    ['[(', '(1,'],
    ['{"a":{"b":1}', ',{"b":1}'],
    ["['", "''' '"],
  ]

  it.each(someOf(texts, 2))('in %s%s…', (start, part) => {
    const read = (size: number) => {
      const text = start + part.repeat(Math.ceil(size / part.length))
      for (const [, style] of styles) {
        for (const length of [size * 2, 16]) {
          const reader = new JsonReader(new JsonText(() => {}), style)
          let rest = ''
          for (let at = 0; at < text.length && reader.status === 'more'; at += length) {
            rest += text.slice(at, at + length)
            rest = rest.slice(reader.read(rest, 0, false))
            if (reader.status === 'more') expect(rest.length).toBeLessThan(10_000)
          }
        }
      }
    }
    expect(growthOf(read, 3000)).toBeLessThan(linearGrowth)
  })
})
