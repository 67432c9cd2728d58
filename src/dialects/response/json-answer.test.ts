import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { FinishReason, JsonObject, Reply, ReplyEvent, ResponseFormat } from '../../conversation/index.ts'
import { ReplyCollector } from '../../conversation/index.ts'
import { JsonAnswer } from './json-answer.ts'

const person: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'age'],
}
const ofSchema = (schema: JsonObject): ResponseFormat => ({ type: 'json-schema', schema })

function read(pieces: readonly string[], format: ResponseFormat, reason: FinishReason = 'stop'): Reply {
  const answer = new JsonAnswer(format)
  const collector = new ReplyCollector()
  for (const text of pieces) collector.push(answer.read([{ type: 'text', text }]))
  collector.push(answer.read([{ type: 'finish', reason }]))
  return collector.reply
}

function shown({ parts, notices, finish }: Reply): { text: string; refusal: string; codes: string[]; reason: string } {
  const texts = (refusal: boolean) =>
    parts.map((part) => (part.type === 'text' && (part.refusal ?? false) === refusal ? part.text : '')).join('')
  return { text: texts(false), refusal: texts(true), codes: notices.map(({ code }) => code), reason: finish.reason }
}

const anne = '{"name":"Anne","age":3}'

/** A text, the part that is emitted, and the codes of its notices. */
const values: [text: string, json: string, codes: string[]][] = [
  ['{"name": "Anne", "age": 3}', anne, []],
  ['\n{"name": "Anne",\n "age": 3}\n', anne, []],
  ['```json\n{"name": "Anne", "age": 3}\n```', anne, []],
  ['```\n{"name": "Anne", "age": 3}```\n', anne, []],
  ['Here is the JSON:\n```json\n{"name": "Anne", "age": 3}\n```\nAnything else?', anne, ['response-trimmed']],
  ['Sure! {"name": "Anne", "age": 3}', anne, ['response-trimmed']],
  ['{"name": "Anne", "age": 3} I hope it helps.', anne, ['response-trimmed']],
  ['From {Anne} and {a: b, I get {"name": "Anne", "age": 3}', anne, ['response-trimmed']],
  ['{{"name": "Anne", "age": 3}}', anne, ['repaired']],
  ['[{"name": "Anne", "age": 3}]', anne, ['response-trimmed']],
  ["{'name': 'Anne', 'age': 3,}", anne, ['repaired', 'repaired', 'repaired', 'repaired']],
  ['{"name": "Anne", "age": "3"}', anne, ['retyped']],
  ['{"name": "Anne", "age": 3', anne, ['repaired']],
  ['```json\n{"name": "Anne", "age": 3\n```', anne, ['repaired']],
  ['{"name": "Anne", "age": 3, "tags": ["a", "b"', '{"name":"Anne","age":3,"tags":["a","b"]}', ['repaired']],
  ['{"name": "Anne"}', '{"name":"Anne"}', ['response-invalid']],
  ['{"name": "Anne", "age": "old"}', '{"name":"Anne","age":"old"}', ['response-invalid']],
  ['{"person": {"name": "Anne", "age": 3}}', anne, ['response-trimmed']],
  ['{"type": "object", "required": ["name"]} so {"name": "Anne", "age": 3}', anne, ['response-trimmed']],
  ['{"Name": "Anne", "Age": 3}', '{"Name":"Anne","Age":3}', ['response-invalid']],
  ['{"note": "first", "name": "Anne", "age": 3}', '{"note":"first","name":"Anne","age":3}', []],
  ['{"name": "An', '{"name":"An', ['response-incomplete']],
  ['{"name": "Anne", "age": 3}{"name": "Bob", "age": 4}', anne, ['response-trimmed']],
]

