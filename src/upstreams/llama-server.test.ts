import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type EngineRequest, sse } from '../../test/stand-ins/engine-server.ts'
import {
  type LlamaServer,
  type LlamaServerOptions,
  refuse,
  startLlamaServer,
} from '../../test/stand-ins/llama-server.ts'
import { obedientTemplate } from '../../test/stand-ins/obedient-model.ts'
import type { Conversation } from '../conversation/index.ts'
import type { GbnfGrammar } from '../grammar/index.ts'
import { analyzeTemplate, templateDialect } from '../templates/index.ts'
import type { HttpApiOptions } from './http-api.ts'
import { createLlamaServerUpstream } from './llama-server.ts'
import { createNodeTransport } from './node-transport.ts'
import { contextOf, generated, otherThanText, promptRequest, textOf } from './test-generation.ts'
import type { Upstream } from './upstream.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

async function start(
  options: LlamaServerOptions = {},
  more: Partial<HttpApiOptions> = {},
): Promise<{ server: LlamaServer; upstream: Upstream; sent: (path: string) => EngineRequest[] }> {
  const server = await startLlamaServer(options)
  onTestFinished(() => server.close())
  const upstream = createLlamaServerUpstream({ name: 'local', url: server.url, transport, ...more })
  return { server, upstream, sent: (path) => server.requests.filter((request) => request.path === path) }
}

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

const gbnf = (more: Partial<GbnfGrammar> = {}): { type: 'gbnf'; grammar: GbnfGrammar } => ({
  type: 'gbnf',
  grammar: {
    grammar: 'root ::= "yes" | "no"\n',
    root: 'root',
    isLazy: false,
    triggers: [],
    preservedTokens: [],
    stops: [],
    widened: [],
    ...more,
  },
})

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
        stop: ['<|im_end|>'],
        temperature: 0,
        top_p: 0.5,
        top_k: 4,
        presence_penalty: 1,
        frequency_penalty: 2,
        seed: 3,
        grammar: 'root ::= "yes" | "no"\n',
        grammar_lazy: true,
        grammar_triggers: [
          { type: 1, value: '<tool_call>' },
          { type: 1, value: 'call:' },
          { type: 2, value: '(\\{"name")' },
        ],
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
      const rendered = dialect.renderPrompt(asked)
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

describe('a grammar that the server refuses', () => {
  const broken = gbnf({ grammar: 'root ::= (' })

  it('is left out, with a notice, and not sent again', async () => {
    const { upstream, sent } = await start({ write: () => 'Fine.' })
    const log = vi.fn()
    for (const _ of [1, 2]) {
      const events = await generated(upstream, promptRequest('Hi', { constraint: broken }), contextOf({ log }))
      expect(events[0]).toEqual({
        type: 'notice',
        notice: { code: 'constraint-refused', message: expect.stringContaining('failed to parse grammar') },
      })
      expect(textOf(events)).toBe('Fine.')
    }
    expect(sent('/completion').map(({ body }) => 'grammar' in body)).toEqual([true, false, false])
    expect(log.mock.calls.map(([level, event]) => [level, event])).toEqual([['warn', 'upstream.constraint-refused']])
  })

  it('keeps no other from being sent', async () => {
    const { upstream, sent } = await start({ write: () => 'yes' })
    await generated(upstream, promptRequest('Hi', { constraint: broken }))
    const events = await generated(upstream, promptRequest('Hi', { constraint: gbnf() }))
    expect(events[0]).toEqual({ type: 'text', text: 'yes' })
    expect(sent('/completion').map(({ body }) => 'grammar' in body)).toEqual([true, false, true])
  })

  it('is the last that is tried where all were refused', async () => {
    const { upstream, sent } = await start({
      answer: ({ path, body }) =>
        path === '/completion' && 'grammar' in body ? refuse(400, 'grammar is not supported here') : undefined,
    })
    for (let n = 0; n < 12; n++) {
      await generated(upstream, promptRequest('Hi', { constraint: gbnf({ grammar: `root ::= "${n}"` }) }))
    }
    expect(sent('/completion').filter(({ body }) => 'grammar' in body)).toHaveLength(8)
    expect(sent('/completion').filter(({ body }) => !('grammar' in body))).toHaveLength(12)
  })

  it('is not what another refusal is about', async () => {
    const { upstream, sent } = await start({
      answer: ({ path }) => (path === '/completion' ? refuse(400, 'temperature must be positive') : undefined),
    })
    await expect(generated(upstream, promptRequest('Hi', { constraint: gbnf() }))).rejects.toMatchObject({
      kind: 'invalid-request',
      message: expect.stringContaining('Upstream "local" answered 400 and said "temperature'),
    })
    expect(sent('/completion')).toHaveLength(1)
  })
})

