import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { AnycallError, type JsonObject } from '../../../conversation/index.ts'
import { decodeCountTokens, decodeRequest } from './decode.ts'

const minimal = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('a request', () => {
  it('needs a model and a message only', () => {
    expect(decodeRequest(minimal)).toEqual({
      conversation: {
        model: 'm',
        system: '',
        turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
        tools: [],
        toolChoice: { type: 'auto' },
        parallelCalls: true,
        stopSequences: [],
        sampling: {},
      },
      stream: false,
      hidesReasoning: true,
      options: {},
      notices: [],
    })
  })

  it('is read as Claude Code sends it, without a notice', () => {
    const decoded = decodeRequest({
      model: 'dummy-model',
      max_tokens: 32000,
      stream: true,
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.3a1; cc_entrypoint=sdk-cli;' },
        { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
        { role: 'system', content: 'Agents: none' },
      ],
      tools: [{ name: 'Bash', description: 'Runs a command', input_schema: { type: 'object' } }],
      metadata: { user_id: '{"device_id":"x"}' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
    })
    expect(decoded.notices).toEqual([])
    expect(decoded.stream).toBe(true)
    expect(decoded.conversation).toMatchObject({
      system: 'You are an agent.',
      maxTokens: 32000,
      reasoning: { enabled: true, effort: 'high' },
      turns: [{ role: 'user' }, { role: 'system', text: 'Agents: none' }],
      tools: [{ name: 'Bash' }],
    })
  })

  it('reads limits and sampling', () => {
    const { conversation } = decodeRequest({
      ...minimal,
      max_tokens: 100,
      stop_sequences: ['END', ''],
      temperature: 0,
      top_p: 0.9,
      top_k: 40,
    })
    expect(conversation).toMatchObject({
      maxTokens: 100,
      stopSequences: ['END'],
      sampling: { temperature: 0, topP: 0.9, topK: 40 },
    })
  })

  it.each<[string, object, unknown]>([
    ['nothing said', {}, undefined],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 31999 } }, { enabled: true, budgetTokens: 31999 }],
    ['adaptive', { thinking: { type: 'adaptive' } }, { enabled: true }],
    ['disabled', { thinking: { type: 'disabled' } }, { enabled: false }],
    ['an effort alone', { output_config: { effort: 'low' } }, { enabled: true, effort: 'low' }],
    [
      'disabled, with an effort',
      { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
      { enabled: false, effort: 'low' },
    ],
    ['nulls', { thinking: null, output_config: { effort: null } }, undefined],
  ])('reasoning: %s', (_name, fields, reasoning) => {
    const decoded = decodeRequest({ ...minimal, ...fields })
    expect(decoded.conversation.reasoning).toEqual(reasoning)
    expect(decoded.notices).toEqual([])
  })

  it('names all fields without effect in one notice', () => {
    const { notices } = decodeRequest({
      ...minimal,
      mcp_servers: [],
      container: null,
      zzz: 1,
      service_tier: 'auto',
    })
    expect(notices).toHaveLength(1)
    expect(notices[0]?.code).toBe('field-ignored')
    expect(notices[0]?.message).toMatch(/: "mcp_servers", "zzz"$/)
  })

  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  const format = { type: 'json_schema', schema }
  it.each<[string, JsonObject, unknown]>([
    ['in its place', { output_config: { format } }, { type: 'json-schema', schema }],
    ['beside an effort', { output_config: { format, effort: 'low' } }, { type: 'json-schema', schema }],
    ['in its beta', { output_format: format }, { type: 'json-schema', schema }],
    ['null', { output_config: { format: null }, output_format: null }, undefined],
  ])('reads a format of the reply: %s', (_name, fields, expected) => {
    const decoded = decodeRequest({ ...minimal, ...fields })
    expect(decoded.conversation.responseFormat).toEqual(expected)
    expect(decoded.notices).toEqual([])
  })

  it('reports a kind of thinking that it does not know', () => {
    const { conversation, notices } = decodeRequest({ ...minimal, thinking: { type: 'dreaming' } })
    expect(conversation.reasoning).toBeUndefined()
    expect(notices.map((notice) => notice.code)).toEqual(['field-ignored'])
  })

  it.each<[string, unknown, string]>([
    ['a body that is no object', [], 'body: expected an object, got an array'],
    ['no model', { messages: minimal.messages }, 'model: expected a string, got nothing'],
    ['an empty model', { ...minimal, model: '' }, 'model: expected the name of a model'],
    ['no messages', { model: 'm' }, 'messages: expected an array, got nothing'],
    ['empty messages', { model: 'm', messages: [] }, 'messages: expected at least one message'],
    [
      'a message without content, whatever the system prompt',
      { model: 'm', system: 's', messages: [{ role: 'user', content: '' }] },
      'messages: none of them has any content',
    ],
    ['messages that are no array', { model: 'm', messages: 'hi' }, 'messages: expected an array'],
    ['max_tokens as text', { ...minimal, max_tokens: '5' }, 'max_tokens: expected a number, got the string "5"'],
    ['a format as text', { ...minimal, output_format: 'json' }, 'output_format: expected an object'],
    [
      'a format of another type',
      { ...minimal, output_config: { format: { type: 'regex' } } },
      'output_config.format.type: expected "json_schema", got the string "regex"',
    ],
    [
      'a format without a schema',
      { ...minimal, output_config: { format: { type: 'json_schema' } } },
      'output_config.format.schema: expected an object, got nothing',
    ],
    [
      'a strictness as text',
      { ...minimal, tools: [{ name: 'f', input_schema: {}, strict: 'yes' }] },
      'tools[0].strict: expected true or false',
    ],
    ['max_tokens of 0', { ...minimal, max_tokens: 0 }, 'max_tokens: expected a whole number of at least 1, got 0'],
    ['half a token', { ...minimal, max_tokens: 1.5 }, 'max_tokens: expected a whole number of at least 1, got 1.5'],
    ['stream as text', { ...minimal, stream: 'yes' }, 'stream: expected true or false'],
    ['one stop sequence', { ...minimal, stop_sequences: 'END' }, 'stop_sequences: expected an array'],
    ['a stop sequence of 1', { ...minimal, stop_sequences: ['a', 1] }, 'stop_sequences[1]: expected a string'],
    ['a hot word', { ...minimal, temperature: 'hot' }, 'temperature: expected a number'],
    ['a system of 1', { ...minimal, system: 1 }, 'system: expected a string or an array of content blocks'],
    ['thinking as a word', { ...minimal, thinking: 'enabled' }, 'thinking: expected an object'],
  ])('is refused with %s', (_name, body, message) => {
    expect(() => decodeRequest(body)).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    expect(() => decodeRequest(body)).toThrow(message)
  })

  it('takes keys of every object’s prototype as data', () => {
    const body: unknown = JSON.parse(
      '{"model":"m","__proto__":{"stream":true},"constructor":1,"messages":[{"role":"user","content":"hi","__proto__":{"role":"x"}}]}',
    )
    const { stream, notices } = decodeRequest(body)
    expect(stream).toBe(false)
    expect(notices[0]?.message).toContain('"__proto__", "constructor"')
  })

  it('whatever it holds, is read or refused as an invalid request', () => {
    const words = fc.constantFrom(
      'text',
      'image',
      'document',
      'thinking',
      'tool_use',
      'tool_result',
      'user',
      'assistant',
      'system',
      'auto',
      'tool',
      'a',
    )
    const keys = fc.constantFrom(
      'type',
      'role',
      'content',
      'text',
      'source',
      'data',
      'id',
      'name',
      'input',
      'tool_use_id',
      'thinking',
      'x',
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        words,
        fc.constantFrom(null, 0, true),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
    }))
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.array(fc.oneof(value, fc.dictionary(keys, value))),
    })
    const body = fc.record(
      {
        model: fc.constant('m'),
        messages: fc.oneof(fc.array(message, { maxLength: 4 }), value),
        system: value,
        tools: value,
        tool_choice: value,
        thinking: value,
        output_config: value,
      },
      { requiredKeys: ['model', 'messages'] },
    )
    fc.assert(
      fc.property(body, (sent) => {
        try {
          decodeRequest(sent)
        } catch (error) {
          expect(error).toBeInstanceOf(AnycallError)
          expect(error).toMatchObject({ code: 'invalid-request', param: expect.any(String) })
        }
      }),
      { numRuns: 30 * lawRuns },
    )
  })
})

