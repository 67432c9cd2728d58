import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../conversation/index.ts'
import { JsonReader } from './reader.ts'
import { Shape } from './shape.ts'
import { ArgumentWriter } from './writer.ts'

function write(schema: JsonObject, text: string): { pieces: string[]; reports: unknown[] } {
  const pieces: string[] = []
  const reports: unknown[] = []
  const writer: ArgumentWriter = new ArgumentWriter(Shape.of(schema), (piece) => pieces.push(piece), {
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
    maybe: { type: ['integer', 'null'] },
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
    ['{"maybe": "null"}', '{"maybe":null}', [['typed', 'maybe', 10]]],
    ['{"x": "5", "y": {"x": 1, "x": 2}}', '{"x":"5","y":{"x":1,"x":2}}', []],
    ['{"s": "a", "s": "b"}', '{"s":"a","s":"b"}', [['repeated', 's', 11]]],
    ['{"__proto__": 1}', '{"__proto__":1}', []],
  ])('writes %s', (text, json, reports) => {
    const written = write(schema, text)
    expect(written.pieces.join('')).toBe(json)
    expect(written.reports).toEqual(reports)
  })

  it('keeps its JSON open until it is told that the call is over', () => {
    let json = ''
    const report = { offset: () => 0, repaired: () => {}, typed: () => {}, repeated: () => {} }
    const writer = new ArgumentWriter(Shape.any, (piece) => (json += piece), report)
    new JsonReader(writer).read('{"a": {}}', 0, true)
    expect(json).toBe('{"a":{}')
    writer.finish()
    expect(json).toBe('{"a":{}}')
  })
})
