import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../conversation/index.ts'
import { Shape } from './shape.ts'
import { typeText, unquote } from './typing.ts'

const problem = expect.any(String)

describe('typeText', () => {
  it.each<[schema: JsonObject, text: string, json: string, problem?: unknown]>([
    [{ type: 'string' }, ' 42 ', '" 42 "'],
    [{ type: 'string' }, 'null', '"null"'],
    [{ type: 'string' }, '{"a": 1}', '"{\\"a\\": 1}"'],
    [{ type: 'integer' }, ' 5\n', '5'],
    [{ type: 'integer' }, '12345678901234567890', '12345678901234567890'],
    [{ type: 'integer' }, '5.0', '5.0'],
    [{ type: 'integer' }, '5.5', '"5.5"', problem],
    [{ type: 'integer' }, '"5"', '5', problem],
    [{ type: 'number' }, '01234', '"01234"', problem],
    [{ type: 'boolean' }, 'True', 'true'],
    [{ type: 'boolean' }, 'yes', '"yes"', problem],
    [{ type: 'null' }, 'None', 'null'],
    [{ type: 'array' }, ' [1, "a"] ', '[1, "a"]'],
    [{ type: 'array' }, "['a', 'b',]", '["a","b"]', problem],
    [{ type: 'array' }, '{"a": 1}', '"{\\"a\\": 1}"', problem],
    [{ type: 'object' }, '{a: 1}', '{"a":1}', problem],
    [{ type: ['string', 'integer'] }, '42', '42'],
    [{ type: ['string', 'integer'] }, '"42"', '"42"'],
    [{ type: ['string', 'integer'] }, ' x ', '" x "'],
    [{ type: ['string', 'array'] }, '[INFO]', '"[INFO]"'],
    [{}, '42', '42'],
    [{}, ' text ', '"text"'],
    [{}, 'None', '"None"'],
    [{}, 'null', 'null'],
    [{}, '01234', '"01234"'],
    [{}, '"42"', '"42"'],
    [{}, '[INFO]', '"[INFO]"'],
    [{}, '{"a": [1]}', '{"a": [1]}'],
    [{}, '', '""'],
  ])('types by %j: %j', (schema, text, json, said) => {
    expect(typeText(text, Shape.of(schema))).toEqual(said === undefined ? { json } : { json, problem: said })
  })
})

describe('unquote', () => {
  it.each([
    ['"a\\nb"', 'a\nb'],
    ['""', ''],
    ['"', undefined],
    ['"a" and "b"', undefined],
    ['"a\nb"', undefined],
    ['a', undefined],
  ])('%j', (text, value) => {
    expect(unquote(text)).toBe(value)
  })
})
