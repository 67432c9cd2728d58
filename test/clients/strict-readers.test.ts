import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import { readAnthropicStream } from './anthropic-stream.ts'
import { readOpenAIStream } from './openai-stream.ts'

/** Tests of the readers on which the strictness tests depend: they must fail for these streams. */

type Change = (events: JsonObject[]) => unknown

describe('of Anthropic streams', () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
  }
  const nothing = { container: null, diagnostics: null, stop_details: null }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage, ...nothing }
  const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, caller: { type: 'direct' } }
  const events = (): JsonObject[] => [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: call },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null, container: null, stop_details: null },
      usage,
    },
    { type: 'message_stop' },
  ]
  const read = (list: JsonObject[]) =>
    readAnthropicStream(
      list.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    )

  test('what is right passes', () => {
    expect(read(events()).blocks).toHaveLength(2)
  })

  test.each<[string, Change]>([
    ['no message_start', (list) => list.shift()],
    ['no usage in it', (list) => Object.assign(list[0] ?? {}, { message: { ...message, usage: null } })],
    ['no content_block_start', (list) => list.splice(1, 1)],
    ['no content_block_stop', (list) => list.splice(3, 1)],
    ['a gap in the indices', (list) => list.slice(4, 7).map((event) => Object.assign(event, { index: 2 }))],
    ['an empty text block', (list) => list.splice(2, 1)],
    ['a delta of another block', (list) => Object.assign(list[5] ?? {}, { index: 0 })],
    [
      'a delta of another type',
      (list) => Object.assign(list[2] ?? {}, { delta: { type: 'input_json_delta', partial_json: 'x' } }),
    ],
    ['blocks that interleave', (list) => list.splice(3, 0, ...list.splice(4, 1))],
    ['no message_delta', (list) => list.splice(7, 1)],
    [
      'usage within the delta',
      (list) => Object.assign(list[7] ?? {}, { delta: { stop_reason: 'x', usage }, usage: null }),
    ],
    ['no message_stop', (list) => list.pop()],
    ['something after the end', (list) => list.push({ type: 'message_stop' })],
  ])('%s does not', (_, change) => {
    const list = events()
    change(list)
    expect(() => read(list)).toThrow()
  })

  test.each<[string, (raw: string) => string]>([
    ['an event named otherwise', (raw) => raw.replace('event: message_stop', 'event: end')],
    ['no blank line at the end', (raw) => raw.trimEnd()],
    ['data over two lines', (raw) => raw.replace('data: {', 'data: {\ndata: ')],
  ])('%s does not', (_, change) => {
    const raw = events()
      .map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    expect(() => readAnthropicStream(change(raw))).toThrow()
  })
})

describe('of OpenAI streams', () => {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const first = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }
  const called = (call: JsonObject): JsonObject => chunk({ tool_calls: [call] })
  const chunks = (): JsonObject[] => [
    chunk({ role: 'assistant', content: '' }),
    called(first),
    called({ index: 0, function: { arguments: '{}' } }),
    chunk({}, 'tool_calls'),
  ]
  const read = (list: JsonObject[], end = 'data: [DONE]\n\n') =>
    readOpenAIStream(list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end)

  test('what is right passes', () => {
    expect(read(chunks()).calls).toHaveLength(1)
  })

  test.each<[string, Change]>([
    ['no role', (list) => list.shift()],
    ['the role twice', (list) => list.splice(1, 0, chunk({ role: 'assistant' }))],
    ['no type of the call', (list) => list.splice(1, 1, called({ ...first, type: null }))],
    ['no index', (list) => list.splice(2, 1, called({ function: { arguments: '{}' } }))],
    ['the name twice', (list) => list.splice(2, 1, called({ index: 0, function: { name: 'f', arguments: '{}' } }))],
    ['the id twice', (list) => list.splice(2, 1, called({ index: 0, id: 'call_1', function: { arguments: '{}' } }))],
    ['arguments as an object', (list) => list.splice(2, 1, called({ index: 0, function: { arguments: {} } }))],
    ['no finish_reason', (list) => list.pop()],
    ['something after the finish_reason', (list) => list.push(chunk({ content: 'x' }))],
    ['another id', (list) => Object.assign(list[2] ?? {}, { id: 'chatcmpl-2' })],
    ['usage that nobody asked for', (list) => Object.assign(list[2] ?? {}, { usage: null })],
  ])('%s does not', (_, change) => {
    const list = chunks()
    change(list)
    expect(() => read(list)).toThrow()
  })

  test('no [DONE] does not, nor no usage where it was asked for', () => {
    expect(() => read(chunks(), '')).toThrow()
    const raw = chunks()
      .map((event) => `data: ${JSON.stringify({ ...event, usage: null })}\n\n`)
      .join('')
    expect(() => readOpenAIStream(`${raw}data: [DONE]\n\n`, { includeUsage: true })).toThrow()
  })
})
