import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { CallCheck, faultsOf } from './check-call.ts'

const schema: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['C', 'F'] },
    where: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
  },
  required: ['city'],
  additionalProperties: false,
}
const toolOf = (of: JsonObject) => ({ name: 't', description: '', schema: of })
const check = (json: string, of: JsonObject = schema) => faultsOf(toolOf(of), json)

test.each(['{"city": "Paris"}', '{"city": "", "days": 3, "unit": "C", "where": {"lat": 1.5, "x": null}}'])(
  '%s',
  (json) => {
    expect(check(json)).toEqual([])
  },
)

test.each([
  ['{"city": 1}', /^city: .*string/],
  ['{}', /city/],
  ['{"city": "a", "days": 0}', /^days: /],
  ['{"city": "a", "unit": "K"}', /^unit: /],
  ['{"city": "a", "where": {}}', /^where: .*lat/],
  ['{"city": "a", "x": 1}', /x/],
  ['[]', /no JSON object/],
  ['{"city": "Par', /no JSON/],
])('%s is not valid', (json, fault) => {
  const faults = check(json)
  expect(faults.length).toBeGreaterThan(0)
  expect(faults[0]).toMatch(fault)
})

describe('schemas as clients send them', () => {
  test.each<[what: string, schema: JsonObject]>([
    ['empty', {}],
    ['with a reference to nowhere', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['with a type that there is none of', { properties: { a: { type: 'any' } } }],
    ['with a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['with a pattern that takes for ever', { properties: { a: { pattern: '^(a+)+$' } } }],
    ['with patterns for names', { patternProperties: { '^a': { type: 'string' } }, additionalProperties: false }],
    ['with properties called like keywords', { properties: { pattern: { type: 'string' }, a: {} } }],
  ])('%s refuse nothing that they do not speak of', (_, sent) => {
    expect(check(`{"a": "${'a'.repeat(40)}!"}`, sent).filter((fault) => !fault.includes('any'))).toEqual([])
  })

  test('a property called pattern is checked', () => {
    expect(check('{"pattern": 1}', { properties: { pattern: { type: 'string' } } })).toHaveLength(1)
  })
})

test('the calls of a reply are judged in a bounded number of steps, all together', () => {
  const call = '{"a": [1, 2, 3]}'
  const tool = toolOf({ properties: { a: { items: { type: 'number' }, uniqueItems: true } } })
  const check = new CallCheck()
  const verdicts = Array.from({ length: 15_000 }, () => check.judge(tool, call).type)
  expect(verdicts[0]).toBe('valid')
  expect(verdicts.at(-1)).toBe('unjudged')
})
