import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { asksForLoadOnly, decode } from './decode.ts'

const hi = [{ role: 'user', content: 'hi' }]
const chat = (body: JsonObject) => decode({ model: 'm', messages: hi, ...body }, 'chat')
const text = (text: string) => ({ type: 'text', text })

describe('messages', () => {
  it('have images, thinking, calls and results', () => {
    const { conversation, stream, notices } = chat({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is it?', images: ['iVBORw0A', '/9j/AAAA', 'data:image/webp;base64,UklGR'] },
        {
          role: 'assistant',
          content: 'I look.',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }, { function: { name: 'g', arguments: {} } }],
        },
        { role: 'tool', content: '1', tool_name: 'f' },
        { role: 'tool', content: '2', tool_name: 'g' },
      ],
    })
    const image = (url: string) => ({ type: 'image', url })
    expect(conversation).toMatchObject({
      model: 'm',
      system: 'Be brief.',
      turns: [
        {
          role: 'user',
          parts: [
            text('What is it?'),
            image('data:image/png;base64,iVBORw0A'),
            image('data:image/jpeg;base64,/9j/AAAA'),
            image('data:image/webp;base64,UklGR'),
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            text('I look.'),
            { type: 'call', id: 'call_2_0', name: 'f', arguments: '{"a":1}' },
            { type: 'call', id: 'call_2_1', name: 'g', arguments: '{}' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'result', callId: 'call_2_0', name: 'f', content: [text('1')], isError: false },
            { type: 'result', callId: 'call_2_1', name: 'g', content: [text('2')], isError: false },
          ],
        },
      ],
    })
    expect({ stream, notices }).toEqual({ stream: true, notices: [] })
  })

  it.each<[string, JsonObject[], string[]]>([
    ['ids', [{ tool_call_id: 'b' }, { tool_call_id: 'a' }], ['b', 'a']],
    ['names', [{ tool_name: 'f' }, { tool_name: 'f' }], ['a', 'b']],
    ['names in the older field', [{ name: 'f' }, { name: 'f' }], ['a', 'b']],
    ['their order', [{}, {}], ['a', 'b']],
    ['names where the ids are unknown', [{ tool_call_id: 'x', tool_name: 'f' }, {}], ['a', 'b']],
  ])('have results that are matched with calls by %s', (_, results, expected) => {
    const calls = ['a', 'b'].map((id) => ({ id, function: { name: 'f', arguments: {} } }))
    const { conversation } = chat({
      messages: [
        { role: 'assistant', content: '', tool_calls: calls },
        ...results.map((result) => ({ role: 'tool', content: 'x', ...result })),
      ],
    })
    const [, turn] = conversation.turns
    expect(turn?.role === 'user' && turn.parts.map((part) => part.type === 'result' && part.callId)).toEqual(expected)
  })
})

describe('settings', () => {
  it("are in options, and those about loading a model are the upstream's", () => {
    const options = {
      num_predict: 50,
      stop: ['END', ''],
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      seed: 1,
      presence_penalty: 1,
      frequency_penalty: 2,
      num_ctx: 8192,
    }
    const { conversation, notices } = chat({ options, keep_alive: '5m' })
    expect(conversation).toMatchObject({
      maxTokens: 50,
      stopSequences: ['END'],
      sampling: { temperature: 0, topP: 0.5, topK: 4, seed: 1, presencePenalty: 1, frequencyPenalty: 2 },
    })
    expect(notices).toEqual([])
    expect(chat({ options: { num_predict: -1, mirostat: 1 } })).toMatchObject({ notices: [{ code: 'field-unknown' }] })
    expect(chat({ options: { num_predict: -1 } }).conversation).not.toHaveProperty('maxTokens')
  })

  it.each<[string, JsonValue, object | undefined]>([
    ['think', true, { reasoning: { enabled: true } }],
    ['think', false, { reasoning: { enabled: false } }],
    ['think', 'high', { reasoning: { enabled: true, effort: 'high' } }],
    ['format', 'json', { responseFormat: { type: 'json' } }],
    ['format', { type: 'object' }, { responseFormat: { type: 'json-schema', schema: { type: 'object' } } }],
    ['tool_choice', 'none', { toolChoice: { type: 'none' } }],
    ['tool_choice', 'f', { toolChoice: { type: 'named', name: 'f' } }],
    ['tool_choice', { type: 'function', function: { name: 'f' } }, { toolChoice: { type: 'named', name: 'f' } }],
  ])('%s: %j', (field, value, expected) => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'F.', parameters: { type: 'object' } } }]
    expect(chat({ tools, [field]: value }).conversation).toMatchObject({
      tools: [{ name: 'f', description: 'F.', schema: { type: 'object' } }],
      ...expected,
    })
  })

  it.each(['think', 'format'])('%s may be empty', (field) => {
    expect(chat({ [field]: '' }).conversation).toMatchObject({ turns: [{ parts: [text('hi')] }] })
  })
})

it('reads a single prompt', () => {
  const { conversation, stream, notices } = decode(
    { model: 'm', prompt: 'hi', system: 'S', images: ['R0lGOD'], stream: false, raw: true, context: [1] },
    'generate',
  )
  expect(conversation).toMatchObject({
    system: 'S',
    turns: [{ role: 'user', parts: [text('hi'), { type: 'image', url: 'data:image/gif;base64,R0lGOD' }] }],
  })
  expect(stream).toBe(false)
  expect(notices.map(({ code }) => code)).toEqual(['field-ignored', 'field-ignored'])
})

it('knows requests that only load a model', () => {
  expect([{ messages: [] }, {}, { messages: hi }].map((body) => asksForLoadOnly(body, 'chat'))).toEqual([
    true,
    true,
    false,
  ])
  expect([{ prompt: '' }, {}, { prompt: 'a' }].map((body) => asksForLoadOnly(body, 'generate'))).toEqual([
    true,
    true,
    false,
  ])
})

describe('what is refused', () => {
  it.each<[string, JsonObject]>([
    ['model', { model: '' }],
    ['model', { model: 7 }],
    ['messages', { messages: [{ role: 'user', content: '' }] }],
    ['messages', { messages: 'hi' }],
    ['messages[0]', { messages: [7] }],
    ['messages[0].role', { messages: [{ role: 'wizard' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: [] }] }],
    ['messages[0].images[0]', { messages: [{ role: 'user', content: 'x', images: ['AAAA'] }] }],
    ['messages[0]', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].tool_calls[0].function', { messages: [{ role: 'assistant', content: '', tool_calls: [{}] }] }],
    ['tools', { tools: {} }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['options', { options: 7 }],
    ['options.temperature', { options: { temperature: 'hot' } }],
    ['options.num_predict', { options: { num_predict: 1.5 } }],
    ['think', { think: 7 }],
    ['format', { format: 7 }],
    ['stream', { stream: 'yes' }],
  ])('is named: %s in %j', (param, body) => {
    expect(() => chat(body)).toThrow(expect.objectContaining({ code: 'invalid-request', param }))
  })
})
