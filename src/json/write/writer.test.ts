import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { JsonReader } from '../read/reader.ts'
import { SchemaTypes } from '../typed/schema-types.ts'
import { ArgumentWriter } from './writer.ts'

function write(schema: JsonObject, text: string): { pieces: string[]; reports: unknown[] } {
  const pieces: string[] = []
  const reports: unknown[] = []
  const writer: ArgumentWriter = new ArgumentWriter(SchemaTypes.of(schema), (piece) => pieces.push(piece), {
    offset: () => reader.offset,
    repaired: (repair, offset) => reports.push([repair, offset]),
    typed: (key, _message, offset) => reports.push(['typed', key, offset]),
    repeated: (key, offset) => reports.push(['repeated', key, offset]),
  })
  const reader: JsonReader = new JsonReader(writer)
  reader.read(text, 0, true)
  writer.finish()
  return { pieces, reports }
}

const schema: JsonObject = {
  properties: {
    s: { type: 'string' },
    n: { type: 'integer' },
    list: { type: 'array', items: { type: 'string' } },
    o: { type: 'object', properties: { n: { type: 'number' } } },
    todos: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    maybe: { type: ['integer', 'null'] },
    ints: { type: 'array', items: { type: 'integer' } },
  },
}

describe('ArgumentWriter', () => {
  it.each<[text: string, json: string, reports: unknown[]]>([
    ['{}', '{}', []],
    ['{"s": "5", "n": 5}', '{"s":"5","n":5}', []],
    ['{"s": 5}', '{"s":"5"}', [['typed', 's', 6]]],
    ['{"s": 12345678901234567890}', '{"s":"12345678901234567890"}', [['typed', 's', 6]]],
    ['{"s": true}', '{"s":"true"}', [['typed', 's', 6]]],
    ['{"s": null}', '{"s":null}', []],
    ['{"s": {"a": [1, "x"]}}', '{"s":"{\\"a\\":[1,\\"x\\"]}"}', [['typed', 's', 6]]],
    ['{"n": "5"}', '{"n":5}', [['typed', 'n', 6]]],
    ['{"n": "five"}', '{"n":"five"}', []],
    ['{"list": "[\\"a\\"]"}', '{"list":["a"]}', [['typed', 'list', 9]]],
    ['{"list": [1, "b"]}', '{"list":["1","b"]}', [['typed', 'list', 10]]],
    ['{"o": {"n": "1.5"}}', '{"o":{"n":1.5}}', [['typed', 'n', 12]]],
    ['{"o": "{\\"n\\": 1}"}', '{"o":{"n": 1}}', [['typed', 'o', 6]]],
    ['{"o": "{"n": 1}", "n": 2}', '{"o":{"n":1},"n":2}', [['quoted-object', 6]]],
    ['{"s": "{"}', '{"s":"{"}', []],
    ['{"maybe": "null"}', '{"maybe":null}', [['typed', 'maybe', 10]]],
    ['{"x": "5", "y": {"x": 1, "x": 2}}', '{"x":"5","y":{"x":1,"x":2}}', []],
    ['{"s": "a", "s": "b"}', '{"s":"a","s":"b"}', [['repeated', 's', 11]]],
    [
      '{"todos": {"id": 1}, {"id": 2}, {"id": 3}}',
      '{"todos":[{"id":"1"},{"id":"2"},{"id":"3"}]}',
      [
        ['typed', 'id', 17],
        ['missing-array', 21],
        ['typed', 'id', 28],
        ['missing-array', 32],
        ['typed', 'id', 39],
      ],
    ],
    [
      '{"y": {"a": 1}, {"a": 2}, "s": 1}',
      '{"y":[{"a":1},{"a":2}],"s":"1"}',
      [
        ['missing-array', 16],
        ['typed', 's', 31],
      ],
    ],
    ['{"y": {"a": {"b": 1}}, "z": {}}', '{"y":{"a":{"b":1}},"z":{}}', []],
    ['{"y": {"a": 1}, "y": {"a": 2}}', '{"y":{"a":1},"y":{"a":2}}', [['repeated', 'y', 16]]],
    ['{"__proto__": 1}', '{"__proto__":1}', []],
  ])('writes %s', (text, json, reports) => {
    const written = write(schema, text)
    expect(written.pieces.join('')).toBe(json)
    expect(written.reports).toEqual(reports)
  })

  it('keeps its JSON open until it is told that the call is over', () => {
    let json = ''
    const report = { offset: () => 0, repaired: () => {}, typed: () => {}, repeated: () => {} }
    const writer = new ArgumentWriter(SchemaTypes.any, (piece) => (json += piece), report)
    new JsonReader(writer).read('{"a": {}}', 0, true)
    expect(json).toBe('{"a":{}')
    writer.finish()
    expect(json).toBe('{"a":{}}')
  })

  it('writes arguments that come in two parts as one object', () => {
    let json = ''
    const report = { offset: () => 0, repaired: () => {}, typed: () => {}, repeated: () => {} }
    const writer = new ArgumentWriter(SchemaTypes.any, (piece) => (json += piece), report)
    for (const part of ['{}', '{"a": 1}', '{"b": {"c": 2}}']) new JsonReader(writer).read(part, 0, true)
    writer.finish()
    expect(json).toBe('{"a":1,"b":{"c":2}}')
  })

  it('stops where an object cannot become a list any more', () => {
    const { pieces } = write({ properties: { o: { type: 'object' } } }, '{"o": {"n": 1}, {"n": 2}}')
    expect(pieces.join('')).toBe('{"o":{"n":1}}')
  })

  it.each<[members: [string, string | undefined][], json: string, reports: unknown[]]>([
    [
      [
        ['x', '"a"'],
        ['x', '"b"'],
        ['x', '3'],
      ],
      '{"x":["a","b",3]}',
      [['typed', 'x', 0]],
    ],
    [
      [
        ['x', '[1]'],
        ['x', '[2]'],
      ],
      '{"x":[[1],[2]]}',
      [['typed', 'x', 0]],
    ],
    [
      [
        ['list', '["a"]'],
        ['list', '[]'],
        ['list', '"b"'],
      ],
      '{"list":["a","b"]}',
      [['typed', 'list', 0]],
    ],
    [
      [
        ['ints', '"1"'],
        ['ints', '[2]'],
      ],
      '{"ints":[1,2]}',
      [['typed', 'ints', 0]],
    ],
    [
      [
        ['n', '1'],
        ['n', '2'],
      ],
      '{"n":1,"n":2}',
      [['repeated', 'n', 0]],
    ],
    [
      [
        ['x', '1'],
        ['y', '2'],
        ['x', '3'],
      ],
      '{"x":1,"y":2,"x":3}',
      [['repeated', 'x', 0]],
    ],
    [
      [
        ['x', '1'],
        ['x', undefined],
        ['x', '3'],
      ],
      '{"x":1,"x":"s","x":3}',
      [
        ['repeated', 'x', 0],
        ['repeated', 'x', 0],
      ],
    ],
  ])('writes values under the keys %j', (members, json, reports) => {
    let written = ''
    const emitted: unknown[] = []
    const writer = new ArgumentWriter(SchemaTypes.of(schema), (piece) => (written += piece), {
      offset: () => 0,
      repaired: () => {},
      typed: (key, _message, offset) => emitted.push(['typed', key, offset]),
      repeated: (key, offset) => emitted.push(['repeated', key, offset]),
    })
    writer.openObject()
    for (const [key, value] of members) {
      const before = written
      writer.key(key)
      if (value === undefined) {
        writer.openString()
        writer.stringPiece('s')
        writer.closeString()
      } else {
        writer.typedValue(value)
      }
      expect(json.startsWith(written) && written.startsWith(before)).toBe(true)
    }
    writer.finish()
    expect(written).toBe(json)
    expect(emitted).toEqual(reports)
  })
})