describe('the template', () => {
  const templateOf = (upstream: Upstream) => upstream.template?.('obedient', contextOf())

  it('comes with the special tokens, is asked for once, and stays the same object', async () => {
    const { upstream, sent } = await start()
    const template = await templateOf(upstream)
    expect(template).toMatchObject({
      source: obedientTemplate,
      specialTokens: { bos_token: '<s>', eos_token: '<|im_end|>' },
    })
    expect(await templateOf(upstream)).toBe(template)
    expect(sent('/props')).toHaveLength(1)
    expect(sent('/props')[0]?.query.get('model')).toBe('obedient')
  })

  it('is the one for tools where there are two', async () => {
    const { upstream } = await start({ props: { chat_template_tool_use: '{{ tools }}' } })
    expect(await templateOf(upstream)).toMatchObject({ source: '{{ tools }}', name: 'tool_use' })
  })

  it.each([[undefined], [''], [null]])('is none where the server shows %j', async (chat_template) => {
    const { upstream } = await start({ props: { chat_template: chat_template ?? null } })
    expect(await templateOf(upstream)).toBeUndefined()
  })

  it('that cannot be read is an error that says why; prompts go on', async () => {
    const { upstream } = await start({ props: { chat_template: '{% if %}' }, write: () => 'Fine.' })
    await expect(templateOf(upstream)).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/^The chat template that upstream "local" shows cannot be used: .*Give the model/),
    })
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('is asked for anew after a failure', async () => {
    let fails = true
    const { upstream, server } = await start(
      {
        answer: ({ path }) =>
          path === '/completion' && fails ? refuse(500, 'out of memory', 'server_error') : undefined,
      },
      { retries: 0 },
    )
    const before = await templateOf(upstream)
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({ kind: 'upstream' })
    fails = false
    server.options = { props: { chat_template: 'new' } }
    expect(await templateOf(upstream)).toMatchObject({ source: 'new' })
    expect(before).toMatchObject({ source: obedientTemplate })
  })

  it('is asked for anew when another model answers', async () => {
    let model = 'a.gguf'
    const { upstream, server, sent } = await start({
      answer: ({ path }) =>
        path === '/completion'
          ? { type: 'stream', pieces: [sse({ content: 'x', stop: true, stop_type: 'eos', model })] }
          : undefined,
    })
    await templateOf(upstream)
    await generated(upstream, promptRequest('Hi'))
    await generated(upstream, promptRequest('Hi'))
    expect(sent('/props')).toHaveLength(1)
    model = 'b.gguf'
    server.options = { ...server.options, props: { chat_template: 'of b' } }
    await generated(upstream, promptRequest('Hi'))
    expect(await templateOf(upstream)).toMatchObject({ source: 'of b' })
  })

  it('that nobody can ask for is an error that names the upstream, and is asked for again', async () => {
    let isLoading = true
    const { upstream } = await start({
      answer: () => (isLoading ? refuse(503, 'Loading model', 'unavailable_error') : undefined),
    })
    await expect(templateOf(upstream)).rejects.toMatchObject({
      kind: 'overloaded',
      message: expect.stringContaining('"local"'),
    })
    isLoading = false
    expect(await templateOf(upstream)).toMatchObject({ source: obedientTemplate })
  })

  it('is not that of another kind of server', async () => {
    const { upstream } = await start({ answer: () => ({ type: 'json', status: 200, body: '<html>Welcome' }) })
    await expect(templateOf(upstream)).rejects.toThrow(/"local" has no props at its url: it sent "<html>Welcome"/)
  })
})

