import type { MessageCreateParamsNonStreaming, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages'
import type { ChatCompletionCreateParams, ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { AnycallError, type Conversation, collectReply, type ReplyEvent } from '../conversation/index.ts'
import { parseToolCalls } from '../dialects/index.ts'
import {
  fromAnthropic,
  fromOpenAI,
  safeFromAnthropic,
  safeFromOpenAI,
  toAnthropic,
  toAnthropicMessage,
  toAssistantTurn,
  toOpenAI,
  toOpenAIMessage,
} from './index.ts'

const schema = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }

const openaiMessages: ChatCompletionMessageParam[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Weather here?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
]
const openaiTools: ChatCompletionTool[] = [
  { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: schema } },
]

const anthropicMessages: MessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Weather here?' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Paris' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'sunny' }] },
]
const anthropicTools: Tool[] = [{ name: 'get_weather', description: 'The weather', input_schema: schema }]

/** An image without `detail`, which only one of the APIs has. */
function withoutDetail(conversation: Conversation): unknown {
  return JSON.parse(JSON.stringify(conversation, (key, value: unknown) => (key === 'detail' ? undefined : value)))
}

describe('a history', () => {
  it('is the same conversation from either API', () => {
    const one = fromOpenAI({ messages: openaiMessages, tools: openaiTools })
    const other = fromAnthropic({ system: 'Be brief.', messages: anthropicMessages, tools: anthropicTools })
    expect(withoutDetail(one)).toEqual(other)
    expect(other).toMatchObject({
      model: '',
      system: 'Be brief.',
      turns: [
        { role: 'user', parts: [{ type: 'text' }, { type: 'image' }] },
        { role: 'assistant', parts: [{ type: 'text' }, { type: 'call', arguments: '{"city":"Paris"}' }] },
        { role: 'user', parts: [{ type: 'result', callId: 'c1', name: 'get_weather' }] },
      ],
      tools: [{ name: 'get_weather', description: 'The weather', schema }],
    })
  })

  it('comes back as it was', () => {
    const openai = toOpenAI(fromOpenAI({ messages: openaiMessages, tools: openaiTools }))
    expect(openai).toEqual({ messages: openaiMessages, tools: openaiTools })
    const anthropic = toAnthropic(fromAnthropic({ messages: anthropicMessages, tools: anthropicTools }))
    expect(anthropic).toEqual({ system: '', messages: anthropicMessages, tools: anthropicTools })
  })

  it('is what the SDKs of both APIs take', () => {
    const conversation = fromOpenAI({ messages: openaiMessages, tools: openaiTools, model: 'any' })
    const openai: ChatCompletionCreateParams = { model: 'm', ...toOpenAI(conversation) }
    const anthropic: MessageCreateParamsNonStreaming = { model: 'm', max_tokens: 9, ...toAnthropic(conversation) }
    expect([openai.messages.length, anthropic.messages.length]).toEqual([4, 3])
    expectTypeOf(fromOpenAI).toBeCallableWith(openai)
    expectTypeOf(fromAnthropic).toBeCallableWith(anthropic)
  })

  it.each([
    ['auto' as const, undefined, undefined],
    ['none' as const, 'none', { type: 'none' }],
    ['required' as const, 'required', { type: 'any' }],
  ])('keeps the choice %s', (tool_choice, openai, anthropic) => {
    const request = { messages: openaiMessages, tools: openaiTools, tool_choice, parallel_tool_calls: true }
    const conversation = fromOpenAI(request)
    expect(toOpenAI(conversation).tool_choice).toEqual(openai)
    expect(toAnthropic(conversation).tool_choice).toEqual(anthropic)
  })
})

describe('what is wrong in a history', () => {
  const user = { role: 'user', content: 'Hi' }
  it.each<[history: unknown, openai: string | undefined, anthropic: string | undefined]>([
    [undefined, 'body', 'body'],
    [{ messages: [] }, 'messages', 'messages'],
    [{ messages: [{ role: 'user', content: 1 }] }, 'messages[0].content', 'messages[0].content'],
    [{ messages: [user, { role: 'robot', content: 'Hi' }] }, 'messages[1].role', 'messages[1].role'],
    [{ messages: [user], model: 1 }, 'model', 'model'],
    [{ messages: [user], tools: [1] }, 'tools[0]', 'tools[0]'],
    [{ messages: [user] }, undefined, undefined],
  ])('%j', (history, openai, anthropic) => {
    for (const [safe, strict, param] of [
      [safeFromOpenAI, fromOpenAI, openai],
      [safeFromAnthropic, fromAnthropic, anthropic],
    ] as const) {
      const result = safe(history)
      if (param === undefined) {
        expect(result).toMatchObject({ type: 'conversation', conversation: { model: '' }, notices: [] })
        continue
      }
      expect(result).toMatchObject({ type: 'error', code: 'invalid-request', param })
      let thrown: unknown
      try {
        Reflect.apply(strict, undefined, [history])
      } catch (error) {
        thrown = error
      }
      expect(AnycallError.isInstance(thrown) && thrown.param).toBe(param)
    }
  })

  it('is a notice where the rest can be read', () => {
    const result = safeFromOpenAI({ messages: [user], logprobs: true })
    expect(result).toMatchObject({ type: 'conversation', notices: [{ code: 'field-ignored' }] })
  })
})

const written =
  '<think>Hm.</think>Let me look.<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'

async function collected(events: ReplyEvent[]) {
  return collectReply(
    (async function* () {
      yield events
    })(),
  )
}

describe('a reply', () => {
  const parsed = parseToolCalls(written, { tools: ['get_weather'], newCallId: () => 'c1', modelIds: false })

  it('is a message of either API, and a turn', () => {
    const openai: ChatCompletionMessageParam = toOpenAIMessage(parsed)
    const anthropic: MessageParam = toAnthropicMessage(parsed)
    const call = { name: 'get_weather', arguments: '{"city":"Paris"}' }
    expect(openai).toEqual({
      role: 'assistant',
      content: 'Let me look.',
      refusal: null,
      reasoning_content: 'Hm.',
      tool_calls: [{ id: 'c1', type: 'function', function: call }],
    })
    expect(anthropic).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Paris' } },
      ],
    })
    const turn = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'call', id: 'c1', ...call },
      ],
    }
    expect(toAssistantTurn(parsed)).toEqual(turn)
    // Read back, the messages are the turn.
    expect(fromOpenAI({ messages: [openai] }).turns).toEqual([turn])
    expect(fromAnthropic({ messages: [anthropic] }).turns).toEqual([turn])
  })

  it('has a call that broke off as text, as nothing will answer it', async () => {
    const reply = await collected([
      { type: 'text', text: 'So.' },
      { type: 'call-start', index: 0, id: 'c1', name: 'f' },
      { type: 'call-arguments', index: 0, json: '{"a": "b' },
      { type: 'call-end', index: 0, complete: false },
      { type: 'finish', reason: 'length' },
    ])
    const openai = toOpenAIMessage(reply)
    expect(openai.tool_calls).toBeUndefined()
    expect(openai.content).toContain('{"a": "b')
    expect(toAssistantTurn(reply).parts.map(({ type }) => type)).toEqual(['text', 'text'])
    expect(toAnthropicMessage(reply).content.map(({ type }) => type)).toEqual(['text'])
    expect(
      toOpenAIMessage({
        calls: [],
        incomplete: [{ id: 'c1', name: 'f', json: '{"a": "b' }],
        text: 'So.',
        reasoning: '',
      }),
    ).toEqual(openai)
  })
})
