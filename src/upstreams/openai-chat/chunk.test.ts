import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import type { CallPiece, UpstreamEvent } from '../upstream.ts'
import { chatFormat, readChunk } from './chunk.ts'

const delta = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta: message, ...more }],
})
const callsIn = (...calls: JsonValue[]): UpstreamEvent[] => readChunk(delta({ tool_calls: calls })).events
const piece = (index: number, more: Omit<CallPiece, 'type' | 'index'> = {}): CallPiece => ({
  type: 'call',
  index,
  ...more,
})

describe('pieces of calls', () => {
  test.each<[string, JsonValue[], CallPiece[]]>([
    [
      'the beginning of one',
      [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }],
      [piece(0, { id: 'call_1', name: 'f', arguments: '' })],
    ],
    ['a piece of its arguments', [{ index: 0, function: { arguments: '{"a' } }], [piece(0, { arguments: '{"a' })]],
    [
      'a piece with empty texts for what came before (SGLang, LiteLLM)',
      [{ index: 1, id: '', type: 'function', function: { name: '', arguments: '1}' } }],
      [piece(1, { arguments: '1}' })],
    ],
    [
      'a piece with null for what came before (vLLM)',
      [{ index: 1, id: null, function: { name: null, arguments: '1}' } }],
      [piece(1, { arguments: '1}' })],
    ],
    [
      'several calls at once',
      [
        { index: 2, function: { arguments: 'x' } },
        { index: 0, function: { arguments: 'y' } },
      ],
      [piece(2, { arguments: 'x' }), piece(0, { arguments: 'y' })],
    ],
    [
      'whole calls without an index',
      [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{"a":1}' } },
      ],
      [piece(0, { id: 'a', name: 'f', arguments: '{}' }), piece(1, { id: 'b', name: 'g', arguments: '{"a":1}' })],
    ],
    [
      'arguments as an object',
      [{ index: 0, id: 'a', function: { name: 'f', arguments: { city: 'Paris', days: [1] } } }],
      [piece(0, { id: 'a', name: 'f', arguments: '{"city":"Paris","days":[1]}' })],
    ],
    [
      'no `function` around it',
      [{ id: 'a', name: 'f', arguments: '{}' }],
      [piece(0, { id: 'a', name: 'f', arguments: '{}' })],
    ],
    ['what is no call', [null, 'a', { index: 1, function: { arguments: 'x' } }], [piece(1, { arguments: 'x' })]],
  ])('%s', (_, calls, expected) => {
    expect(callsIn(...calls)).toEqual(expected)
  })

  test('in the form before tools: function_call, streamed and whole', () => {
    expect(readChunk(delta({ function_call: { name: 'f', arguments: '{"a' } })).events).toEqual([
      piece(0, { name: 'f', arguments: '{"a' }),
    ])
    const message = { content: null, function_call: { name: 'f', arguments: '{}' } }
    expect(readChunk({ choices: [{ message, finish_reason: 'function_call' }] }).events).toEqual([
      piece(0, { name: 'f', arguments: '{}' }),
      { type: 'finish', reason: 'stop' },
    ])
  })

  test('come after the text of their chunk, and before its finish', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const message = { reasoning: 'hm', content: 'I look.', tool_calls: calls }
    expect(
      readChunk({ choices: [{ message, finish_reason: 'tool_calls' }], usage: { completion_tokens: 3 } }).events,
    ).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      piece(0, { id: 'a', name: 'f', arguments: '{}' }),
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { outputTokens: 3 } },
    ])
  })

  test('are none where the list is empty or null, and in another choice', () => {
    expect(readChunk(delta({ tool_calls: [] })).events).toEqual([])
    expect(readChunk(delta({ tool_calls: null })).events).toEqual([])
    const other = { index: 1, delta: { tool_calls: [{ index: 0, function: { name: 'f' } }] } }
    expect(readChunk({ choices: [other] }).events).toEqual([])
  })
})