describe('a reply that must be JSON', () => {
  test.each(values)('%j is given as %j', (text, json, codes) => {
    const reply = shown(read([text], ofSchema(person)))
    expect(reply.text).toBe(json)
    expect(new Set(reply.codes)).toEqual(new Set(codes))
    expect(reply.refusal).toBe('')
    expect(reply.reason).toBe(codes.includes('response-incomplete') ? 'length' : 'stop')
  })

  test.each([
    ['I cannot do that.', 'I cannot do that.'],
    ['The set {a, b} is small.', 'The set {a, b} is small.'],
    ['Use {} or {', 'Use {} or {'],
    ['{"na', '{"na'],
    ['', 'The model wrote no JSON value.'],
  ])('%j has no value, and is a refusal', (text, refusal) => {
    expect(shown(read([text], ofSchema(person)))).toEqual({
      text: '',
      refusal,
      codes: ['response-missing'],
      reason: 'stop',
    })
  })

  test.each<[JsonObject, string, string]>([
    [{ type: 'array', items: { type: 'object' } }, 'See [1]: [{"a": 1}, {"a": 2}]', '[{"a":1},{"a":2}]'],
    [{ type: 'array', items: { type: 'string' } }, 'Both [1]: ["a", "b"]', '["a","b"]'],
    [{ type: 'array', items: { type: 'string' } }, '[]', '[]'],
    [{ type: 'array', items: { type: 'integer' } }, '["1", "2"]', '[1,2]'],
    [{ type: 'array' }, '```json\n[1, 2]\n```', '[1,2]'],
    [{ type: 'integer' }, '```\n42\n```', '42'],
    [{ type: 'integer' }, '"42"', '42'],
    [{ type: 'string' }, '"Paris"', '"Paris"'],
    [{ type: 'string', enum: ['Paris', 'Rome'] }, 'Paris', '"Paris"'],
    [{ type: ['object', 'null'] }, 'null', 'null'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'object' }] }, '{"a": true}', '{"a":true}'],
    [{ $ref: '#/$defs/one', $defs: { one: { type: 'object' } } }, '{"a": [1]}', '{"a":[1]}'],
  ])('the schema %j, %j: %j', (schema, text, json) => {
    const { text: given, refusal, codes } = shown(read([text], ofSchema(schema)))
    expect([given, refusal]).toEqual([json, ''])
    expect(codes).not.toContain('response-invalid')
  })

  test('any object', () => {
    expect(shown(read(['Here: {"a": [1, {}]} OK'], { type: 'json' })).text).toBe('{"a":[1,{}]}')
    expect(shown(read(['{}'], { type: 'json' })).text).toBe('{}')
    expect(shown(read(['[1]'], { type: 'json' })).codes).toEqual(['response-missing'])
  })

  test.each<[FinishReason, string[]]>([
    ['length', []],
    ['stop-sequence', []],
    ['content-filter', []],
  ])('a value that was cut by %s keeps that reason', (reason, codes) => {
    const reply = shown(read(['{"name": "Anne", "age": 3'], ofSchema(person), reason))
    expect(reply).toMatchObject({ text: '{"name":"Anne","age":3', refusal: '', codes, reason })
  })

  test('it is streamed as it comes', () => {
    const answer = new JsonAnswer(ofSchema(person))
    const given = ['Well: {"na', 'me": "An', 'ne", "a', 'ge": 3', '}'].map((text) =>
      answer.read([{ type: 'text', text }]).map((event) => (event.type === 'text' ? event.text : event.type)),
    )
    expect(given).toEqual([[], ['{"name":"An'], ['ne"'], [',"age":'], ['3}']])
  })

  test('beside a call there is no value, and no fault', () => {
    const events: ReplyEvent[] = [
      { type: 'text', text: 'I will look {"name": ' },
      { type: 'call-start', index: 0, id: 'a', name: 'look' },
      { type: 'call-arguments', index: 0, json: '{}' },
      { type: 'call-end', index: 0, complete: true },
      { type: 'text', text: '{"name": "Anne", "age": 3}' },
      { type: 'finish', reason: 'calls' },
    ]
    const collector = new ReplyCollector()
    const answer = new JsonAnswer(ofSchema(person))
    for (const event of events) collector.push(answer.read([event]))
    expect(collector.reply.parts).toEqual([{ type: 'call', id: 'a', name: 'look', arguments: '{}', complete: true }])
    expect(collector.reply.notices.map(({ code }) => code)).toEqual(['response-trimmed'])
    expect(collector.reply.finish.reason).toBe('calls')
  })

  test('reasoning and notices pass as they are', () => {
    const events: ReplyEvent[] = [
      { type: 'reasoning', text: '{"name": 1}' },
      { type: 'notice', notice: { code: 'x', message: 'y' } },
    ]
    expect(new JsonAnswer({ type: 'json' }).read(events)).toEqual(events)
  })

  test('is read alike in all pieces, and what is given is JSON that grows', () => {
    const part = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        'name',
        '"name"',
        '"age"',
        ':',
        ': ',
        ',',
        ' ',
        '3',
        '"3"',
        '\\',
        '\n',
        '```json\n',
        '```',
      ],
      ...['x', 'and ', '{"name": "Anne", "age": 3}', '{"name": "A', '{}', 'true', "'", '//', ' '.repeat(600)],
    )
    const format = fc.constantFrom<ResponseFormat>(
      { type: 'json' },
      ofSchema(person),
      ofSchema({ type: 'array', items: { type: 'string' } }),
      ofSchema({}),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), format, (parts, wanted) => {
        const text = parts.join('')
        const whole = shown(read([text], wanted))
        expect(shown(read([...text], wanted))).toEqual(whole)
        expect(shown(read(parts, wanted))).toEqual(whole)
        if (whole.text !== '' && whole.reason === 'stop') expect(() => JSON.parse(whole.text)).not.toThrow()
        expect(whole.text !== '').not.toBe(whole.refusal !== '')
      }),
      { numRuns: 20 * lawRuns },
    )
  })
})

test.each([
  ['"nobq"<|calls|>', '"nobq"', 'string'],
  ['"a \\"b\\"" </s>', '"a \\"b\\""', 'string'],
  ['[FINAL]"zo"', '"zo"', 'string'],
  ['<|final|> "zo" </s>', '"zo"', 'string'],
  ['[FINAL]-3.5', '-3.5', 'number'],
  ['[FINAL] true<|end|>', 'true', 'boolean'],
  ['"a" and "b" <c>', JSON.stringify('"a" and "b" <c>'), 'string'],
  ['[a] "b" [c] "d"', JSON.stringify('[a] "b" [c] "d"'), 'string'],
])('a value alone between markers: %s', (text, json, type) => {
  const { parts } = read([text], ofSchema({ type }))
  expect(parts).toMatchObject([{ type: 'text', text: json }])
})
