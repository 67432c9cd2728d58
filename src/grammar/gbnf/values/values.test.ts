import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { admits, derive, parseGbnf, type TestGrammar } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import { schemaFault } from '../../../../test/support/grammar/schema.ts'
import type { JsonObject } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import { SchemaVariants } from '../../schema/variants.ts'
import { charsOf, empty } from '../gbnf.ts'
import { GbnfRules } from '../rules.ts'
import { notationOf } from './notation.ts'
import { ValueGrammar } from './values.ts'

function grammarOf(schema: unknown): { grammar: TestGrammar; notices: string[] } {
  const rules = new GbnfRules()
  const variants = new SchemaVariants(schema, (what) => rules.notice(what))
  const values = new ValueGrammar(notationOf({}, [], rules), variants, rules)
  const root = values.of(schema, 'v')
  if (!root) throw new Error('admits nothing')
  return { grammar: parseGbnf(rules.print(root)), notices: rules.notices }
}

const tree: JsonObject = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['value'],
    },
  },
}
const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] }

/** A schema, values that it admits, texts that it does not, and the notices. */
const cases: readonly [
  what: string,
  schema: unknown,
  fit: readonly unknown[],
  unfit: readonly string[],
  notices?: string[],
][] = [
  ['no schema', {}, [1, 'a"\\\n', null, [1, { a: [] }], { a: { b: '' } }], ['', 'a', '{"a"}', "'a'"]],
  ['true', true, [1, {}], ['']],
  ['a string', { type: 'string' }, ['', 'é\u{1f600}"'], ['1', '"a', '"\n"', '"\\x"', '"\\ud800"']],
  ['an integer', { type: 'integer' }, [0, -1, 123456], ['01', '1.5', '-', '+1']],
  ['a number', { type: 'number' }, [0, -1.5, 1e21, 5e-7], ['.5', '1.', 'NaN']],
  ['a boolean and null', { type: ['boolean', 'null'] }, [true, false, null], ['True', '1']],
  ['nullable', { type: 'string', nullable: true }, ['a', null], ['1']],
  ['constants', { enum: ['a', 1, null, []] }, ['a', 1, null, []], ['"b"', '2', '{}']],
  ['an enum of a type', { type: 'string', enum: ['a', 1] }, ['a'], ['1']],
  [
    'bounds of integers',
    { type: 'integer', minimum: -12, maximum: 305 },
    [-12, -9, 0, 7, 99, 100, 299, 305],
    ['-13', '306', '1000'],
  ],
  ['excluded bounds', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, [1, 9], ['0', '10', '-0']],
  ['only a lower bound', { type: 'integer', minimum: 15 }, [15, 20, 99, 100, 12345], ['14', '9', '-15']],
  ['only an upper bound', { type: 'integer', maximum: -3 }, [-3, -10], ['-2', '0', '3']],
  ['bounds of numbers', { type: 'number', minimum: 0, maximum: 1 }, [0, 0.5, 1, 0.001], ['1.1', '-0.1', '2', '1.01']],
  [
    'bounds with a fraction',
    { type: 'number', minimum: -0.5, exclusiveMaximum: 2.25 },
    [-0.5, -0.49, 0, 2, 2.2, 2.249],
    ['-0.51', '2.25', '3', '-1'],
  ],
  ['lengths', { type: 'string', minLength: 2, maxLength: 3 }, ['ab', '\u{1f600}"x'], ['"a"', '"abcd"']],
  ['a pattern', { type: 'string', pattern: '^[a-z]{2,3}(-\\d+)?$' }, ['ab', 'abc-12'], ['"a"', '"abcd"', '"ab-"']],
  ['a pattern anywhere', { type: 'string', pattern: 'b+' }, ['b', 'abbc'], ['"ac"', '""']],
  ['a pattern with what JSON escapes', { type: 'string', pattern: '^["\\\\\\n]$' }, ['"', '\\', '\n'], ['"a"', '"""']],
  ['a date', { type: 'string', format: 'date' }, ['2024-02-28'], ['"2024-02-30"', '"2024-13-01"', '"24-01-01"']],
  [
    'a time',
    { type: 'string', format: 'date-time' },
    ['2024-01-31T23:59:59Z', '2024-01-31T00:00:00.25+01:00'],
    ['"2024-01-31"', '"2024-01-31T24:00:00Z"'],
  ],
  ['a uuid', { type: 'string', format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['"x"']],
  // A host is a domain by itself (RFC 5321): `root@localhost`.
  ['an address', { type: 'string', format: 'email' }, ['a.b@example.org', "o'hara@localhost"], ['"a"', '"a@"', '"@b"']],
  [
    'a leap day',
    { type: 'string', format: 'date' },
    ['2024-02-29', '2000-02-29', '1996-02-29', '2023-02-28'],
    ['"2023-02-29"', '"1900-02-29"', '"2024-02-30"'],
  ],
  ['a leap second', { type: 'string', format: 'time' }, ['23:59:60Z', '23:59:59+01:00'], ['"12:30:60Z"']],
  [
    'a long host name',
    { type: 'string', format: 'hostname' },
    ['123e4567-e89b-12d3-a456-426614174000.example.org', 'a'.repeat(63)],
    [`"${'a'.repeat(64)}"`, '"-a"'],
  ],
  [
    'members without names, wherever they stand',
    { type: 'object', properties: { a: { type: 'null' } }, required: ['a'], additionalProperties: { type: 'integer' } },
    [{ a: null }, { x: 1, a: null }, { x: 1, y: 2, a: null, z: 3 }],
    ['{"x":1}', '{"x":null,"a":null}', '{"a":null,"a":null}'],
  ],
  [
    'a tuple in one part, what all elements are in another',
    {
      allOf: [
        { type: 'array', prefixItems: [{ type: 'string' }, {}], items: { type: 'number' }, minItems: 1 },
        { items: { type: ['string', 'integer'] } },
      ],
    },
    [['a'], ['a', 'b'], ['a', 2, 3]],
    ['[1]', '["a",null]', '["a",1,"b"]', '["a",1,0.5]'],
  ],
  [
    'two tuples, the longer one closed',
    {
      allOf: [
        { type: 'array', prefixItems: [{ type: 'string' }] },
        { prefixItems: [{ enum: ['a', 1] }, { type: 'null' }], items: false },
      ],
    },
    [[], ['a'], ['a', null]],
    ['[1]', '["b"]', '["a",null,1]'],
  ],
  ['values that are named twice', { allOf: [{ enum: ['a', 'b', 3] }, { const: 'b' }] }, ['b'], ['"a"', '3']],
  ['named values and bounds', { enum: [1, 5, 9, 'abc', 'a'], minimum: 4, maxLength: 2 }, [5, 9, 'a'], ['1', '"abc"']],
  ['a branch that names a value of another', { oneOf: [{ const: false }, { type: 'boolean' }] }, [true], ['false']],
  [
    'a list that ends nowhere',
    {
      anyOf: [{ type: 'null' }, { $ref: '#/$defs/d' }],
      $defs: { d: { type: 'array', items: { $ref: '#/$defs/d' }, minItems: 1 } },
    },
    [null],
    ['[]', '[[]]'],
  ],
  ['an unknown format', { type: 'string', format: 'color' }, ['red'], ['1'], ['the format "color" is not expressed']],
  ['what no engine counts', { type: 'string', maxLength: 400 }, ['a', 'a'.repeat(400)], ['1', `"${'a'.repeat(401)}"`]],
  ['looking ahead', { type: 'string', pattern: '^(?=a)' }, ['a', 'ab'], ['1', '""', '"b"']],
  [
    'lists',
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
    [[1], [1, 2, 3]],
    ['[]', '[1,2,3,4]', '["a"]', '[1,]'],
  ],
  ['lists of anything', { type: 'array' }, [[], [1, 'a', []]], ['{}', '[']],
  [
    'tuples',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
    [['a'], ['a', 1]],
    ['[]', '[1]', '["a",1,2]'],
  ],
  [
    'tuples that go on',
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    [[], ['a'], ['a', 1, 2]],
    ['[1]', '["a","b"]'],
  ],
  [
    'members in any order',
    point,
    [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
    ],
    ['{}', '{"x":1}', '{"x":1,"x":1,"y":2}', '{"x":1,"y":2,"z":3}', '{"x":1,"y":2,}'],
  ],
  [
    'members that may be missing',
    { type: 'object', properties: { a: {}, b: { type: 'null' } } },
    [{}, { b: null }, { b: null, a: 1 }],
    ['{"b":1}', '{"c":1}', '{,}'],
  ],
  [
    'seven members in any order',
    {
      type: 'object',
      properties: Object.fromEntries([...'abcdefg'].map((key) => [key, { type: 'integer' }])),
      required: ['c', 'f'],
    },
    [
      { c: 1, f: 2 },
      { a: 1, c: 1, d: 2, f: 2, g: 4 },
      { g: 1, f: 2, e: 1, d: 2, c: 1, b: 3, a: 0 },
    ],
    ['{"c":1}', '{"a":1,"f":1}', '{"f":1,"c":1,"f":1}', '{"f":1,"c":1,"a":1,"a":1}'],
  ],
  [
    'many members in any order: those that may be left out are not counted',
    {
      type: 'object',
      properties: Object.fromEntries([...'abcdefghi'].map((key) => [key, { type: 'integer' }])),
      required: ['c', 'f'],
    },
    [
      { c: 1, f: 2 },
      { a: 1, c: 1, d: 2, f: 2, g: 4 },
      { g: 1, f: 2, e: 1, d: 2, c: 1, b: 3, a: 0 },
      { i: 1, h: 2, g: 3, f: 4, e: 5, d: 6, c: 7, b: 8, a: 9 },
    ],
    ['{"c":1}', '{"a":1,"f":1}', '{}', '{"f":1,"c":1,"f":1}', '{"f":1,"a":1,"c":1,"c":1}', '{"c":1,"f":1,}'],
    ['members of a large object may come twice: "a", "b", "d", "e", "g", "h", "i"'],
  ],
  [
    'many members that may all be left out',
    {
      type: 'object',
      properties: Object.fromEntries([...'abcdefgh'].map((key) => [key, { type: 'integer' }])),
      additionalProperties: { type: 'null' },
    },
    [{}, { c: 1 }, { f: 1, a: 2, z: null }, { h: 0, g: 1, f: 1, e: 2, d: 3, c: 4, b: 5, a: 6 }, { z: null }],
    ['{"z":1}', `{${[...'abcdefgha'].map((key) => `"${key}":1`).join(',')}}`],
    ['members of a large object may come twice: "a", "b", "c", "d", "e", "f", "g", "h"'],
  ],
  [
    'many required members: the first in any order',
    {
      type: 'object',
      properties: Object.fromEntries([...'abcdefghijkl'].map((key) => [key, { type: 'integer' }])),
      required: [...'abcdefghijk'],
    },
    [
      Object.fromEntries([...'abcdefghijk'].map((key) => [key, 1])),
      Object.fromEntries([...'defaghijbclk'].map((key) => [key, 1])),
    ],
    ['{"a":1}', '{"a":1,"b":1,"c":1,"e":1,"d":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1}'],
    [
      'members of a large object may come twice: "l"',
      'members of a large object come in the order of the schema: "d", "e", "f", "g", "h", "i", "j", "k"',
    ],
  ],
  [
    'others of a schema',
    { type: 'object', properties: { ab: { type: 'integer' } }, additionalProperties: { type: 'string' } },
    [{}, { ab: 1 }, { ab: 1, a: 'x', abc: 'y', z: 'z', 'a b"': 'q' }, { z: 'z' }],
    ['{"ab":"x"}', '{"z":1}'],
  ],
  [
    'others of none',
    { type: 'object', properties: { a: {} }, additionalProperties: false },
    [{}, { a: 1 }],
    ['{"b":1}'],
  ],
  ['a member that may not be', { type: 'object', properties: { a: false, b: {} } }, [{}, { b: 1 }], ['{"a":1}']],
  ['a member that must not be, alone', { type: 'object', properties: { a: false } }, [{}, { b: 1 }], ['{"a":1}']],
  ['at least one member', { type: 'object', minProperties: 1, additionalProperties: true }, [{ a: 1 }], ['{}']],
  ['a required member without a schema', { type: 'object', required: ['q'] }, [{ q: 1 }], ['{}', '{"a":1}']],
  [
    'anyOf',
    { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
    [1, [1]],
    ['"a"', '["a"]'],
  ],
  [
    'anyOf beside members',
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      anyOf: [{ required: ['a'] }, { properties: { b: { type: 'string' } }, required: ['b'] }],
    },
    [{ a: 1 }, { b: 'x' }, { a: 1, b: 'x' }],
    ['{}', '{"b":1}'],
  ],
  [
    'oneOf told apart by a constant',
    {
      oneOf: [
        { type: 'object', properties: { k: { const: 'a' }, n: { type: 'integer' } }, required: ['k', 'n'] },
        { type: 'object', properties: { k: { const: 'b' } }, required: ['k'] },
      ],
    },
    [{ k: 'a', n: 1 }, { k: 'b' }],
    ['{"k":"a"}', '{"k":"c"}'],
  ],
  [
    'allOf',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer', minimum: 2 } }, required: ['a'] },
        { properties: { a: { maximum: 4 }, b: {} } },
      ],
    },
    [{ a: 3 }, { b: 1, a: 2 }],
    ['{}', '{"a":1}', '{"a":5}'],
  ],
  ['references', { $defs: { p: point }, type: 'array', items: { $ref: '#/$defs/p' } }, [[], [{ x: 1, y: 2 }]], ['[1]']],
  [
    'a reference and what stands beside it',
    { $defs: { n: { type: 'integer' } }, $ref: '#/$defs/n', minimum: 3 },
    [3, 10],
    ['2'],
  ],
  [
    'recursion',
    tree,
    [{ value: 1 }, { value: 1, children: [{ value: 2, children: [] }] }],
    ['{}', '{"value":1,"children":[1]}'],
  ],
  [
    'a reference that leads nowhere',
    { $ref: '#/$defs/q' },
    [1, 'a'],
    [''],
    ['the reference "#/$defs/q" cannot be resolved: any value is allowed'],
  ],
  [
    'what is not expressed',
    { type: 'array', items: { type: 'integer', multipleOf: 5 }, uniqueItems: true },
    [[5, 5]],
    ['["a"]', '[6]'],
    ['"uniqueItems" is not expressed'],
  ],
]

