import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { jsonSchema } from '../../../test/support/grammar/json-schemas.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { validate } from '../../json/index.ts'
import { makeArguments } from './arguments.ts'

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})

test.each<[what: string, schema: JsonObject, made: JsonObject]>([
  ['nothing', {}, {}],
  [
    'required members alone',
    of({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] }),
    { a: 'example' },
  ],
  ['a constant, and the first of several', of({ a: { const: 7 }, b: { enum: ['x', 'y'] } }), { a: 7, b: 'x' }],
  [
    'a default, and an example',
    of({ a: { type: 'integer', default: 5 }, b: { type: 'string', examples: ['Rome'] } }),
    { a: 5, b: 'Rome' },
  ],
  ['no default of another type', of({ a: { type: 'string', default: 5 } }), { a: 'example' }],
  ['another value than null', of({ a: { type: ['null', 'boolean'] }, b: { type: 'null' } }), { a: false, b: null }],
  [
    'formats and lengths',
    of({
      a: { type: 'string', format: 'date' },
      b: { type: 'string', maxLength: 2 },
      c: { type: 'string', minLength: 9 },
    }),
    { a: '2026-01-01', b: 'ex', c: 'example..' },
  ],
  [
    'numbers within bounds',
    of({
      a: { type: 'integer', minimum: 3 },
      b: { type: 'number', maximum: -2.5 },
      c: { type: 'integer', exclusiveMinimum: 1, multipleOf: 5 },
      d: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
    }),
    { a: 3, b: -2.5, c: 5, d: 0.25 },
  ],
  [
    'lists of as many elements as there must be, which differ where they can',
    of({ a: { type: 'array' }, b: { type: 'array', minItems: 2, items: { enum: ['x', 'y'] } } }),
    { a: [], b: ['x', 'y'] },
  ],
  [
    'objects in each other, and references',
    of({ a: of({ b: { $ref: '#/$defs/b' } }) }, { $defs: { b: { anyOf: [{ type: 'null' }, { type: 'integer' }] } } }),
    { a: { b: 1 } },
  ],
])('%s', (_, schema, made) => {
  expect(makeArguments(schema)).toEqual(made)
  expect(validate(schema, made).type).toBe('valid')
})

test('the schema of each argument admits its value, or something of it is said not to be looked at', () => {
  let whole = 0
  fc.assert(
    fc.property(jsonSchema, ({ $defs = {}, ...member }) => {
      const schema = of({ a: member }, { $defs })
      const notices: string[] = []
      const made = makeArguments(schema, (what) => notices.push(what))
      expect(Object.keys(made)).toEqual(['a'])
      expect(makeArguments(schema)).toEqual(made)
      const verdict = validate(schema, made)
      if (notices.length > 0) return
      whole++
      expect({ schema, made, verdict }).toMatchObject({ verdict: { type: 'valid' } })
    }),
    { numRuns: 10 * lawRuns },
  )
  expect(whole).toBeGreaterThan(5 * lawRuns)
})

test.each<[what: string, schema: JsonObject]>([
  ['refers to itself', of({ a: { $ref: '#' } })],
  [
    'doubles at each level',
    of({ a: { $ref: '#/$defs/d' } }, { $defs: { d: of({ l: { $ref: '#/$defs/d' }, r: { $ref: '#/$defs/d' } }) } }),
  ],
  ['wants a long list of lists', of({ a: { type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9 } } })],
  ['wants a long text', of({ a: { type: 'string', minLength: 1e9 } })],
])('a schema that %s asks for no more than a bounded value', (_, schema) => {
  expect(JSON.stringify(makeArguments(schema)).length).toBeLessThan(20_000)
})
