import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { growthOf, linearGrowth } from '../../../test/support/steps.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { SchemaTypes } from './schema-types.ts'
import { isTypedAsItself, typeMarkup, typeText, unquote } from './typing.ts'

const problem = expect.any(String)

const schemas: JsonObject[] = [
  {},
  { type: 'string' },
  ...['integer', 'number', 'boolean', 'null', 'array', 'object'].flatMap((type) => [
    { type },
    { type: [type, 'string'] },
  ]),
  { type: ['boolean', 'number'] },
]
const words = [
  'yes',
  'None',
  'true',
  'False',
  'null',
  'text',
  '"text"',
  '[1]',
  "['a']",
  '{"a": 1}',
  '5',
  '-7',
  '.5',
  '<a>1</a>',
]
const valueText = fc
  .tuple(
    fc.constantFrom('', ' ', '\n'),
    fc.oneof(fc.constantFrom(...words), fc.string()),
    fc.constantFrom('', ' ', ','),
  )
  .map((parts) => parts.join(''))

it('says without JSON if a text is typed as itself', () => {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(valueText, fc.constantFrom(...schemas), (text, schema) => {
      const schemaTypes = SchemaTypes.of(schema)
      const isItself = typeText(text, schemaTypes).json === JSON.stringify(text)
      seen.add(isItself)
      expect(isTypedAsItself(text, schemaTypes)).toBe(isItself)
    }),
    { numRuns: 100 * lawRuns },
  )
  expect(seen).toEqual(new Set([true, false]))
})

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
    [{ type: 'number' }, '01234', '1234'],
    [{ type: 'integer' }, '-007', '-7'],
    [{ type: 'integer' }, '0', '0'],
    [{ type: 'integer' }, 'null', 'null', problem],
    [{ type: ['string', 'integer'] }, 'None', '"None"'],
    [{ type: 'number' }, '0.50', '0.50'],
    [{ type: ['integer', 'string'] }, '007', '"007"'],
    [{ type: 'boolean' }, 'True', 'true'],
    [{ type: 'boolean' }, 'yes', 'true', 'another word for a boolean'],
    [{ type: 'boolean' }, ' Off ', 'false', 'another word for a boolean'],
    [{ type: ['boolean', 'null'] }, '1', 'true', 'another word for a boolean'],
    [{ type: ['boolean', 'integer'] }, '1', '1'],
    [{ type: ['boolean', 'string'] }, 'on', '"on"'],
    [{ type: 'boolean' }, 'maybe', '"maybe"', problem],
    [{ type: 'boolean' }, '2', '"2"', problem],
    [{ type: 'null' }, 'None', 'null'],
    [{ type: 'array' }, ' [1, "a"] ', '[1, "a"]'],
    [{ type: 'array' }, "['a', 'b',]", '["a","b"]', problem],
    [{ type: 'array' }, '{"a": 1}', '"{\\"a\\": 1}"', problem],
    [{ type: 'array' }, '{"a":1}, {"b":2}', '[{"a":1},{"b":2}]', problem],
    [{ type: 'array' }, '"a", "b, c"', '["a","b, c"]', problem],
    [{ type: 'array' }, '1, -2.5, 12345678901234567890', '[1,-2.5,12345678901234567890]', problem],
    [{ type: 'array' }, 'one, two', '"one, two"', problem],
    [{ type: 'array' }, '1, two', '"1, two"', problem],
    [{ type: ['array', 'string'] }, '1, 2', '"1, 2"'],
    [{ type: 'array' }, '<item>a</item><item>b</item>', '["a","b"]', problem],
    [{ type: 'array' }, '<item>a</item> and more', '"<item>a</item> and more"', problem],
    [{ type: 'string' }, '<a>1</a>', '"<a>1</a>"'],
    [{}, '<a>1</a>', '"<a>1</a>"'],
    [{ type: 'integer' }, '2026-01-15', '"2026-01-15"', problem],
    [{ type: ['integer', 'null'] }, 'None', 'null'],
    [{ type: 'boolean' }, 'TRUE', 'true'],
    [{ type: 'boolean', nullable: true }, 'NULL', 'null'],
    [{ enum: ['celsius', 'fahrenheit'] }, 'Celsius', '"Celsius"'],
    [{ enum: [1, 2] }, '2', '2'],
    [{ const: 7 }, '7', '7'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '5', '5'],
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
    expect(typeText(text, SchemaTypes.of(schema))).toEqual(said === undefined ? { json } : { json, problem: said })
  })
})

