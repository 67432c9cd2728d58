import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import { decode } from './decode.ts'

const minimal = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const decodeWith = (fields: JsonObject) => decode({ ...minimal, ...fields })

function errorOf(body: unknown): AnycallError {
  try {
    decode(body)
  } catch (error) {
    if (error instanceof AnycallError) return error
    throw error
  }
  throw new Error('decoded without an error')
}

describe('decode', () => {
  it('reads the smallest request', () => {
    expect(decode(minimal)).toEqual({
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
      options: { includeUsage: false, functionCall: false, customTools: new Set() },
      notices: [],
    })
  })

  it('allows one call to a client that sent functions', () => {
    const functions = [{ name: 'f' }]
    const { conversation, options } = decodeWith({ functions, parallel_tool_calls: true })
    expect([conversation.parallelCalls, options.functionCall]).toEqual([false, true])
    const both = decodeWith({ functions, tools: [{ type: 'function', function: { name: 'g' } }] })
    expect([both.conversation.parallelCalls, both.options.functionCall]).toEqual([true, false])
  })

  it('takes a system message alone, and a message beside it that is empty', () => {
    const system = { role: 'system', content: 's' }
    expect(decodeWith({ messages: [system] }).conversation).toMatchObject({ system: 's', turns: [] })
    const { conversation } = decodeWith({ messages: [system, { role: 'user', content: '' }] })
    expect(conversation).toMatchObject({ system: 's', turns: [{ role: 'user', parts: [] }] })
  })

  it('reads each setting', () => {
    const { conversation, stream, options, notices } = decodeWith({
      stream: true,
      stream_options: { include_usage: true },
      parallel_tool_calls: false,
      max_completion_tokens: 20,
      max_tokens: 10,
      stop: ['a', 'b'],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      presence_penalty: 0.1,
      frequency_penalty: -0.1,
      seed: 7,
      reasoning_effort: 'high',
    })
    expect(conversation).toMatchObject({
      parallelCalls: false,
      maxTokens: 20,
      stopSequences: ['a', 'b'],
      sampling: { temperature: 0.5, topP: 0.9, topK: 40, presencePenalty: 0.1, frequencyPenalty: -0.1, seed: 7 },
      reasoning: { enabled: true, effort: 'high' },
    })
    expect(stream).toBe(true)
    expect(options).toEqual({ includeUsage: true, functionCall: false, customTools: new Set() })
    expect(notices).toEqual([])
  })

  it.each([
    ['max_tokens alone', { max_tokens: 10 }, 'maxTokens', 10],
    ['no bound, as LM Studio says it', { max_tokens: -1 }, 'maxTokens', undefined],
    ['stop as a string', { stop: 'x' }, 'stopSequences', ['x']],
    ['stop null', { stop: null }, 'stopSequences', []],
    ['an empty stop', { stop: ['', 'x'] }, 'stopSequences', ['x']],
    ['reasoning off', { reasoning_effort: 'none' }, 'reasoning', { enabled: false, effort: 'none' }],
    ['null settings', { temperature: null, seed: null, top_p: null }, 'sampling', {}],
  ] as const)('reads %s', (_, fields, field, expected) => {
    expect(decodeWith(fields as unknown as JsonObject).conversation[field]).toEqual(expected)
  })

  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  it.each<[unknown, unknown]>([
    [null, undefined],
    [{ type: 'text' }, undefined],
    [{ type: 'json_object' }, { type: 'json' }],
    // llama-server, Together, Fireworks.
    [
      { type: 'json_object', schema },
      { type: 'json-schema', schema },
    ],
    [
      { type: 'json_schema', schema },
      { type: 'json-schema', schema },
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema, strict: true } },
      { type: 'json-schema', name: 'n', description: 'd', schema, strict: true },
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n', description: null, schema, strict: null } },
      { type: 'json-schema', name: 'n', schema },
    ],
    [
      { type: 'json_schema', json_schema: { name: 'n' } },
      { type: 'json-schema', name: 'n', schema: { type: 'object' } },
    ],
  ])('reads the response format %j', (given, expected) => {
    const { conversation, notices } = decode({ ...minimal, response_format: given })
    expect(conversation.responseFormat).toEqual(expected)
    expect(notices).toEqual([])
  })

  it.each<[unknown, string]>([
    ['text', 'body'],
    [[minimal], 'body'],
    [null, 'body'],
    [{ ...minimal, model: undefined }, 'model'],
    [{ ...minimal, model: '' }, 'model'],
    [{ ...minimal, model: 3 }, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: [] }, 'messages'],
    [{ model: 'm', messages: 'hi' }, 'messages'],
    [{ ...minimal, max_tokens: '10' }, 'max_tokens'],
    [{ ...minimal, max_tokens: 0 }, 'max_tokens'],
    [{ ...minimal, max_completion_tokens: 1.5 }, 'max_completion_tokens'],
    [{ ...minimal, max_completion_tokens: 5, max_tokens: 'x' }, 'max_tokens'],
    [{ ...minimal, temperature: 'hot' }, 'temperature'],
    [{ ...minimal, seed: true }, 'seed'],
    [{ ...minimal, stop: 3 }, 'stop'],
    [{ ...minimal, stop: ['a', 3] }, 'stop[1]'],
    [{ ...minimal, stream: 'yes' }, 'stream'],
    [{ ...minimal, stream_options: true }, 'stream_options'],
    [{ ...minimal, stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
    [{ ...minimal, parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ ...minimal, reasoning_effort: 3 }, 'reasoning_effort'],
    [{ ...minimal, n: 'two' }, 'n'],
    [{ ...minimal, n: 2 }, 'n'],
    [{ ...minimal, response_format: 'json' }, 'response_format'],
    [{ ...minimal, response_format: {} }, 'response_format.type'],
    [{ ...minimal, response_format: { type: 'grammar' } }, 'response_format.type'],
    [{ ...minimal, response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [{ ...minimal, response_format: { type: 'json_schema', json_schema: [] } }, 'response_format.json_schema'],
    [
      { ...minimal, response_format: { type: 'json_schema', json_schema: { schema: 'x' } } },
      'response_format.json_schema.schema',
    ],
    [
      { ...minimal, response_format: { type: 'json_schema', json_schema: { name: 1, schema: {} } } },
      'response_format.json_schema.name',
    ],
    [
      { ...minimal, response_format: { type: 'json_schema', json_schema: { strict: 'yes', schema: {} } } },
      'response_format.json_schema.strict',
    ],
    [{ ...minimal, response_format: { type: 'json_object', schema: true } }, 'response_format.schema'],
    [{ ...minimal, tools: [{ type: 'function', function: { name: 'f', strict: 1 } }] }, 'tools[0].function.strict'],
    [{ ...minimal, verbosity: 'loud' }, 'verbosity'],
  ])('refuses %j at %s', (body, param) => {
    const error = errorOf(body)
    expect(error.code).toBe('invalid-request')
    expect(error.param).toBe(param)
    expect(error.message.startsWith(`${param}: `)).toBe(true)
  })

  it.each([
    ['low', /^Be kind\.\n\n.*short/],
    ['medium', /^Be kind\.$/],
    ['high', /^Be kind\.\n\n.*detail/],
  ])('says verbosity %s in the system prompt', (verbosity, system) => {
    const messages = [{ role: 'system', content: 'Be kind.' }, ...minimal.messages]
    const { conversation, notices } = decodeWith({ verbosity, messages })
    expect(conversation.system).toMatch(system)
    expect(notices).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { '50256': -100 } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['web_search_options', { web_search_options: {} }],
  ])('reports that %s is ignored', (field, fields) => {
    const { notices } = decodeWith(fields)
    expect(notices.map((notice) => notice.code)).toEqual(['field-ignored'])
    expect(notices[0]?.message.startsWith(`${field}: `)).toBe(true)
  })

  it('says nothing of fields that ask for nothing', () => {
    const { notices } = decodeWith({
      n: 1,
      response_format: { type: 'text' },
      logprobs: false,
      top_logprobs: 0,
      logit_bias: {},
      modalities: ['text'],
      audio: null,
      user: 'u',
      metadata: { a: 'b' },
      store: false,
      service_tier: 'auto',
      prompt_cache_key: 'k',
      safety_identifier: 's',
    })
    expect(notices).toEqual([])
  })

  it('names all unknown fields in one notice of bounded length', () => {
    const few = decodeWith({ min_p: 0.1, repetition_penalty: 1.1 }).notices
    expect(few).toEqual([{ code: 'field-unknown', message: expect.stringContaining('min_p, repetition_penalty') }])
    const many = decodeWith(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, 1]))).notices
    expect(many).toHaveLength(1)
    expect(many[0]?.message).toContain('980 more')
  })

  it('takes __proto__ and the names of Object.prototype as data', () => {
    const body: unknown = JSON.parse(
      '{"model":"m","messages":[{"role":"user","content":"hi","__proto__":{"role":"tool"}}],' +
        '"__proto__":{"stream":true},"constructor":1,"tools":[{"type":"function","function":' +
        '{"name":"__proto__","parameters":{"properties":{"__proto__":{"type":"string"}}}}}],' +
        '"tool_choice":{"type":"function","function":{"name":"__proto__"}}}',
    )
    const { conversation, stream, notices } = decode(body)
    expect(stream).toBe(false)
    expect(conversation.toolChoice).toEqual({ type: 'named', name: '__proto__' })
    expect(JSON.stringify(conversation.tools[0]?.schema)).toBe('{"properties":{"__proto__":{"type":"string"}}}')
    expect(notices.map((notice) => notice.message).join()).toContain('__proto__, constructor')
    expect(Object.hasOwn(Object.prototype, 'stream')).toBe(false)
  })

  it('throws nothing but AnycallError, whatever the body', () => {
    const field = fc.constantFrom(
      ...['model', 'messages', 'role', 'content', 'tools', 'type', 'function', 'name', 'tool_calls', 'tool_choice'],
      ...['arguments', 'tool_call_id', 'stop', 'stream_options', 'allowed_tools', 'image_url', 'url', '__proto__'],
    )
    const word = fc.constantFrom('user', 'assistant', 'tool', 'system', 'function', 'text', 'required', 'image_url')
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(word, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(field, tie('json'), { maxKeys: 6 }),
      ),
    }))
    const messages = fc.array(fc.dictionary(field, json, { maxKeys: 6 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.oneof(json, fc.record({ model: fc.constant('m'), messages, tools: json, tool_choice: json })),
        (body) => {
          try {
            decode(body)
          } catch (error) {
            expect(error).toBeInstanceOf(AnycallError)
            expect(error).toMatchObject({ code: 'invalid-request', param: expect.any(String) })
          }
        },
      ),
    )
  })
})
