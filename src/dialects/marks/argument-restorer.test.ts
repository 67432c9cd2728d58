import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut } from '../../../test/support/dialects/replies.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import { formats } from '../formats/index.ts'
import { universal } from '../formats/universal.ts'
import { formatMarks } from '../prompt/format-dialect.ts'
import { ArgumentRestorer } from './argument-restorer.ts'
import type { Marks } from './marks.ts'

const llama = formats.find(({ name }) => name === 'llama-json') ?? universal
const marks = formatMarks(llama)

function restored(using: Marks, pieces: readonly string[]): string {
  const restorer = new ArgumentRestorer(using)
  return pieces.map((piece) => restorer.push(piece)).join('') + restorer.end()
}

describe('ArgumentRestorer', () => {
  it.each([
    ['a mark that was broken', '{"a": "{\u2060name: 1}"}', '{"a": "{name: 1}"}'],
    ['a key that was broken', '{"{\u2060name: 1}": 1}', '{"{name: 1}": 1}'],
    // The brackets after the string would turn its content into a call.
    ['what is a mark only with what comes after its string', '{"a": "{\u2060name:x"}', '{"a": "{\u2060name:x"}'],
    ['what is a mark only with the next string', '{"a": "{\u2060", "name": 1}', '{"a": "{\u2060", "name": 1}'],
    [
      'quotes and backslashes',
      '{"a\\"{\u2060name: 1}\\\\": "\\\\\\"{\u2060name: 1}"}',
      '{"a\\"{name: 1}\\\\": "\\\\\\"{name: 1}"}',
    ],
    [
      'a mark with quotes, which are escaped',
      '{"a": "{\u2060\\"type\\": \\"function\\"}"}',
      '{"a": "{\\"type\\": \\"function\\"}"}',
    ],
    [
      'what else is escaped',
      '{"a": "\\\\u12 \\u00e9\\n{\u2060name: 1}\\n\\u0001\\/"}',
      '{"a": "\\\\u12 \\u00e9\\n{name: 1}\\n\\u0001/"}',
    ],
    ['a string that ends in an escape', '{"a": "{\u2060name: 1}\\u00', '{"a": "{name: 1}\\u00'],
    ['a string that is not closed', '{"a": "{\u2060name: 1}', '{"a": "{name: 1}'],
  ])('puts back, or leaves alone: %s', (_name, json, expected) => {
    expect(restored(marks, [json])).toBe(expected)
    expect(restored(marks, json.split(''))).toBe(expected)
  })

  it.each([...formats, universal])('gives back the strings whose marks were broken each by itself: $name', (format) => {
    const own = formatMarks(format)
    const example = JSON.stringify(format.example).slice(1, -1)
    const nasty = fc.constantFrom('{"name"', "{'name'", '{name:', '{name=1', '[f(', '{', '[', '"', '\\', '>', '\u2060')
    const piece = fc.oneof(nasty, fc.constantFrom(format.example, example), fc.string({ maxLength: 4 }))
    const string = fc.array(
      fc.oneof(
        piece,
        piece.map((text) => own.neutralise(text)),
      ),
      { maxLength: 4 },
    )
    const member = fc.tuple(string, string).map((pair) => pair.map((parts) => parts.join('')))
    fc.assert(
      fc.property(fc.array(member, { maxLength: 3 }), fc.array(fc.nat(), { maxLength: 6 }), (members, places) => {
        const write = (change: (text: string) => string) =>
          `{${members.map((pair) => pair.map((text) => JSON.stringify(change(text))).join(': ')).join(', ')}}`
        const broken = write((text) => own.neutralise(text))
        expect(restored(own, cut(broken, places))).toBe(write((text) => text))
      }),
      { numRuns: lawRuns },
    )
  })
})
