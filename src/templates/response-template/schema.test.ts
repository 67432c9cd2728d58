import { describe, expect, it } from 'vitest'
import { expectReading, type Short, tool } from '../../../test/support/dialects/tables.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { formatDialect } from '../../dialects/prompt/format-dialect.ts'
import { parseResponseTemplate } from './response-template.ts'

/** The older `response_schema`, as the first Gemma 4 checkpoints, Transformers' tests and TRL have it. */

const text = { type: 'string' }
const functionOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { type: { const: 'function' }, function: { type: 'object', properties, ...more } },
})
const anyArguments = { type: 'object', additionalProperties: {} }
const jsonItem = (transform: string): JsonObject => ({
  ...functionOf({ name: text, arguments: anyArguments }),
  'x-parser': 'json',
  'x-parser-args': { transform },
})

const gemma: JsonObject = {
  type: 'object',
  properties: {
    role: { const: 'assistant' },
    thinking: text,
    content: text,
    tool_calls: {
      'x-regex-iterator': '<\\|tool_call>(.*?)<tool_call\\|>',
      type: 'array',
      items: functionOf(
        { name: text, arguments: { ...anyArguments, 'x-parser': 'gemma4-tool-call' } },
        { 'x-regex': 'call\\:(?P<name>\\w+)(?P<arguments>\\{.*\\})' },
      ),
    },
  },
  'x-regex':
    '(\\<\\|channel\\>thought\\n(?P<thinking>.*?)\\<channel\\|\\>)?(?P<tool_calls>\\<\\|tool_call\\>.*\\<tool_call\\|\\>)?(?P<content>(?:(?!\\<turn\\|\\>)(?!\\<\\|tool_response\\>).)+)?(?:\\<turn\\|\\>|\\<\\|tool_response\\>)?',
}

const cohere: JsonObject = {
  type: 'object',
  properties: {
    role: { const: 'assistant' },
    content: { type: 'string', 'x-regex': '<\\|START_RESPONSE\\|>(.*?)(?:<\\|END_RESPONSE\\|>|$)' },
    thinking: { type: 'string', 'x-regex': '<\\|START_THINKING\\|>(.*?)(?:<\\|END_THINKING\\|>|$)' },
    tool_calls: {
      'x-regex': '<\\|START_ACTION\\|>(.*?)(?:<\\|END_ACTION\\|>|$)',
      'x-parser': 'json',
      'x-parser-args': { transform: "[*].{type: 'function', function: {name: tool_name, arguments: parameters}}" },
      type: 'array',
      items: functionOf({ name: text, arguments: anyArguments }),
    },
  },
}

const ernie: JsonObject = {
  type: 'object',
  properties: {
    content: { type: 'string', 'x-regex': '<response>\n(.*?)\n?</response>' },
    thinking: { type: 'string', 'x-regex': '(?:^|<think>\\s*)(.*?)\\s*<\\/think>' },
    tool_calls: {
      'x-regex-iterator': '<tool_call>(.*?)</tool_call>',
      type: 'array',
      items: jsonItem("{type: 'function', function: @}"),
    },
  },
}

const gptOss: JsonObject = {
  type: 'object',
  properties: {
    content: { type: 'string', 'x-regex': '<\\|channel\\|>final<\\|message\\|>(.*?)(?:<\\|end\\|>|$)' },
    thinking: { type: 'string', 'x-regex': '<\\|channel\\|>analysis<\\|message\\|>(.*?)<\\|end\\|>' },
    tool_calls: {
      'x-regex-iterator': '<\\|channel\\|>commentary (to=functions\\..*?<\\|message\\|>.*?)(?:<\\|call\\|>|$)',
      type: 'array',
      items: functionOf({
        name: { type: 'string', 'x-regex': '^to=functions\\.(\\w+)' },
        arguments: { ...anyArguments, 'x-regex': '<\\|message\\|>(.*)', 'x-parser': 'json' },
      }),
    },
  },
}

