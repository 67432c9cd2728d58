import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { validate } from './validate.ts'
import { defaultBounds } from './validation-state.ts'

const mostSteps = defaultBounds.steps

function faults(schema: JsonObject, value: unknown): string[] {
  const verdict = validate(schema, value)
  return verdict.type === 'invalid'
    ? verdict.faults.map(({ place, message }) => `${place}: ${message}`)
    : [verdict.type]
}

describe('validate', () => {
  test.each<[schema: JsonObject, value: unknown, expected: string[]]>([
    [{ type: 'string' }, 1, [': is a number, not a string']],
    [{ type: ['string', 'null'] }, [], [': is an array, not a string or null']],
    [{ type: 'string', nullable: true }, null, ['valid']],
    [{ type: 'integer' }, 1.5, [': is a number, not an integer']],
    [{ type: 'whatever' }, 1.5, ['valid']],
    [{ const: { a: [1] } }, { a: [1] }, ['valid']],
    [{ const: { a: [1] } }, { a: [2] }, [': is not the value that the schema names']],
    [{ enum: ['C', 'F'] }, 'K', [': is none of "C", "F"']],
    [{ minimum: 1, maximum: 3 }, 0, [': is less than 1']],
    [{ exclusiveMaximum: 3 }, 3, [': is not less than 3']],
    [{ minimum: 3, exclusiveMinimum: true }, 3, [': is not more than 3']],
    [{ multipleOf: 0.1 }, 0.3, ['valid']],
    [{ multipleOf: 0.1 }, 0.35, [': is no multiple of 0.1']],
    [{ minLength: 2 }, '😀', [': has 1 characters, at least 2 are needed']],
    [{ pattern: '^(a+)+$' }, 'b', ['valid']],
    [{ format: 'date' }, '2024-13-01', [': is no date, as 2024-01-31']],
    [{ format: 'colour' }, 'x', ['valid']],
    [{ required: ['a', 'b'] }, { a: 1 }, [': lacks the required property "b"']],
    [{ properties: { a: { items: { type: 'string' } } } }, { a: ['x', 1] }, ['a/1: is a number, not a string']],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 1 }, ['b: is not allowed']],
    [{ patternProperties: { '^b': {} }, additionalProperties: false }, { b: 1 }, ['valid']],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['ab: has 2 characters, at most 1 are allowed']],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['x', 1], ['1: is not allowed']],
    [{ items: [{ type: 'string' }], additionalItems: false }, [1], ['0: is a number, not a string']],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], [': has the same element twice']],
    [{ contains: { type: 'null' } }, [1], [': has 0 elements of the kind that it must contain, at least 1 are needed']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, ['valid']],
    [{ anyOf: [{ type: 'string' }] }, 1, [': fits none of the alternatives', ': is a number, not a string']],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, [': fits 2 of the alternatives, and may fit only one']],
    [{ oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a', ['valid']],
    [{ not: { pattern: '^a' } }, 'b', ['valid']],
    [{ not: { type: 'string' } }, 'x', [': has a value that "not" excludes']],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    [{ if: { minimum: 5 }, then: { maximum: 7 }, else: { maximum: 1 } }, 8, [': is more than 7']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, [': lacks the required property "b"']],
    [{ dependencies: { a: { required: ['b'] } } }, { a: 1 }, [': lacks the required property "b"']],
    [{ $defs: { n: { type: 'null' } }, items: { $ref: '#/$defs/n' } }, [1], ['0: is a number, not null']],
    [{ items: { $ref: '#/$defs/none' } }, [1], ['valid']],
    [{ $defs: { n: { $anchor: 'n', type: 'null' } }, items: { $ref: '#n' } }, [1], ['0: is a number, not null']],
    [{ $defs: { n: { $id: 'n', type: 'null' } }, items: { $ref: 'n' } }, [1], ['0: is a number, not null']],
    [{ $dynamicAnchor: 'n', type: 'array', items: { $dynamicRef: '#n' } }, [1], ['0: is a number, not an array']],
    [{ items: { $ref: 'https://example.com/schema' } }, [1], ['valid']],
    [{ properties: 1, required: 'a', anyOf: {}, items: null, enum: 3, $ref: 5 }, { a: 1 }, ['valid']],
  ])('%j of %j', (schema, value, expected) => {
    expect(faults(schema, value)).toEqual(expected)
  })
})

