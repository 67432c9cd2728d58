import { describe, expect, test } from 'vitest'
import { fullConversation } from '../../../test/support/upstreams/conversation.ts'
import type { Conversation, JsonObject, Turn } from '../../conversation/index.ts'
import { encodeConversation } from './tools.ts'

const encode = (more: Partial<Conversation> = {}): JsonObject =>
  encodeConversation({ ...fullConversation, ...more }, 'reasoning_content')
const messagesOf = (...turns: Turn[]): unknown => encode({ system: '', turns, tools: [] }).messages

test('a whole conversation', () => {
  expect(encode()).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare these.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: '<system-reminder>\nTwo agents are idle.\n</system-reminder>' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Two lookups.',
        tool_calls: [
          {
            id: 'functions.get_weather:0',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
          },
          { id: 'functions.now:1', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'functions.get_weather:0', content: 'Sunny.' },
      { role: 'tool', tool_call_id: 'functions.now:1', content: 'Error: no clock' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go on.' },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,BBBB' } },
        ],
      },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'The weather.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ],
  })
})

describe('messages', () => {
  test('without a system prompt have none', () => {
    expect(messagesOf({ role: 'user', parts: [{ type: 'text', text: 'hi' }] })).toEqual([
      { role: 'user', content: 'hi' },
    ])
  })

  test('of the user: texts have lines of their own, before a result and after it as well', () => {
    const text = (text: string) => ({ type: 'text' as const, text })
    const result = { type: 'result' as const, callId: 'a', name: 'now', content: [text('noon')], isError: false }
    const reminder = text('<system-reminder>be nice</system-reminder>')
    expect(messagesOf({ role: 'user', parts: [reminder, text('What is 1+1?')] })).toEqual([
      { role: 'user', content: '<system-reminder>be nice</system-reminder>\nWhat is 1+1?' },
    ])
    expect(messagesOf({ role: 'user', parts: [text('before'), result, text('after')] })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'noon' },
      { role: 'user', content: 'before\nafter' },
    ])
    // Parts stay apart by themselves.
    const image = { type: 'image' as const, url: 'data:image/png;base64,AAAA' }
    expect(messagesOf({ role: 'user', parts: [text('a'), text('b'), image] })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  test('of the assistant: no content beside calls is null, no turn at all is left out', () => {
    const call = { type: 'call' as const, id: 'a', name: 'now', arguments: '{"big":12345678901234567890}' }
    expect(messagesOf({ role: 'assistant', parts: [call] }, { role: 'assistant', parts: [] })).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'now', arguments: '{"big":12345678901234567890}' } },
        ],
      },
    ])
  })

  test.each([
    [
      'an object',
      ' {"city": "Paris",\n"big": 12345678901234567890} ',
      ' {"city": "Paris",\n"big": 12345678901234567890} ',
    ],
    ['nothing', ' ', '{}'],
    ['an object that broke off', '{"city":"Par', '{"arguments":"{\\"city\\":\\"Par"}'],
    ['a list', '["Paris"]', '{"arguments":"[\\"Paris\\"]"}'],
    ['a text', 'Paris', '{"arguments":"Paris"}'],
  ])('of the assistant: arguments that are %s go as an object', (_, json, expected) => {
    const call = { type: 'call' as const, id: 'a', name: 'now', arguments: json }
    const [message] = [messagesOf({ role: 'assistant', parts: [call] })].flat()
    expect(message).toMatchObject({ tool_calls: [{ function: { name: 'now', arguments: expected } }] })
  })

  test('of the assistant: texts are one, reasoning has a line each', () => {
    const parts = [
      { type: 'reasoning' as const, text: 'r1' },
      { type: 'text' as const, text: 'a' },
      { type: 'reasoning' as const, text: 'r2' },
      { type: 'text' as const, text: 'b' },
    ]
    expect(messagesOf({ role: 'assistant', parts }, { role: 'assistant', parts: parts.slice(0, 1) })).toEqual([
      { role: 'assistant', content: 'ab', reasoning_content: 'r1\nr2' },
      { role: 'assistant', content: '', reasoning_content: 'r1' },
    ])
  })

  test.each<[string, { text: string }[], boolean, string]>([
    ['nothing', [], false, ''],
    ['several texts', [{ text: 'a' }, { text: 'b' }], false, 'a\nb'],
    ['an error without a text', [], true, 'Error: '],
  ])('of a result that is %s', (_, texts, isError, content) => {
    const part = {
      type: 'result' as const,
      callId: 'a',
      name: 'now',
      content: texts.map((text) => ({ type: 'text' as const, ...text })),
      isError,
    }
    expect(messagesOf({ role: 'user', parts: [part] })).toEqual([{ role: 'tool', tool_call_id: 'a', content }])
  })
})

describe('the choice of tools', () => {
  test.each<[string, Partial<Conversation>, JsonObject]>([
    ['auto', { toolChoice: { type: 'auto' } }, {}],
    ['none', { toolChoice: { type: 'none' } }, { tool_choice: 'none' }],
    ['required', { toolChoice: { type: 'required' } }, { tool_choice: 'required' }],
    [
      'named',
      { toolChoice: { type: 'named', name: 'now' } },
      { tool_choice: { type: 'function', function: { name: 'now' } } },
    ],
    ['one call', { parallelCalls: false }, { parallel_tool_calls: false }],
  ])('%s', (_, more, expected) => {
    const { messages, tools, ...rest } = encode(more)
    expect(tools).toHaveLength(2)
    expect(rest).toEqual(expected)
  })

  test('is not said where there are no tools', () => {
    expect(Object.keys(encode({ tools: [], toolChoice: { type: 'none' }, parallelCalls: false }))).toEqual(['messages'])
  })
})

test.each<[string, JsonObject, JsonObject]>([
  ['none', {}, { type: 'object', properties: {} }],
  [
    'without a type',
    { properties: { a: {} }, required: ['a'] },
    { type: 'object', properties: { a: {} }, required: ['a'] },
  ],
  [
    'without properties',
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    'with all',
    { type: 'object', properties: { a: { type: 'object' } } },
    { type: 'object', properties: { a: { type: 'object' } } },
  ],
])('the schema of a tool: %s', (_, schema, parameters) => {
  const tools = [{ name: 'a', description: '', schema }]
  expect(encode({ tools }).tools).toEqual([{ type: 'function', function: { name: 'a', parameters } }])
})
