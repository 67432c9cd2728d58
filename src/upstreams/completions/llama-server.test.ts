import { describe, expect, it } from 'vitest'
import { sse } from '../../../test/stand-ins/http-stand-in.ts'
import {
  contextOf,
  generated,
  otherThanText,
  promptRequest,
  textOf,
} from '../../../test/support/upstreams/generation.ts'
import { gbnf, start, transport } from '../../../test/support/upstreams/llama-server.ts'
import type { Conversation } from '../../conversation/index.ts'
import { analyzeTemplate, templateDialect } from '../../templates/index.ts'
import type { ChatMessage } from '../upstream.ts'
import { createLlamaServerUpstream } from './llama-server.ts'

const conversation: Conversation = {
  model: 'obedient',
  system: '',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Call get_weather with {"city": "Paris"}, please.' }] }],
  tools: [
    {
      name: 'get_weather',
      description: 'Tells the weather.',
      schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    { name: 'get_time', description: 'Tells the time.', schema: { type: 'object', properties: {} } },
  ],
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  stopSequences: [],
  sampling: {},
}

describe('a prompt', () => {
  it('is sent with all that the request says, in the names of the endpoint', async () => {
    const { upstream, sent } = await start({ write: () => 'Fine.' })
    await generated(
      upstream,
      promptRequest('<|im_start|>user\nHi', {
        maxTokens: 50,
        stops: ['<|im_end|>'],
        preservedTokens: ['<tool_call>', '</tool_call>'],
        sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
        constraint: gbnf({
          isLazy: true,
          triggers: [
            { type: 'word', value: '<tool_call>' },
            { type: 'word', value: 'call:' },
            { type: 'pattern', value: '(\\{"name")' },
          ],
          preservedTokens: ['<|python_tag|>'],
        }),
      }),
    )
    expect(sent('/completion').map(({ body }) => body)).toEqual([
      {
        model: 'obedient',
        prompt: '<|im_start|>user\nHi',
        stream: true,
        cache_prompt: true,
        return_tokens: false,
        response_fields: expect.arrayContaining(['content', 'stop', 'stop_type', 'timings']),
        n_predict: 50,
        temperature: 0,
        top_p: 0.5,
        top_k: 4,
        presence_penalty: 1,
        frequency_penalty: 2,
        seed: 3,
        // It holds from the beginning on, and leaves text free until a trigger.
        grammar: expect.stringMatching(/^root ::= t-\S+ from-trigger\?\n[\s\S]*\nfrom-trigger ::= "yes" \| "no"\n/),
        // With a trigger that is one token, and a stop that may be.
        preserved_tokens: ['<tool_call>', '</tool_call>', '<|python_tag|>', 'call:', '<|im_end|>'],
      },
    ])
  })

  it('holds nothing that was not said', async () => {
    const { upstream, sent } = await start()
    await generated(upstream, promptRequest('Hi'))
    expect(Object.keys(sent('/completion')[0]?.body ?? {})).toEqual([
      'model',
      'prompt',
      'stream',
      'cache_prompt',
      'return_tokens',
      'response_fields',
    ])
  })

  it('whose grammar is lazy and never begins goes without it', async () => {
    const { upstream, sent } = await start({ write: () => 'Fine.' })
    const events = await generated(upstream, promptRequest('Hi', { constraint: gbnf({ isLazy: true }) }))
    expect(textOf(events)).toBe('Fine.')
    expect(sent('/completion')[0]?.body).not.toHaveProperty('grammar')
  })

  it.each([
    ['with its first token, where the server adds it', true, '<s>Hi', '<s>Hi'],
    ['without it, where the server adds it', true, 'Hi', '<s>Hi'],
    ['with its first token, where the server adds none', false, '<s>Hi', '<s>Hi'],
    ['without it, where the server adds none', false, 'Hi', 'Hi'],
  ])('%s', async (_, addsBos, prompt, seen) => {
    const { server, upstream } = await start({ addsBos })
    await generated(upstream, promptRequest(prompt))
    expect(server.prompts).toEqual([seen])
  })

  it('of a model without such a token is left as it is', async () => {
    const { server, upstream } = await start({ props: { bos_token: '' }, addsBos: false })
    await generated(upstream, promptRequest('<s>Hi'))
    expect(server.prompts).toEqual(['<s>Hi'])
  })
})

describe('a reply to a prompt', () => {
  it('comes as text, usage and a finish', async () => {
    const { upstream } = await start({ write: () => 'Hello there ✓' })
    const events = await generated(upstream, promptRequest('One two three'))
    expect(textOf(events)).toBe('Hello there ✓')
    // The model's first token and three words; a piece for each of the reply's, and the one that ends it.
    expect(otherThanText(events)).toEqual([
      { type: 'usage', usage: { inputTokens: 4, outputTokens: 4, cachedTokens: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
    const again = await generated(upstream, promptRequest('One two four'))
    expect(otherThanText(again)[0]).toMatchObject({ usage: { cachedTokens: 3 } })
  })

  const lazy = { ...gbnf({ isLazy: true, triggers: [{ type: 'word', value: '<call>' }] }) }
  const whole = gbnf({ grammar: 'root ::= [^x]*\n' })
  const chunk = (content: string, at: number) =>
    sse({ content, stop: false, tokens_predicted: at, tokens_evaluated: 4 })
  const last = sse({ content: '', stop: true, stop_type: 'eos', tokens_predicted: 9, tokens_evaluated: 4 })

  it.each<[string, object, string[], string, number]>([
    ['in text', { constraint: lazy }, ['Hi', '<|e', 'nd|>', 'User: Hi'], 'Hi', 4],
    ['that is the token which ended the reply', { constraint: lazy }, ['Hi', '<|end|>'], 'Hi', 9],
    ['in a call', { constraint: lazy }, ['<call>"', '<|end|>', '"</call>'], '<call>"<|end|>"</call>', 9],
    ['after a call, as the token which ended the reply', { constraint: lazy }, ['<ca', 'll>', '<|end|>'], '<call>', 9],
    ['in a piece that a call begins in', { constraint: lazy }, ['a<call><|end|>b'], 'a<call><|end|>b', 9],
    ['before a call', { constraint: lazy }, ['a<|end|><call>', 'b'], 'a', 2],
    ['in a reply that is a call', { constraint: whole }, ['a', '<|end|>', 'b', '<|end|>'], 'a<|end|>b', 9],
  ])('has a stop %s', async (_, more, pieces, text, outputTokens) => {
    const body = [...pieces.map((piece, at) => chunk(piece, at + 1)), last]
    const { upstream, sent } = await start({
      answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces: body } : undefined),
    })
    const events = await generated(upstream, promptRequest('Hi', { ...more, stops: ['<|end|>'] }))
    expect(textOf(events)).toBe(text)
    expect(otherThanText(events)).toEqual([
      { type: 'usage', usage: { inputTokens: 4, outputTokens } },
      { type: 'finish', reason: 'stop' },
    ])
    // The server would find it in a call's arguments as well.
    expect(sent('/completion')[0]?.body).not.toHaveProperty('stop')
    expect(sent('/completion')[0]?.body).toMatchObject({ preserved_tokens: expect.arrayContaining(['<|end|>']) })
  })

  it('that the token limit cuts in a call keeps a stop that it ends with', async () => {
    const cut = sse({ content: '', stop: true, stop_type: 'limit', tokens_predicted: 2, tokens_evaluated: 4 })
    const { upstream } = await start({
      answer: ({ path }) =>
        path === '/completion' ? { type: 'stream', pieces: [chunk('<call>', 1), chunk('<|end|>', 2), cut] } : undefined,
    })
    const events = await generated(upstream, promptRequest('Hi', { constraint: lazy, stops: ['<|end|>'] }))
    expect(textOf(events)).toBe('<call><|end|>')
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it.each([
    ['the end of the turn', {}, 'one two', 'stop'],
    ['a stop', { stops: [' two'] }, 'one', 'stop'],
    ['a stop that is a special token', { stops: ['<|im_end|>'] }, 'one two', 'stop'],
    ['the token limit', { maxTokens: 1 }, 'one', 'length'],
  ])('ends at %s', async (_, more, text, reason) => {
    const { upstream } = await start({ write: () => 'one two' })
    const events = await generated(upstream, promptRequest('Hi', more))
    expect(textOf(events)).toBe(text)
    expect(events.at(-1)).toEqual({ type: 'finish', reason })
  })

  it.each([
    ['are shown where they are to be preserved', ['<tool_call>'], '<tool_call>x'],
    ['are dropped by the server where they are not', [], 'x'],
  ])('special tokens %s', async (_, preservedTokens, text) => {
    const { upstream } = await start({ write: () => '<tool_call>x' })
    expect(textOf(await generated(upstream, promptRequest('Hi', { preservedTokens })))).toBe(text)
  })

  it.each([
    ['cache_n', { cache_n: 7, prompt_n: 3 }, 7],
    ['prompt_n alone, of older servers', { prompt_n: 3 }, 7],
    ['no timings', undefined, undefined],
  ])('tells the cached tokens by %s', async (_, timings, cachedTokens) => {
    const last = {
      content: 'a',
      stop: true,
      stop_type: 'eos',
      tokens_evaluated: 10,
      tokens_predicted: 1,
      tokens_cached: 10,
    }
    const body = timings === undefined ? last : { ...last, timings }
    const { upstream } = await start({
      answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces: [sse(body)] } : undefined),
    })
    const [, usage] = await generated(upstream, promptRequest('Hi'))
    const known = { inputTokens: 10, outputTokens: 1 }
    expect(usage).toEqual({ type: 'usage', usage: cachedTokens === undefined ? known : { ...known, cachedTokens } })
  })

  it('may come whole', async () => {
    const body = { content: 'whole', stop: true, stop_type: 'limit', tokens_evaluated: 3, tokens_predicted: 1 }
    const { upstream } = await start({
      answer: ({ path }) => (path === '/completion' ? { type: 'json', status: 200, body } : undefined),
    })
    expect(await generated(upstream, promptRequest('Hi'))).toEqual([
      { type: 'text', text: 'whole' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 1 } },
      { type: 'finish', reason: 'length' },
    ])
  })

  it('is held to the grammar of the template that the server shows', async () => {
    const { upstream, server } = await start()
    const template = await upstream.template?.('obedient', contextOf())
    if (!template) throw new Error('no template')
    const analysis = analyzeTemplate(template)
    const dialect = templateDialect(analysis)
    for (const toolChoice of [{ type: 'auto' }, { type: 'named', name: 'get_time' }] as const) {
      const asked = { ...conversation, toolChoice }
      const rendered = dialect.safeRenderPrompt(asked)
      if (rendered.type === 'error') throw new Error(rendered.message)
      const { tools, parallelCalls } = conversation
      const policy = { tools, parallelCalls, toolChoice }
      const grammar = dialect.grammar({ ...policy, begun: rendered.begun })
      if (!grammar) throw new Error('no grammar')
      const { text, begun } = rendered
      const { stops, preservedTokens } = grammar
      const events = await generated(
        upstream,
        promptRequest(text, { stops, preservedTokens, constraint: { type: 'gbnf', grammar } }),
      )
      const reader = dialect.createReader({ ...policy, begun, newCallId: () => 'id' })
      const read = [...reader.push(textOf(events)), ...reader.end('stop')]
      const name = toolChoice.type === 'auto' ? 'get_weather' : 'get_time'
      expect(read.filter(({ type }) => type === 'call-start' || type === 'notice')).toEqual([
        { type: 'call-start', index: 0, id: 'id', name },
      ])
    }
    expect(server.prompts.map((prompt) => prompt.split('<s>').length - 1)).toEqual([1, 1])
  })
})

describe('its chat API', () => {
  it('takes messages', async () => {
    const { upstream, sent } = await start()
    const parts = [{ type: 'text' as const, text: 'Hi' }]
    const events = await generated(upstream, {
      type: 'messages',
      model: 'obedient',
      messages: [{ role: 'user', parts }],
      sampling: {},
    })
    expect(textOf(events)).toContain('You said: Hi')
    expect(sent('/v1/chat/completions')).toHaveLength(1)
  })

  it.each([
    ['auto', { type: 'auto' }, ['get_weather', 'get_time'], undefined, 'get_weather'],
    ['required', { type: 'required' }, ['get_weather', 'get_time'], 'required', 'get_weather'],
    // It would take the object for `auto`.
    ['named', { type: 'named', name: 'get_time' }, ['get_time'], 'required', 'get_time'],
  ] as const)('takes tools: %s', async (_, toolChoice, offered, said, called) => {
    const { upstream, sent } = await start()
    const events = await generated(upstream, {
      type: 'tools',
      model: 'obedient',
      conversation: { ...conversation, toolChoice },
      sampling: {},
    })
    expect(sent('/v1/chat/completions')[0]?.body).toMatchObject({
      tools: offered.map((name) => ({ function: { name } })),
    })
    expect(sent('/v1/chat/completions')[0]?.body.tool_choice).toBe(said)
    expect(events.find(({ type }) => type === 'call')).toMatchObject({ index: 0, name: called })
    expect(events).toContainEqual({ type: 'finish', reason: 'stop' })
  })
})

describe('a url', () => {
  it('is told in both ways that the model is not to think', async () => {
    const { upstream, sent } = await start()
    const messages: ChatMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
    for (const reasoning of [{ enabled: false }, { enabled: true }, undefined]) {
      await generated(upstream, {
        type: 'messages',
        model: 'obedient',
        messages,
        sampling: {},
        ...(reasoning && { reasoning }),
      })
    }
    expect(sent('/v1/chat/completions').map(({ body }) => [body.reasoning_effort, body.chat_template_kwargs])).toEqual([
      ['none', { enable_thinking: false, thinking: false }],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it.each(['', '/', '/v1', '/v1/', '/completion', '/v1/chat/completions'])(
    'that ends in %j reaches it',
    async (end) => {
      const { server, sent } = await start()
      const upstream = createLlamaServerUpstream({ name: 'local', url: server.url + end, transport })
      await generated(upstream, promptRequest('Hi'))
      await upstream.models()
      expect([sent('/completion').length, sent('/v1/models').length]).toEqual([1, 1])
    },
  )

  it('may have a path before it', () => {
    const upstream = createLlamaServerUpstream({
      name: 'local',
      url: 'http://127.0.0.1:1/llama/v1',
      transport,
      retries: 0,
    })
    return expect(upstream.models()).rejects.toThrow('http://127.0.0.1:1/llama/v1/models')
  })
})