const link = (keyword: string, to: string): JsonObject => ({ [keyword]: [{ $ref: to }, { $ref: to }] })

/** Each definition refers twice to the one before it. */
function chain(keyword: string, depth: number, first: JsonValue): JsonObject {
  const definitions: JsonObject = { d0: first }
  for (let at = 1; at <= depth; at++) definitions[`d${at}`] = link(keyword, `#/$defs/d${at - 1}`)
  return { $defs: definitions, $ref: `#/$defs/d${depth}` }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe('the work is bounded', () => {
  test.each<[what: string, schema: JsonObject, value: unknown, verdict: string]>([
    ['anyOf that doubles, the first of which fits', chain('anyOf', 40, { type: 'string' }), 'x', 'valid'],
    ['anyOf that doubles, none of which fits', chain('anyOf', 40, { type: 'string' }), 1, 'invalid'],
    ['allOf that doubles', chain('allOf', 40, { type: 'string' }), 'x', 'valid'],
    ['oneOf that doubles', chain('oneOf', 40, { type: 'string' }), 'x', 'invalid'],
    ['a reference to itself', { $ref: '#' }, 1, 'unjudged'],
    ['two references to itself', link('allOf', '#'), 1, 'unjudged'],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      1,
      'unjudged',
    ],
    [
      'a value of 100 000 levels',
      { $defs: { n: { items: { $ref: '#/$defs/n' } } }, $ref: '#/$defs/n' },
      nested(100_000),
      'unjudged',
    ],
    ['a constant of 100 000 levels', { const: nested(100_000) as JsonValue }, nested(100_000), 'unjudged'],
    [
      'an enum of 100 000 for each of 1000',
      { items: { enum: Array.from({ length: 100_000 }, (_, at) => at) } },
      Array(1000).fill(99_999),
      'unjudged',
    ],
    [
      '100 000 names for each of 1000',
      { items: { required: Array(100_000).fill('a') } },
      Array(1000).fill({ a: 1 }),
      'unjudged',
    ],
    [
      '100 000 types for each of 1000',
      { items: { type: Array(100_000).fill('number') } },
      Array(1000).fill(1),
      'unjudged',
    ],
    [
      '1000 unlike objects, each unlike all others',
      { uniqueItems: true },
      Array.from({ length: 1000 }, (_, a) => ({ a })),
      'unjudged',
    ],
    [
      'a hundred thousand members',
      { additionalProperties: { type: 'number' } },
      Object.fromEntries(
        Array(100_001)
          .fill(0)
          .map((_, at) => [at, 1]),
      ),
      'unjudged',
    ],
    ['a long text', { minLength: 1 }, 'x'.repeat(1_000_000), 'valid'],
    [
      'a thousand lengths of a long text',
      { items: { minLength: 1 } },
      Array(1000).fill('x'.repeat(100_000)),
      'unjudged',
    ],
  ])('%s', (_, schema, value, verdict) => {
    const { type, steps } = validate(schema, value)
    expect(type).toBe(verdict)
    // An operation of several steps may exceed the bound by as many.
    expect(steps).toBeLessThan(2 * mostSteps + 5)
  })

  test.each(['anyOf', 'allOf', 'oneOf'])('a definition that %s names twice is judged once', (keyword) => {
    expect(validate(chain(keyword, 40, { type: 'string' }), 1).steps).toBeLessThan(500)
    const tree = Array(40)
      .fill(0)
      .reduce<JsonObject>((inner) => ({ [keyword]: [inner, { type: 'null' }] }), { type: 'string' })
    expect(validate(tree, 1).steps).toBeLessThan(500)
  })

  test('a value that is at several places has its faults at each of them', () => {
    const schema = {
      $defs: { n: { type: 'string' } },
      items: { anyOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] },
    }
    const verdict = validate(schema, [1, 1], { ...defaultBounds, faults: 10 })
    const places = verdict.type === 'invalid' ? verdict.faults.map(({ place }) => place) : []
    expect(places).toEqual(['0', '0', '0', '1', '1', '1'])
  })

  test('after some faults no more are looked for', () => {
    const verdict = validate({ items: { type: 'string' } }, Array(100_000).fill(1))
    expect(verdict).toMatchObject({ type: 'invalid', faults: { length: defaultBounds.faults } })
    expect(verdict.steps).toBeLessThan(50)
  })
})
