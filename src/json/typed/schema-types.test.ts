import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { anyType, SchemaTypes, types } from './schema-types.ts'

const { string, number, integer, boolean, null: none, object, array } = types

describe('Shape', () => {
  it.each<[what: string, schema: JsonObject, types: number]>([
    ['of a tuple', { items: { type: 'string' }, prefixItems: [{ type: 'boolean' }] }, anyType],
    ['of a list', { items: { type: 'string' } }, string],
    [
      'of a list that may be one of two',
      { anyOf: [{ items: { type: 'string' } }, { items: { type: 'null' } }] },
      string | none,
    ],
    [
      'of a list of which one branch says nothing',
      { anyOf: [{ items: { type: 'null' } }, { type: 'array' }] },
      anyType,
    ],
  ])('an element %s', (_, schema, types) => {
    expect(SchemaTypes.of(schema).item.types).toBe(types)
  })

  it.each<[what: string, schema: JsonObject, types: number]>([
    ['of an object', { additionalProperties: { type: 'number' } }, number | integer],
    ['that a pattern may name', { patternProperties: { '^a': { type: 'null' } }, additionalProperties: false }, none],
    [
      'that a pattern may name or not',
      { patternProperties: { '^a': { type: 'null' } }, additionalProperties: { type: 'string' } },
      string | none,
    ],
    ['of an open object with patterns', { patternProperties: { '^a': { type: 'null' } } }, anyType],
    [
      'of one of two objects',
      { anyOf: [{ additionalProperties: { type: 'null' } }, { additionalProperties: { type: 'string' } }] },
      string | none,
    ],
    [
      'that may be anything in one of two objects',
      { anyOf: [{ additionalProperties: true }, { additionalProperties: { type: 'number' } }] },
      anyType,
    ],
    [
      'beside which the value may be anything',
      { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { allOf: [{}] }] },
      anyType,
    ],
    [
      'of an object or a string',
      { anyOf: [{ additionalProperties: { type: 'string' } }, { type: 'string' }, {}] },
      anyType,
    ],
    ['of an object or null', { anyOf: [{ additionalProperties: { type: 'null' } }, { type: 'null' }] }, none],
    [
      'that branches say no more of',
      { additionalProperties: { type: 'null' }, anyOf: [{ required: ['a'] }, {}] },
      none,
    ],
    [
      'that another branch names',
      { anyOf: [{ properties: { other: { type: 'array' } } }, { additionalProperties: { type: 'string' } }] },
      array | string,
    ],
    ['that a closed branch has no place for', { oneOf: [{ properties: {} }, { properties: { other: {} } }] }, anyType],
  ])('a member without a name %s', (_, schema, types) => {
    expect(SchemaTypes.of(schema).property('other').types).toBe(types)
  })

  it.each<[schema: JsonObject, types: number]>([
    [{ type: 'string' }, string],
    [{ type: 'number' }, number | integer],
    [{ type: 'integer' }, integer],
    [{ type: ['string', 'null'] }, string | none],
    [{ type: 'string', nullable: true }, string | none],
    [{ enum: ['a', 'b', null] }, string | none],
    [{ enum: [true] }, boolean],
    [{ const: 'x' }, string],
    [{ type: 'string', enum: [1, 2] }, string],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, string | array],
    [{ oneOf: [{ const: 'x' }, { type: 'null' }] }, string | none],
    [{ allOf: [{ type: ['string', 'null'] }, { type: 'string' }] }, string],
    [{ allOf: [{ type: 'string' }, { type: 'null' }] }, anyType],
    [{ properties: {} }, object],
    [{ items: {} }, array],
    [{ $ref: '#/$defs/p', $defs: { p: { type: 'boolean' } } }, boolean],
    [{ $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'boolean' } } }, boolean],
    [{ $ref: '#/$defs/missing' }, anyType],
    [{ $ref: '#/__proto__' }, anyType],
    [{ $ref: 'https://example.com/schema' }, anyType],
    [{ type: 'nonsense' }, anyType],
    [{}, anyType],
  ])('reads %j', (schema, expected) => {
    expect(SchemaTypes.of(schema).types).toBe(expected)
  })

  it('finds members wherever the schema speaks of them', () => {
    const schemaTypes = SchemaTypes.of({
      properties: { a: { type: 'string' } },
      anyOf: [{ properties: { b: { type: 'integer' } } }, { properties: { b: { type: 'null' } } }],
      allOf: [{ $ref: '#/$defs/more' }],
      $defs: { more: { properties: { c: { items: { type: 'boolean' } } } } },
      additionalProperties: { type: 'number' },
    })
    expect(schemaTypes.property('a').types).toBe(string)
    expect(schemaTypes.property('b').types).toBe(integer | none)
    expect(schemaTypes.property('c').item.types).toBe(boolean)
    expect(schemaTypes.property('d').types).toBe(number | integer)
    expect(SchemaTypes.of({ properties: { a: {} } }).property('toString').types).toBe(anyType)
  })

  it('follows a recursive schema as deep as it is asked', () => {
    const tree = SchemaTypes.of({
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    })
    const deep = Array.from({ length: 50 }).reduce<SchemaTypes>(
      (schemaTypes) => schemaTypes.property('children').item,
      tree,
    )
    expect(deep.property('name').isString).toBe(true)
  })

  it('allows anything where a schema refers to itself without end', () => {
    const branches = Array.from({ length: 20 }, () => ({ $ref: '#' }))
    const schemaTypes = SchemaTypes.of({ allOf: branches, anyOf: branches, oneOf: [{ $ref: '#' }, { $ref: '#' }] })
    expect(schemaTypes.untyped).toBe(true)
    expect(schemaTypes.property('a').property('b').item.untyped).toBe(true)
  })
})