describe('JSON schemas', () => {
  test.each(cases)('%s', (_what, schema, fit, unfit, notices = []) => {
    const found = grammarOf(schema)
    for (const value of fit) {
      expect([JSON.stringify(value), admits(found.grammar, JSON.stringify(value))]).toEqual([
        JSON.stringify(value),
        true,
      ])
      const spaced = JSON.stringify(value, null, 2)
      expect([spaced, admits(found.grammar, spaced)]).toEqual([spaced, true])
    }
    for (const text of unfit) expect([text, admits(found.grammar, text) === true]).toEqual([text, false])
    expect(found.notices).toEqual(notices)
  })

  test.each(cases)('draws what fits: %s', (_what, schema, _fit, _unfit, notices = []) => {
    const { grammar } = grammarOf(schema)
    for (let draw = 1; draw <= 2 * lawRuns; draw++) {
      const text = derive(grammar, randomOf(draw), 60)
      const value: unknown = JSON.parse(text)
      expect(admits(grammar, text)).toBe(true)
      if (notices.length === 0) expect(schemaFault(schema, value)).toBeUndefined()
    }
  })

  test('bounds of numbers, drawn at random', () => {
    const random = randomOf(7)
    const pick = (digits: number) => Number(((random() - 0.5) * 10 ** Math.ceil(random() * 3)).toFixed(digits))
    for (let run = 0; run < 10 * lawRuns; run++) {
      const digits = Math.floor(random() * 3)
      const [minimum = 0, maximum = 0] = [pick(digits), pick(digits)].sort((one, other) => one - other)
      const schema = { type: digits === 0 ? 'integer' : 'number', minimum, maximum }
      const { grammar } = grammarOf(schema)
      for (let draw = 1; draw <= 10; draw++) {
        expect(schemaFault(schema, Number(derive(grammar, randomOf(draw + run), 40)))).toBeUndefined()
        const inside = Number((minimum + random() * (maximum - minimum)).toFixed(digits))
        if (inside < minimum || inside > maximum || Object.is(inside, -0)) continue
        expect([schema, inside, admits(grammar, String(inside))]).toEqual([schema, inside, true])
      }
    }
  })

  test('a schema that is itself admits nothing by that', () => {
    const { grammar } = grammarOf({ anyOf: [{ $ref: '#' }, { type: 'integer' }] })
    expect([admits(grammar, '1'), admits(grammar, '"a"')]).toEqual([true, 0])
  })

  test('a schema of endless size ends', () => {
    let schema: JsonObject = { type: 'string' }
    for (let depth = 0; depth < 200; depth++) schema = { type: 'object', properties: { a: schema, b: schema } }
    const { grammar, notices } = grammarOf(schema)
    expect(grammar.rules.size).toBeLessThan(10_000)
    expect(notices).toEqual(['schemas that are too large or too deep: what is left of them may be anything'])
  })
})

test('sets of characters', () => {
  expect(String(CharSet.all)).toBe('[^\\x00]')
  expect(String(CharSet.of('a-]^'))).toBe('[\\-\\]\\x5Ea]')
  expect(String(CharSet.all.without(CharSet.of('"\\')))).toBe('[^\\x00\\"\\\\]')
  expect(JSON.stringify(charsOf('ab')) === JSON.stringify(empty)).toBe(false)
})
