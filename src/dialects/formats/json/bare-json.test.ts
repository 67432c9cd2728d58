import { describe, expect, it } from 'vitest'
import { readInPieces } from '../../../../test/support/dialects/format-reading.ts'
import { tools } from '../../../../test/support/dialects/json-formats.ts'
import type { Block } from '../../format/format.ts'
import { aroundCallsBlock, bareCallsBlock, messageBlock } from './bare-json.ts'

const paris = 'get_weather {"city":"Paris"}'
const tokyo = 'get_weather {"city":"Tokyo"}'
const one = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const two = '{"name": "get_weather", "arguments": {"city": "Tokyo"}}'
const city = '{"city": "Paris"}'

type Case = [title: string, blocks: readonly Block[], text: string, calls: string[], rest: string]

function readsAll(cases: readonly Case[], codes?: string[]): void {
  it.each(cases)('%s', (_, blocks, text, calls, rest) => {
    const reading = readInPieces(blocks, text, { tools })
    expect(reading).toMatchObject({ calls, rest })
    if (codes) expect(reading.notices).toEqual(codes)
  })
}

describe('bare calls', () => {
  const bare = [aroundCallsBlock, bareCallsBlock]
  const openAi =
    '{"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}'
  readsAll([
    ['one object', bare, `${one} on`, [paris], ' on'],
    ['a list', bare, `[\n  ${one},\n  ${two}\n]`, [paris, tokyo], ''],
    ['one object a line', bare, `${one}\n${two}\n`, [paris, tokyo], '\n'],
    ['calls as OpenAI has them', bare, `{"tool_calls": [${openAi}]}`, [paris], ''],
    ['a list of those', bare, `[${openAi}]`, [paris], ''],
    ['one around a call', bare, `{"tool_call": ${one}} on`, [paris], ' on'],
    [
      'the old form',
      bare,
      `{"function_call": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}`,
      [paris],
      '',
    ],
    ['tool and input', bare, `{"tool": "get_weather", "input": ${city}}`, [paris], ''],
    ['arguments first', bare, `{"parameters": ${city}, "name": "get_weather"}`, [paris], ''],
    ['an id first', bare, `{"id": "x1", "name": "get_weather", "arguments": ${city}}`, [paris], ''],
    ['an id after the name', bare, `{"name": "get_weather", "id": "x1", "arguments": ${city}}`, [paris], ''],
    [
      'a type of another API',
      bare,
      `{"type": "tool_use", "id": "x", "name": "get_weather", "input": ${city}}`,
      [paris],
      '',
    ],
    ['single quotes', bare, "{'name': 'get_weather', 'arguments': {'city': 'Paris'}}", [paris], ''],
    ['typographic quotes', bare, '{“name”: “get_weather”, “arguments”: {“city”: “Paris”}}', [paris], ''],
    ['no quotes', bare, '{name: get_weather, arguments: {city: "Paris"}}', [paris], ''],
    ['a stray closing tag', bare, `${one}\n</tool_call>`, [paris], ''],
  ])

  it.each([
    '{"temperature": 21}',
    '{"name": "Bob", "age": 3}',
    '{"id": 1, "name": "Bob"}',
    '{"name": "Bob", "id": 1}',
    '{"name": "x", "type": "module"}',
    '{ name, args } = x',
    '{"tool_calls": "none"}',
    '{"role": "assistant", "tool_calls": []}',
    '{"type": "object", "properties": {}}',
    '{"input": "text", "output": "text"}',
    '[{"name": "Bob", "email": "x"}]',
    '[1, 2]',
    'if (x) { return }',
  ])('has no opener in %s', (text) => {
    expect(readInPieces(bare, text, { tools })).toMatchObject({ status: 'no-call', calls: [], rest: text })
  })

  it.each([
    ['the definition of a tool', '{"name": "get_weather", "parameters": {"type": "object", "properties": {}}}'],
    ['a name alone that is no tool', '{"name": "Bob"}'],
    ['thoughts before an answer', '{"reasoning": "It is warm.", "answer": 42}'],
  ])('takes %s for no call', (_name, text) => {
    expect(readInPieces(bare, text, { tools })).toMatchObject({ status: 'no-call', calls: [] })
  })

  it('takes the name of a tool alone for a call of it', () => {
    expect(readInPieces(bare, '{"name": "get_weather"}', { tools })).toMatchObject({ calls: ['get_weather {}'] })
  })

  it.each([
    `{"role": "assistant", "content": null, "tool_calls": [${one}]}`,
    `{"content": "I look", "tool_calls": [\n  {"id": "c1", "type": "function", "function": ${one}}\n]}`,
    `{"id": "m1", "role": "assistant", "function_call": ${one}}`,
  ])('reads the message of a transcript %s to its end, as no call', (text) => {
    const reading = readInPieces([messageBlock, ...bare], `${text} on`, { tools })
    expect(reading).toEqual({ status: 'no-call', calls: [], notices: [], rest: ' on' })
  })
})
