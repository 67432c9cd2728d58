import { expect, test } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { plainTools } from './plain-tools.ts'

function plain(property: JsonObject): unknown {
  const tools = plainTools([{ name: 'f', description: '', schema: { type: 'object', properties: { a: property } } }])
  return tools[0]?.schema
}

test.each<[string, JsonObject, JsonObject]>([
  ['a type that may be null', { type: ['string', 'null'] }, { type: 'string' }],
  ['null alone', { type: 'null', description: 'x' }, { description: 'x' }],
  ['several types', { type: ['string', 'integer', 'null'] }, { type: ['string', 'integer'] }],
  ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
  [
    'a list of what may be null',
    { type: 'array', items: { type: ['number', 'null'] } },
    { type: 'array', items: { type: 'number' } },
  ],
  ['an object', { type: 'object' }, { type: 'object', additionalProperties: {} }],
  [
    'an object with members',
    { type: 'object', properties: { b: { type: 'null' } }, additionalProperties: false },
    { type: 'object', properties: { b: {} }, additionalProperties: {} },
  ],
  ['what is simple', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }],
])('%s', (_, given, wanted) => {
  expect(plain(given)).toEqual({ type: 'object', properties: { a: wanted } })
})