describe('calls in chunks of their own are told apart', () => {
  const whole = (more: JsonObject): JsonObject => ({
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    ...more,
  })
  const part = (json: string, more: JsonObject = {}): JsonObject => ({ function: { arguments: json }, ...more })

  test.each<[string, JsonObject[][], number[]]>([
    ['numbered', [[whole({ index: 0 })], [whole({ index: 1 })]], [0, 1]],
    ['without numbers, with ids', [[whole({ id: 'a' })], [whole({ id: 'b' })]], [0, 1]],
    ['without numbers and ids', [[whole({})], [whole({})]], [0, 1]],
    ['each with the number 0', [[whole({ index: 0, id: 'a' })], [whole({ index: 0, id: 'b' })]], [0, 1]],
    ['several, then one more', [[whole({}), whole({})], [whole({})]], [0, 1, 2]],
    ['a number after calls without', [[whole({})], [whole({})], [whole({ index: 1 })]], [0, 1, 2]],
    ['pieces after a call without a number', [[whole({})], [whole({})], [part('x')]], [0, 1, 1]],
    ['pieces in turn', [[whole({ index: 0 })], [whole({ index: 1 })], [part('x', { index: 0 })]], [0, 1, 0]],
    [
      'the name in every piece',
      [[whole({ index: 0, id: 'a' })], [whole({ index: 0, id: 'a' })], [whole({ index: 0 })]],
      [0, 0, 0],
    ],
    ['another id in every piece', [[whole({ index: 0, id: 'a' })], [part('x', { index: 0, id: 'b' })]], [0, 0]],
  ])('%s', (_, chunks, expected) => {
    const format = chatFormat()
    const events = chunks.flatMap((calls) => format.read(delta({ tool_calls: calls })).events)
    expect(events.map((event) => event.type === 'call' && event.index)).toEqual(expected)
  })
})

test('a chunk with text and a call has both', () => {
  const chunk = delta({ content: 'a', tool_calls: [{ index: 0, function: { name: 'f' } }] })
  expect(chatFormat().read(chunk)).toEqual({
    events: [{ type: 'text', text: 'a' }, piece(0, { name: 'f' })],
  })
})

describe('the stop_reason of a choice (vLLM)', () => {
  const call: JsonObject = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }
  const end = (finish_reason: string, stop_reason: JsonValue, message: JsonObject = {}): JsonObject =>
    delta(message, { finish_reason, stop_reason })
  const stopped: UpstreamEvent = { type: 'finish', reason: 'stop' }
  const cut: UpstreamEvent = { type: 'finish', reason: 'length' }
  const sequence: UpstreamEvent = { type: 'finish', reason: 'stop-sequence', stopSequence: '###' }

  test.each<[what: string, chunks: JsonObject[], finish: UpstreamEvent]>([
    ['a text after text is a stop sequence', [delta({ content: 'Hi' }), end('stop', '###')], sequence],
    ['a number is the token', [end('stop', 151645)], stopped],
    ['a marker after a call ends the call', [delta({ tool_calls: [call] }), end('tool_calls', '<|call|>')], stopped],
    ['so it does where the reason is stop', [delta({ tool_calls: [call] }), end('stop', '<|call|>')], stopped],
    ['and in the chunk of the call', [end('stop', '<|call|>', { tool_calls: [call] })], stopped],
    ['tool_calls without a call is no sequence', [end('tool_calls', '<|call|>')], stopped],
    ['the finish reason said again', [end('stop', 'stop')], stopped],
    ['another end has none', [end('length', '###')], cut],
  ])('%s', (_, chunks, finish) => {
    const format = chatFormat()
    expect(chunks.flatMap((chunk) => format.read(chunk).events).at(-1)).toEqual(finish)
  })
})

describe('finish reasons', () => {
  const finish = (finish_reason: string): [failed: string | undefined, events: UpstreamEvent[]] => {
    const { failed, events } = readChunk(delta({}, { finish_reason }))
    return [failed, events]
  }

  test.each(['function_call_filter: MALFORMED_FUNCTION_CALL', 'malformed_function_call', 'error', 'abort'])(
    'a generation that failed: %s',
    (reason) => {
      expect(finish(reason)).toEqual([reason, []])
    },
  )

  test.each([
    ['content_filter: PROHIBITED_CONTENT', 'content-filter'],
    ['MAX_TOKENS', 'length'],
    ['STOP', 'stop'],
    ['something else', 'stop'],
  ])('%s', (said, reason) => {
    expect(finish(said)).toEqual([undefined, [{ type: 'finish', reason }]])
  })
})
