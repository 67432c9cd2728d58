import { expect, test } from 'vitest'
import type { JsonObject } from '../conversation/index.ts'
import { parametersOf } from './conversation-parts.ts'

test.each<[string, JsonObject, JsonObject]>([
  ['no schema', {}, { type: 'object', properties: {} }],
  ['no type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
  ['a type that allows null', { type: ['object', 'null'] }, { type: 'object', properties: {} }],
  [
    'a choice of objects',
    { anyOf: [{ type: 'object' }], required: ['a'] },
    { type: 'object', properties: {}, anyOf: [{ type: 'object' }], required: ['a'] },
  ],
])('parameters with %s are those of an object with properties', (_, schema, expected) => {
  expect(parametersOf(schema)).toEqual(expected)
})