/** TRL's, for Qwen3. */
const qwen: JsonObject = {
  'x-regex':
    '^(?:<think>\\n?(?:(?P<reasoning_content>.*?\\S.*?)\\n?|[\\s]*)</think>\\s*)?(?P<content>(?:(?!<tool_call>)[\\s\\S])*?)(?:\\n(?=<tool_call>))?(?=(?:<tool_call>|<\\|im_end\\|>|$))(?P<tool_calls>(?:<tool_call>(?:(?!</tool_call>)[\\s\\S])+</tool_call>\\s*)+)?\\s*(?:<\\|im_end\\|>|$)',
  type: 'object',
  properties: {
    content: text,
    reasoning_content: text,
    tool_calls: {
      type: 'array',
      'x-regex-iterator': '<tool_call>\\s*(.+?)\\s*</tool_call>',
      items: jsonItem("{type: 'function', function: @}"),
    },
  },
}

/** TRL's, for Qwen3.5, with tags on their own lines. */
const qwenTags: JsonObject = {
  ...qwen,
  properties: {
    content: text,
    reasoning_content: text,
    tool_calls: {
      type: 'array',
      'x-regex-iterator': '<tool_call>\\s*(.+?)\\s*</tool_call>',
      items: functionOf({
        name: { type: 'string', 'x-regex': '<function=([^\\n>]+)>' },
        arguments: {
          type: 'object',
          'x-regex-key-value': '<parameter=(?P<key>[^>\\n]+)>\\n(?P<value>.*?)\\n</parameter>',
          default: {},
          additionalProperties: { 'x-parser': 'json', 'x-parser-args': { allow_non_json: true } },
        },
      }),
    },
  },
}

const tools = [tool('get_weather', { city: 'string', days: 'integer' })]
const paris: Short = { call: 'get_weather', json: '{"city":"Paris","days":3}' }
const json = '{"city": "Paris", "days": 3}'

describe('response schemas', () => {
  it.each<[name: string, spec: JsonObject, text: string, expected: Short[]]>([
    [
      'Gemma 4',
      gemma,
      '<|channel>thought\nSo.<channel|><|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|><|tool_response>',
      [{ think: 'So.' }, paris],
    ],
    ['Gemma 4: text', gemma, '<|channel>thought\nSo.<channel|>Hi.<turn|>', [{ think: 'So.' }, 'Hi.']],
    [
      'Cohere',
      cohere,
      `<|START_THINKING|>So.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${json}}]<|END_ACTION|>`,
      [{ think: 'So.' }, paris],
    ],
    ['Cohere: text', cohere, '<|START_RESPONSE|>Hi.<|END_RESPONSE|>', ['Hi.']],
    [
      'Ernie',
      ernie,
      `<think>\nSo.\n</think>\n<tool_call>\n{"name": "get_weather", "arguments": ${json}}\n</tool_call>`,
      [{ think: 'So.' }, paris],
    ],
    [
      'gpt-oss',
      gptOss,
      `<|channel|>analysis<|message|>So.<|end|><|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${json}<|call|>`,
      [{ think: 'So.' }, paris],
    ],
    [
      'Qwen 3',
      qwen,
      `<think>\nSo.\n</think>\n\nOk.\n<tool_call>\n{"name": "get_weather", "arguments": ${json}}\n</tool_call><|im_end|>`,
      [{ think: 'So.' }, 'Ok.', paris],
    ],
    [
      'Qwen 3.5',
      qwenTags,
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call><|im_end|>',
      [paris],
    ],
  ])('%s', (_name, spec, reply, expected) => {
    const format = parseResponseTemplate(spec)
    if (format.type === 'none') throw new Error(format.why)
    const { reasoning, markers, blocks, unread } = format
    // Text outside of the parts that the schema names is not text of the reply.
    const isOutside = spec === cohere || spec === ernie || spec === gptOss
    expect(unread).toEqual(isOutside ? ['text outside of all fields is dropped there; here it stays text'] : [])
    const dialect = formatDialect({ name: 't', families: '', source: '', example: '', reasoning, markers, blocks })
    expectReading(dialect, reply, expected, { tools })
  })

  it('says of replacements that they are not made', () => {
    const calls = { 'x-regex-iterator': '<c>(.*?)</c>', items: { 'x-regex-substitutions': [['a', 'b']] } }
    const format = parseResponseTemplate({ properties: { tool_calls: calls } })
    expect(JSON.stringify(format)).toContain('the replacements in the text before it is read')
  })
})