describe('typeText of what Python prints', () => {
  it.each<[schema: JsonObject, text: string, json: string, problem?: unknown]>([
    [{ type: 'object' }, "{'a': True, 'b': [None, \"it's\"]}", '{"a":true,"b":[null,"it\'s"]}'],
    [{ type: 'array' }, "['\\x1b', 'a\\'b']", '["\\u001b","a\'b"]'],
    [{ type: 'array' }, '[1, 2]', '[1, 2]'],
    [{ type: ['object', 'string'] }, "{'a': True}", '"{\'a\': True}"'],
    // A value in Python's notation is a deviation too.
    [{ type: 'object' }, '{a: True}', '{"a":true}', problem],
  ])('types by %j: %j', (schema, text, json, said) => {
    expect(typeText(text, SchemaTypes.of(schema), true)).toEqual(
      said === undefined ? { json } : { json, problem: said },
    )
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

describe('typeMarkup', () => {
  const person: JsonObject = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      home: {
        type: 'object',
        properties: { zip: { type: 'string' }, at: { type: 'array', items: { type: 'number' } } },
      },
    },
  }

  it.each<[schema: JsonObject, text: string, json: string | undefined]>([
    [person, '<name>5</name><age> 5 </age>', '{"name":"5","age":5}'],
    [person, '<home><zip>01234</zip><at><x>1</x><x>2</x></at></home>', '{"home":{"zip":"01234","at":[1,2]}}'],
    [person, '<tags>a</tags>\n<tags>b</tags>', '{"tags":["a","b"]}'],
    [person, '<tags><item>a</item></tags>', '{"tags":["a"]}'],
    [person, '<tags/><home></home>', '{"tags":[],"home":{}}'],
    [person, '<name>a</name><name>b</name>', '{"name":"b"}'],
    [person, '<name lang="en">a &lt;b&gt; &amp;amp; &#233;&#x1F600;</name>', '{"name":"a <b> &amp; \u00e9\u{1f600}"}'],
    [person, '<name><![CDATA[<a> & &lt;]]></name>', '{"name":"<a> & &lt;"}'],
    [person, '<name><b>x</b> y</name>', '{"name":"<b>x</b> y"}'],
    [person, '<__proto__><x>1</x></__proto__>', '{"__proto__":{"x":1}}'],
    [{ type: 'array', items: person }, '<p><name>a</name></p><p><age>1</age></p>', '[{"name":"a"},{"age":1}]'],
    [{ type: 'array', items: person }, '<name>a</name>', '[{"name":"a"}]'],
    [{ type: 'array', items: person }, '<name>a</name><age>1</age>', '[{"name":"a","age":1}]'],
    [{ type: 'array', items: { type: ['object', 'string'] } }, '<name>a</name>', '["a"]'],
    [
      { type: 'object', properties: { file: { type: 'array', items: person } } },
      '<file><name>a</name></file>',
      '{"file":[{"name":"a"}]}',
    ],
    [
      { type: 'object', properties: { file: { type: 'array', items: person } } },
      '<file><name>a</name></file><file><name>b</name></file>',
      '{"file":[{"name":"a"},{"name":"b"}]}',
    ],
    [{ type: 'array' }, '<item>1</item><item>x</item>', '[1,"x"]'],
    [{ type: 'array' }, '<a>1</a><b>2</b>', undefined],
    [{ type: 'object' }, '<l><item>1</item><item>2</item></l>', '{"l":[1,2]}'],
    [person, 'text <name>a</name>', undefined],
    [person, '<home>text <zip>1</zip></home>', undefined],
    [person, '<name>a', undefined],
    [person, '<name>a</age>', undefined],
    [person, '</name>', undefined],
    [person, 'a < b', undefined],
    [{ type: 'integer' }, '<a>1</a>', undefined],
    [{ type: 'object' }, '<a>'.repeat(60) + '</a>'.repeat(60), undefined],
  ])('types by %j: %s', (schema, text, json) => {
    expect(typeMarkup(text, SchemaTypes.of(schema))).toEqual(json === undefined ? undefined : { json })
  })

  it('says where a part does not fit', () => {
    const typed = typeMarkup('<age>five</age>', SchemaTypes.of(person))
    expect(typed).toEqual({ json: '{"age":"five"}', problem })
  })

  it.each(['<a', '<a ', '<a><', '</a>', '<![CDATA[', '&#1', '<a b="'])('is linear in a long run of %s', (part) => {
    const read = (length: number) => void typeMarkup(`<x>${part.repeat(length)}</x>`, SchemaTypes.of(person))
    expect(growthOf(read, 5000)).toBeLessThan(linearGrowth)
  })
})
