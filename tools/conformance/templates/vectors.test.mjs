// @ts-check
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testLibrary } from '../library/test-library.mjs'
import { folderOf, testTemplateLibrary } from '../library/test-templates.mjs'
import { vectors } from './vectors.mjs'

const drawing = { seed: 1, random: 0 }
const tools = [{ type: 'function', function: { name: 'f', description: '', parameters: { type: 'object' } } }]

/**
 * @param {string} template
 * @param {readonly object[]} all
 */
function score(template, all) {
  return vectors.score(folderOf({ a: template }, { a: all }, onTestFinished), testTemplateLibrary, drawing)
}

/**
 * @param {string} output
 * @param {object} expect
 * @param {object} [more]
 */
function vectorOf(output, expect, more = {}) {
  const request = { messages: [{ role: 'user', content: 'Hi' }], tools, tool_choice: 'auto' }
  const expected = { content: '', reasoning_content: '', tool_calls: [], ...expect }
  return { id: 'v', request, output, truncated: false, expect: expected, ...more }
}

/** @param {...object} calls */
function calling(...calls) {
  return { tool_calls: calls.map((call) => ({ name: 'f', id: '', ...call })) }
}

/** @type {[string, string, object][]} a template, and a vector that passes with it */
const good = [
  ['', 'x', vectorOf('Hello ', { content: ' Hello' })],
  ['', 'reasoning', vectorOf('(Hm.)Hello', { content: 'Hello', reasoning_content: 'Hm.' })],
  ['thinks', 'what the prompt has begun', vectorOf('So.)Hello', { content: 'Hello', reasoning_content: 'Hm. So.' })],
  [
    '',
    'arguments in another order',
    vectorOf('[f {"a":1, "b": {"c": 2}}]', calling({ arguments: '{"b":{"c":2},"a":1}' })),
  ],
  ['', 'an id', vectorOf('[f#x1 {}]', calling({ arguments: '{}', id: 'x1' }))],
  ['', 'an id that nobody asked for', vectorOf('[f#x1 {}]', calling({ arguments: '{}' }))],
  ['', 'a cut call', vectorOf('[f {"a": eager', calling({ arguments: '{"a": ' }), { truncated: true })],
  ['', 'a cut call of which more was read', vectorOf('[f {"eager', calling({ arguments: '' }), { truncated: true })],
]

/** @type {[string, string, object, object][]} a template, and a vector that fails with it, and how */
const bad = [
  ['', 'content', vectorOf('Hello', { content: 'Hallo' }), { what: 'content', got: '"Hello"' }],
  ['', 'reasoning', vectorOf('(Hm.)', {}), { what: 'reasoning', got: '"Hm."' }],
  ['', 'an argument', vectorOf('[f {"a": 1}]', calling({ arguments: '{"a": "1"}' })), { what: 'calls' }],
  ['', 'a call too many', vectorOf('[f {}]', {}), { what: 'calls', got: 'f({})' }],
  ['', 'a call too few', vectorOf('[g {}]', calling({ arguments: '{}' })), { what: 'content' }],
  ['', 'an id', vectorOf('[f#x2 {}]', calling({ arguments: '{}', id: 'x1' })), { what: 'calls' }],
  [
    '',
    'digits',
    vectorOf('[f {"a": 12345678901234567}]', calling({ arguments: '{"a": 12345678901234568}' })),
    { what: 'digits' },
  ],
  [
    '',
    'another cut',
    vectorOf('[f {"b": eager', calling({ arguments: '{"a": ' }), { truncated: true }),
    { what: 'cut call' },
  ],
  [
    '',
    'a cut call that stayed text',
    vectorOf('[f {"a"', calling({ arguments: '{' }), { truncated: true }),
    { what: 'content' },
  ],
  ['', 'pieces', vectorOf('jumpy', { content: 'jumpy' }), { what: expect.stringContaining('in two') }],
  ['', 'an error', vectorOf('boom', {}), { what: 'error', note: 'it went boom' }],
  ['refuses', 'a refusal', vectorOf('x', { content: 'x' }), { what: 'prompt', note: 'it refuses' }],
  ['broken', 'no template', vectorOf('x', { content: 'x' }), { what: 'template', note: 'it is broken' }],
  [
    'loops',
    'no analysis',
    vectorOf('x', { content: 'x' }),
    { what: 'template', note: expect.stringContaining('it loops') },
  ],
  ['', 'no vector', { id: 'v' }, { what: 'error', note: 'request is not an object' }],
]

describe('vectors', () => {
  it.each(good)('%s: %s passes', (template, _, vector) => {
    expect(score(template, [vector])).toMatchObject({
      passed: 1,
      total: 1,
      files: { 'a.json': { passed: 1, total: 1 } },
    })
  })

  it.each(bad)('%s: %s fails', (template, _, vector, difference) => {
    const result = score(template, [vector])
    expect(result).toMatchObject({ passed: 0, total: 1, failures: [{ id: 'v', file: 'a.json' }] })
    expect(result?.failures[0]?.differences[0]).toMatchObject(difference)
  })

  it('fail without their template', () => {
    const folder = folderOf({}, { a: [vectorOf('x', { content: 'x' })] }, onTestFinished)
    expect(vectors.score(folder, testTemplateLibrary, drawing)).toMatchObject({ passed: 0, total: 1 })
  })

  it('are not scored where there are none, or the library analyses no templates', () => {
    expect(vectors.score(tmpdir(), testTemplateLibrary, drawing)).toBeUndefined()
    expect(vectors.score(folderOf({ a: '' }, { a: [] }, onTestFinished), testLibrary, drawing)).toBeUndefined()
  })
})
