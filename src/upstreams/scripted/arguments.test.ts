import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../conversation/index.ts'
import { makeArguments } from './arguments.ts'
import { ClueScope } from './clue-scope.ts'
import { findClues } from './clues.ts'

function argumentsFor(schema: JsonObject, text: string): JsonObject {
  const scope = new ClueScope(findClues(text, ['the_tool']), [{ start: 0, end: text.length }])
  return makeArguments({ name: 'the_tool', description: '', schema }, scope)
}
const required = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

test.each<[what: string, schema: JsonObject, text: string, made: JsonObject]>([
  ['a place for a city', required({ city: { type: 'string' } }), 'in New York', { city: 'New York' }],
  [
    'names by their prepositions',
    required({ destination: { type: 'string' }, origin: { type: 'string' } }),
    'Fly from Paris to Rome',
    { destination: 'Rome', origin: 'Paris' },
  ],
  ['a quotation for free text', required({ message: { type: 'string' } }), "say 'it works'", { message: 'it works' }],
  ['a fenced block for a script', required({ script: { type: 'string' } }), 'do\n```sh\nls\n```', { script: 'ls' }],
  [
    'a path without its full stop',
    required({ filePath: { type: 'string' } }),
    'open ./a/b.md.',
    { filePath: './a/b.md' },
  ],
  [
    'a URL',
    required({ link: { type: 'string' } }),
    'see https://a.example/x?y=1, now',
    { link: 'https://a.example/x?y=1' },
  ],
  ['numbers in order', required({ x: { type: 'integer' }, y: { type: 'number' } }), '7 then 2.5', { x: 7, y: 2.5 }],
  [
    'a number beside its name first',
    required({ days: { type: 'integer' }, count: { type: 'integer' } }),
    'take 4 of them for 5 days',
    { days: 5, count: 4 },
  ],
  ['a number within its bounds', required({ n: { type: 'integer', minimum: 1, maximum: 5 } }), '100', { n: 5 }],
  ['an enum as mentioned', required({ unit: { enum: ['c', 'f'] } }), 'in F please', { unit: 'f' }],
  ['an enum unmentioned', required({ unit: { enum: ['c', 'f'] } }), 'please', { unit: 'c' }],
  ['a const', required({ kind: { const: 3 } }), '', { kind: 3 }],
  ['a default', required({ depth: { type: 'string', default: 'deep' } }), '', { depth: 'deep' }],
  [
    'an array of names',
    required({ cities: { type: 'array', items: { type: 'string' } } }),
    'Rome and Oslo',
    { cities: ['Rome', 'Oslo'] },
  ],
  [
    'objects recursively, through references',
    {
      ...required({ place: { $ref: '#/$defs/place' } }),
      $defs: { place: required({ city: { type: ['null', 'string'] }, ok: { type: 'boolean' } }) },
    },
    'Rome',
    { place: { city: 'Rome', ok: false } },
  ],
  ['the first useful alternative', required({ v: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }), '', { v: 1 }],
  [
    'nothing optional unasked',
    { type: 'object', properties: { a: { type: 'string' }, n: { type: 'number' } }, required: ['a'] },
    'say "x" 5',
    { a: 'x' },
  ],
  [
    'optional ones that are given',
    {
      type: 'object',
      properties: {
        q: { type: 'string' },
        limit: { type: 'integer' },
        exact: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        mode: { enum: ['fast', 'slow'] },
      },
      required: ['q'],
    },
    'search "cats" with limit of 5, exact: true, tags=a and go slow',
    { q: 'cats', limit: 5, exact: true, tags: ['a'], mode: 'slow' },
  ],
  ['a pair of the wrong type not', required({ n: { type: 'integer' } }), 'n=lots', { n: 1 }],
  ['an empty object for no properties', { type: 'object' }, 'anything', {}],
])('makes %s', (_, schema, text, made) => {
  expect(argumentsFor(schema, text)).toEqual(made)
})

test('ends on a schema that refers to itself', () => {
  const schema = { ...required({ next: { $ref: '#' } }) }
  const loop = required({ a: { $ref: '#/properties/a' } })
  expect(JSON.stringify(argumentsFor(schema, '')).length).toBeLessThan(1000)
  expect(Object.keys(argumentsFor(loop, ''))).toEqual(['a'])
})

test('keeps a property named like a part of every object', () => {
  const made = argumentsFor(JSON.parse('{"properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'), '')
  expect(JSON.stringify(made)).toBe('{"__proto__":1}')
})

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 9 }) }),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -9, max: 9 }),
    maximum: fc.integer({ min: 9, max: 20 }),
  }),
  fc.record({
    type: fc.constant('integer'),
    exclusiveMinimum: fc.integer({ min: 0, max: 3 }),
    multipleOf: fc.constantFrom(2, 5),
  }),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date', 'date-time', 'email', 'uuid', 'uri') }),
  fc.constant({ type: 'boolean' }),
)
const key = fc.constantFrom('city', 'file_path', 'command', 'count', 'url', 'note', 'description', 'items', 'date')
const { schema: anySchema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 2, max: 3 }),
    }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('schema'), { maxKeys: 4 }).map(required),
}))

test('makes arguments that are valid against the schema', () => {
  const words = fc.constantFrom(
    'Paris',
    '"x y"',
    '`ls`',
    '42',
    '-1.5',
    'count=7',
    'note: long words here',
    '/tmp/a',
    'https://a.example',
    'and',
    'me@a.example',
    '2026-02-03',
  )
  fc.assert(
    fc.property(fc.dictionary(key, anySchema, { maxKeys: 4 }), fc.array(words), (properties, text) => {
      const schema = required(properties)
      expect(() => z.fromJSONSchema(schema).parse(argumentsFor(schema, text.join(' ')))).not.toThrow()
    }),
  )
})