describe('a message thread', () => {
  const thread = { type: 'continue', previous_message_id: 'msg_1' }

  it('may begin', () => {
    const { notices, conversation } = decodeRequest({ ...minimal, thread: { type: 'create' } })
    expect(notices).toEqual([])
    expect(conversation.turns).toHaveLength(1)
  })

  it.each<[string, (body: object) => unknown, object]>([
    ['with a message', decodeRequest, { ...minimal, thread }],
    ['without a message', decodeRequest, { ...minimal, messages: [], thread }],
    ['in a count of tokens', decodeCountTokens, { ...minimal, thread }],
  ])('cannot be continued %s: what came before is not kept', (_name, decode, body) => {
    expect(() => decode(body)).toThrow(
      expect.objectContaining({ code: 'not-found', param: 'thread.previous_message_id' }),
    )
  })
})

describe('a count of tokens', () => {
  it.each<[string, object]>([
    ['tools only', { tools: [{ name: 'a', input_schema: {} }] }],
    ['system only', { system: 'be brief', messages: [] }],
    ['messages', { messages: minimal.messages }],
  ])('may be asked for with %s', (_name, fields) => {
    const { conversation } = decodeCountTokens({ model: 'm', ...fields })
    expect(conversation.maxTokens).toBeUndefined()
    expect(conversation.turns.length + conversation.tools.length + conversation.system.length).toBeGreaterThan(0)
  })

  it('checks what is there', () => {
    expect(() => decodeCountTokens({ model: 'm', messages: 'x' })).toThrow('messages: expected an array')
    expect(() => decodeCountTokens({})).toThrow('model: expected a string, got nothing')
  })
})
