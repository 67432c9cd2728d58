import { describe, expect, it } from 'vitest'
import type { FinishReason, Reply, ReplyPart, Usage } from '../../../conversation/index.ts'
import type { ReplyContext } from '../../protocol.ts'
import { encodeReply, thinkingSignature } from './encode.ts'

const context: ReplyContext<Record<string, never>> = {
  id: 'msg_1',
  model: 'claude-x',
  requestId: 'req_1',
  created: 0,
  estimateInputTokens: () => 50,
  options: {},
}

function reply(parts: ReplyPart[], reason: FinishReason = 'stop', usage?: Usage): Reply {
  return { parts, notices: [], finish: { type: 'finish', reason, ...(usage && { usage }) } }
}

const text = (value: string) => ({ type: 'text' as const, text: value })
/** A text block with the members that the schema of replies requires. */
const shownText = (value: string) => ({ ...text(value), citations: [] })
const call = (json: string, complete = true): ReplyPart => ({
  type: 'call',
  id: 'toolu_1',
  name: 'get_weather',
  arguments: json,
  complete,
})

function contentOf(...parts: ReplyPart[]): unknown {
  return encodeReply(reply(parts), context).content
}

describe('a whole reply', () => {
  it('is a message', () => {
    const encoded = encodeReply(
      reply([{ type: 'reasoning', text: 'hm' }, text('Let me look.'), call('{"city":"Oslo"}')], 'calls', {
        inputTokens: 100,
        outputTokens: 20,
        cachedTokens: 30,
      }),
      context,
    )
    expect(encoded).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [
        { type: 'thinking', thinking: 'hm', signature: thinkingSignature },
        shownText('Let me look.'),
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' }, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 70,
        output_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 30,
        output_tokens_details: null,
        server_tool_use: null,
        cache_creation: null,
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    })
  })

  it.each<[FinishReason, string]>([
    ['stop', 'end_turn'],
    ['calls', 'tool_use'],
    ['length', 'max_tokens'],
    ['stop-sequence', 'stop_sequence'],
    ['content-filter', 'refusal'],
  ])('that ended with %s says %s', (reason, stopReason) => {
    expect(encodeReply(reply([], reason), context).stop_reason).toBe(stopReason)
  })

  it('says which stop sequence ended it', () => {
    const ended: Reply = { ...reply([]), finish: { type: 'finish', reason: 'stop-sequence', stopSequence: 'END' } }
    expect(encodeReply(ended, context)).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
  })

  it('has no empty blocks, and no two texts where only an empty one stood between', () => {
    expect(contentOf(text(''), text('a'), { type: 'reasoning', text: '' }, text('b'))).toEqual([shownText('ab')])
  })

  it.each([
    ['cut off', call('{"city":"Os', false)],
    ['cut off where its JSON happens to be whole', call('{"city":"Oslo"}', false)],
    ['not an object', call('["Oslo"]')],
    ['not JSON', call('{city: Oslo}')],
  ])('shows a call that is %s as text, with what there is of it', (_name, part) => {
    const json = part.type === 'call' ? part.arguments : ''
    expect(contentOf(part)).toEqual([shownText(expect.stringContaining(json))])
    expect(contentOf(part)).toEqual([shownText(expect.stringContaining('get_weather'))])
  })

  it('takes no arguments at all as an empty object', () => {
    expect(contentOf(call(''))).toMatchObject([{ type: 'tool_use', input: {} }])
  })

  it('keeps a __proto__ argument as data', () => {
    expect(JSON.stringify(contentOf(call('{"__proto__":{"a":1}}')))).toContain('"input":{"__proto__":{"a":1}}')
  })
})

describe('usage', () => {
  it.each<[string, Usage | undefined, object]>([
    // 'get_weather' + '{}' + 'abcd' are 17 characters: 5 tokens at 4 characters each.
    ['not counted', undefined, { input_tokens: 50, output_tokens: 5, cache_read_input_tokens: 0 }],
    ['counted', { inputTokens: 9, outputTokens: 0 }, { input_tokens: 9, output_tokens: 0 }],
    ['of the reply only', { outputTokens: 7 }, { input_tokens: 50, output_tokens: 7 }],
    [
      'with more cached than read',
      { inputTokens: 5, cachedTokens: 8 },
      { input_tokens: 0, cache_read_input_tokens: 8 },
    ],
    [
      'read from a cache and written to it',
      { inputTokens: 44, cachedTokens: 30, cacheWriteTokens: 4 },
      { input_tokens: 10, cache_creation_input_tokens: 4, cache_read_input_tokens: 30 },
    ],
  ])('%s', (_name, usage, expected) => {
    expect(encodeReply(reply([text('abcd'), call('{}')], 'calls', usage), context).usage).toMatchObject(expected)
  })
})
