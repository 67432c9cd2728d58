// @ts-check
import { expect, it } from 'vitest'
import { parseVector } from './vector.mjs'

const user = { role: 'user', content: 'Hi' }
const userTurn = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }

/** @param {object} request */
function parse(request) {
  return parseVector({ id: 1, request: { messages: [user], tools: [], ...request }, output: 'x', expect: {} })
}

it.each([
  [{}, {}],
  [{ continue_final_message: 'none' }, {}],
  [{ continue_final_message: 'content' }, { continueReply: 'text' }],
  [{ continue_final_message: 'reasoning' }, { continueReply: 'reasoning' }],
])('%j makes a prompt with %j', (request, prompt) => {
  expect(parse(request).prompt).toEqual({ now: new Date(2026, 0, 15, 10, 30), ...prompt })
})

it.each([
  [{ reasoning_format: 'auto', json_schema: null }, {}],
  [{ reasoning_format: 'none' }, { reasoningAs: 'text' }],
  [{ json_schema: {} }, { responseFormat: 'json' }],
])('%j makes a reader with %j', (request, reader) => expect(parse(request).reader).toEqual(reader))

it.each([
  [{}, { system: '', turns: [userTurn], tools: [], toolChoice: { type: 'auto' }, parallelCalls: false }],
  [{ parallel_tool_calls: true }, { parallelCalls: true }],
  [{ enable_thinking: false }, { reasoning: { enabled: false } }],
  [{ tool_choice: 'required' }, { toolChoice: { type: 'required' } }],
  [{ tool_choice: { type: 'function', function: { name: 'f' } } }, { toolChoice: { type: 'named', name: 'f' } }],
  [{ messages: [{ role: 'system', content: 'Be.' }, user] }, { system: 'Be.', turns: [userTurn] }],
  [{ messages: [user, { role: 'system', content: 'Be.' }] }, { turns: [userTurn, { role: 'system', text: 'Be.' }] }],
  [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }, { turns: [userTurn] }],
  [
    {
      tools: [
        { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
        { function: { name: 'g' } },
      ],
    },
    {
      tools: [
        { name: 'f', description: '', schema: { type: 'object' } },
        { name: 'g', description: '', schema: {} },
      ],
    },
  ],
  [
    {
      messages: [
        user,
        {
          role: 'assistant',
          content: 'So.',
          reasoning_content: 'Hm.',
          tool_calls: [
            { id: 'c', function: { name: 'f', arguments: '{"a":1}' } },
            { id: 'd', function: { name: 'g', arguments: { a: 1 } } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: '5' },
      ],
    },
    {
      turns: [
        userTurn,
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'So.' },
            { type: 'call', id: 'c', name: 'f', arguments: '{"a":1}' },
            { type: 'call', id: 'd', name: 'g', arguments: '{"a":1}' },
          ],
        },
        {
          role: 'user',
          parts: [{ type: 'result', callId: 'c', name: 'f', content: [{ type: 'text', text: '5' }], isError: false }],
        },
      ],
    },
  ],
])('%j is understood', (request, conversation) => expect(parse(request).conversation).toMatchObject(conversation))

it('has what is expected, as JSON where it is any', () => {
  const calls = [
    { name: 'f', arguments: '{"a": 1}', id: 'c' },
    { name: 'f', arguments: '{"a": ', id: '' },
  ]
  const expect_ = { content: 'So.', reasoning_content: 'Hm.', tool_calls: calls }
  const { expected, end } = parseVector({
    request: { messages: [], tools: [] },
    output: '',
    truncated: true,
    expect: expect_,
  })
  expect(end).toBe('length')
  expect(expected).toEqual({
    content: 'So.',
    reasoning: 'Hm.',
    calls: [
      { name: 'f', json: '{"a": 1}', arguments: { a: 1 }, id: 'c' },
      { name: 'f', json: '{"a": ' },
    ],
    isCut: true,
  })
})
