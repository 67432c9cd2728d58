import { describe, expect, it } from 'vitest'
import type { FinishEvent, FinishReason, Reply, ReplyPart } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'
import type { OpenAIChatOptions } from './decode.ts'
import { encodeReply } from './encode.ts'

const context: ReplyContext<OpenAIChatOptions> = {
  id: 'chatcmpl-1',
  model: 'm',
  requestId: 'req_1',
  created: 1_700_000_000,
  estimateInputTokens: () => 12,
  options: { includeUsage: false, functionCall: false, customTools: new Set(['patch']) },
}
const reply = (parts: ReplyPart[], finish: Omit<FinishEvent, 'type'> = { reason: 'stop' }): Reply => ({
  parts,
  notices: [],
  finish: { type: 'finish', ...finish },
})
const call = (id: string, args: string, complete = true): ReplyPart => ({
  type: 'call',
  id,
  name: 'f',
  arguments: args,
  complete,
})
const toolCall = (id: string, args: string) => ({ id, type: 'function', function: { name: 'f', arguments: args } })
const messageOf = (parts: ReplyPart[], reason: FinishReason = 'stop') => {
  const whole = encodeReply(reply(parts, { reason }), context) as { choices: { message: unknown }[] }
  return whole.choices[0]?.message
}

describe('encodeReply', () => {
  it('gives the whole of a chat.completion', () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 5 }
    const parts: ReplyPart[] = [
      { type: 'reasoning', text: 'why' },
      { type: 'text', text: 'Look: ' },
      call('c1', '{"a":1}'),
      { type: 'text', text: 'done' },
      call('c2', '{}'),
    ]
    expect(encodeReply(reply(parts, { reason: 'calls', usage }), context)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Look: done',
            refusal: null,
            reasoning_content: 'why',
            tool_calls: [toolCall('c1', '{"a":1}'), toolCall('c2', '{}')],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    })
  })

  it('has null content when there are only calls', () => {
    expect(messageOf([call('c', '{}')], 'calls')).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [toolCall('c', '{}')],
    })
  })

  it('has empty content, and no list of calls, when the model said nothing', () => {
    expect(messageOf([])).toEqual({ role: 'assistant', content: '', refusal: null })
  })

  it('leaves the arguments of a call that broke off open', () => {
    expect(messageOf([call('c', '{"a":"x', false)], 'length')).toMatchObject({ tool_calls: [toolCall('c', '{"a":"x')] })
  })

  it.each<[FinishReason, string]>([
    ['stop', 'stop'],
    ['calls', 'tool_calls'],
    ['length', 'length'],
    ['stop-sequence', 'stop'],
    ['content-filter', 'content_filter'],
  ])('says %s as %s', (reason, expected) => {
    expect(encodeReply(reply([], { reason }), context)).toMatchObject({ choices: [{ finish_reason: expected }] })
  })

  it.each<[string, string]>([
    ['{"input":"a\\n\\"b\\""}', 'a\n"b"'],
    ['{"input":"a\\', 'a'],
    ['{"other":1}', '{"other":1}'],
  ])('gives a call of a custom tool with %s as its input', (args, input) => {
    const part: ReplyPart = { type: 'call', id: 'c', name: 'patch', arguments: args, complete: true }
    expect(messageOf([part, call('d', '{}')], 'calls')).toMatchObject({
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input } }, toolCall('d', '{}')],
    })
  })

  describe('for a client that sent functions', () => {
    const legacy = { ...context, options: { ...context.options, functionCall: true } }

    it('gives the call as function_call, and says so at the end', () => {
      const parts: ReplyPart[] = [{ type: 'text', text: 'Look' }, call('c', '{"a":1}')]
      expect(encodeReply(reply(parts, { reason: 'calls' }), legacy)).toMatchObject({
        choices: [
          {
            message: {
              role: 'assistant',
              content: 'Look',
              refusal: null,
              function_call: { name: 'f', arguments: '{"a":1}' },
            },
            finish_reason: 'function_call',
          },
        ],
      })
      expect(JSON.stringify(encodeReply(reply(parts), legacy))).not.toContain('tool_calls')
    })

    it('has no function_call without a call, and null content with nothing but one', () => {
      expect(JSON.stringify(encodeReply(reply([{ type: 'text', text: 'x' }]), legacy))).not.toContain('function_call')
      expect(encodeReply(reply([call('c', '{}')]), legacy)).toMatchObject({ choices: [{ message: { content: null } }] })
    })

    it.each<[FinishReason, string]>([
      ['stop', 'stop'],
      ['length', 'length'],
    ])('says %s as %s', (reason, expected) => {
      expect(encodeReply(reply([], { reason }), legacy)).toMatchObject({ choices: [{ finish_reason: expected }] })
    })
  })

  it('estimates the tokens that the upstream did not count', () => {
    const parts: ReplyPart[] = [{ type: 'reasoning', text: 'abc' }, { type: 'text', text: 'def' }, call('c', '{}')]
    // 3 + 3 characters of text, 1 of the name and 2 of the arguments: 9, at 4 a token, rounded up.
    expect(encodeReply(reply(parts), context)).toMatchObject({
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    })
    expect(encodeReply(reply(parts, { reason: 'stop', usage: { outputTokens: 7 } }), context)).toMatchObject({
      usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
    })
  })
})