describe('what the server says of a model', () => {
  it.each([
    [{ supports_tools: true, supports_tool_calls: true }, true],
    [{ supports_tools: true, supports_tool_calls: false }, false],
    [{ supports_tools: false }, false],
    [{}, undefined],
    [null, undefined],
  ])('capabilities %j: calls tools: %j', async (chat_template_caps, calls) => {
    const { upstream } = await start({ props: { chat_template_caps } })
    expect(await upstream.callsTools?.('obedient', contextOf())).toBe(calls)
  })

  it('counts tokens as the engine does, markers as the tokens that they are', async () => {
    const { upstream, sent } = await start()
    expect(await upstream.countTokens?.('<|im_start|>one two', 'obedient', contextOf())).toBe(3)
    expect(sent('/tokenize')[0]?.body).toEqual({
      model: 'obedient',
      content: '<|im_start|>one two',
      add_special: false,
      parse_special: true,
    })
  })

  it('lists its model with the context that it has', async () => {
    const { upstream } = await start({ contextLength: 512 })
    expect(await upstream.models()).toEqual([{ id: 'obedient', contextLength: 512 }])
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
    expect(textOf(events)).toContain('You wrote: "Hi"')
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

describe('a failure', () => {
  it('while the model is loading is waited for', async () => {
    let asked = 0
    const { upstream } = await start({
      write: () => 'Fine.',
      answer: () =>
        ++asked <= 2
          ? {
              type: 'json',
              status: 503,
              body: { error: { code: 503, message: 'Loading model' } },
              headers: { 'retry-after': '0' },
            }
          : undefined,
    })
    // Asked for the props, which have no time to wait for, and then for the completion.
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('names the upstream when nothing listens', async () => {
    const { upstream, server } = await start({}, { retries: 0 })
    await server.close()
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/^Upstream "local": nothing listens at/),
    })
    onTestFinished(() => {})
  })

  it('of a prompt that is too long says how long', async () => {
    const { upstream } = await start({ contextLength: 3 })
    await expect(generated(upstream, promptRequest('one two three four'))).rejects.toMatchObject({
      kind: 'context-length',
      message: expect.stringContaining('5 tokens > 3 maximum'),
    })
  })

  const answering = (pieces: Iterable<string | { fault: 'cut' } | { fault: 'silence' }>): LlamaServerOptions => ({
    answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces } : undefined),
  })
  const piece = sse({ index: 0, content: 'a', stop: false })

  it.each([
    ['a cut', [piece, { fault: 'cut' as const }], 'upstream', /"local"/],
    ['an end without a last event', [piece], 'upstream', /"local" was cut/],
    [
      'an error event',
      [piece, sse({ error: { code: 500, message: 'Compute error.', type: 'server_error' } })],
      'upstream',
      /"local".*Compute error/,
    ],
    // Before mid-2025: an SSE field of its own.
    ['an error field', [piece, 'error: {"code":500,"message":"Compute error."}\n\n'], 'upstream', /Compute error/],
  ])('in mid-reply is thrown by the stream: %s', async (_, pieces, kind, message) => {
    const { upstream } = await start(answering(pieces))
    const stream = await upstream.generate(promptRequest('Hi'), contextOf())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const batch of stream) text += textOf(batch)
    }
    await expect(read()).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
    expect(text).toBe('a')
  })

  it('is told with the beginning of what came when that is no completion', async () => {
    const { upstream } = await start({
      answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces: ['<html>Welcome</html>'] } : undefined),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(
      /not a completion of llama-server.*<html>Welcome/,
    )
  })

  it.each(['the signal aborts', 'the stream is returned'])('is none when %s: the server is left', async (how) => {
    const { upstream, sent } = await start(answering([piece, { fault: 'silence' }]))
    const controller = new AbortController()
    const stream = await upstream.generate(promptRequest('Hi'), contextOf({ signal: controller.signal }))
    const read = async (): Promise<void> => {
      for await (const _ of stream) {
        if (how === 'the stream is returned') break
        controller.abort()
      }
    }
    if (how === 'the stream is returned') await read()
    else await expect(read()).rejects.toMatchObject({ kind: 'cancelled' })
    await vi.waitFor(() => expect(sent('/completion')[0]?.closedEarly).toBe(true))
  })
})

describe('a url', () => {
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
