import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CompletionsServer, CompletionsServerOptions } from '../../test/stand-ins/completions-server.ts'
import { type StandInAnswer, type StandInRequest, sse } from '../../test/stand-ins/http-stand-in.ts'
import { refuseAsSglang, startSglangServer } from '../../test/stand-ins/sglang-server.ts'
import { refuseAsVllm, startVllmServer } from '../../test/stand-ins/vllm-server.ts'
import type { JsonObject } from '../conversation/index.ts'
import type { HttpApiOptions } from './http-api.ts'
import { createNodeTransport } from './node-transport.ts'
import { createSglangUpstream } from './sglang.ts'
import { contextOf, generated, otherThanText, promptRequest, textOf } from './test-generation.ts'
import type { Constraint, Upstream } from './upstream.ts'
import { createVllmUpstream } from './vllm.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

interface Engine {
  name: 'vllm' | 'sglang'
  startServer: (options: CompletionsServerOptions) => Promise<CompletionsServer>
  create: (options: HttpApiOptions) => Upstream
  refuse: (message: string, status?: number) => StandInAnswer
}

const vllm: Engine = {
  name: 'vllm',
  startServer: startVllmServer,
  create: createVllmUpstream,
  refuse: refuseAsVllm,
}
const sglang: Engine = {
  name: 'sglang',
  startServer: startSglangServer,
  create: createSglangUpstream,
  refuse: refuseAsSglang,
}
const engines = [vllm, sglang]

async function start(
  engine: Engine,
  options: CompletionsServerOptions = {},
  more: Partial<HttpApiOptions> = {},
): Promise<{ server: CompletionsServer; upstream: Upstream; sent: (path: string) => StandInRequest[] }> {
  const server = await engine.startServer(options)
  onTestFinished(() => server.close())
  const upstream = engine.create({ name: 'local', url: server.url, transport, ...more })
  return { server, upstream, sent: (path) => server.requests.filter((request) => request.path === path) }
}

const tagged = (format: JsonObject): Constraint => ({
  type: 'structural-tag',
  tag: { tag: { type: 'structural_tag', format }, widened: [] },
})
const anyText = tagged({ type: 'any_text' })

const onCompletions =
  (answer: (request: StandInRequest) => StandInAnswer | undefined) =>
  (request: StandInRequest): StandInAnswer | undefined =>
    request.path === '/v1/completions' ? answer(request) : undefined

const fullRequest = promptRequest('<s>one two', {
  maxTokens: 50,
  stops: ['<|im_end|>'],
  preservedTokens: ['<tool_call>'],
  sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
  constraint: anyText,
})
const saidFields: JsonObject = {
  model: 'obedient',
  max_tokens: 50,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0,
  top_p: 0.5,
  top_k: 4,
  presence_penalty: 1,
  frequency_penalty: 2,
  seed: 3,
  stop: ['<|im_end|>'],
  skip_special_tokens: false,
}

describe('a prompt', () => {
  it('goes to vLLM as it is, with its own first token only', async () => {
    const { server, upstream, sent } = await start(vllm)
    await generated(upstream, fullRequest)
    expect(sent('/v1/completions').map(({ body }) => body)).toEqual([
      {
        ...saidFields,
        prompt: '<s>one two',
        add_special_tokens: false,
        spaces_between_special_tokens: false,
        structured_outputs: { structural_tag: '{"type":"structural_tag","format":{"type":"any_text"}}' },
      },
    ])
    expect(server.prompts).toEqual(['<s>one two'])
    expect(sent('/tokenize')).toEqual([])
  })

  it('goes to SGLang as tokens, since a text would get a first token more', async () => {
    const { server, upstream, sent } = await start(sglang)
    await generated(upstream, fullRequest)
    expect(sent('/v1/completions').map(({ body }) => body)).toEqual([
      {
        ...saidFields,
        prompt: expect.arrayContaining([expect.any(Number)]),
        response_format: { type: 'structural_tag', format: { type: 'any_text' } },
      },
    ])
    expect(sent('/tokenize')[0]?.body).toEqual({ model: 'obedient', prompt: '<s>one two', add_special_tokens: false })
    expect(server.prompts).toEqual(['<s>one two'])
  })

  it('goes to an SGLang that counts no tokens as text', async () => {
    const { upstream, sent } = await start(sglang, {
      answer: ({ path }) =>
        path === '/tokenize' ? { type: 'json', status: 404, body: { detail: 'Not Found' } } : undefined,
    })
    await generated(upstream, promptRequest('one two', { maxTokens: 5 }))
    expect(sent('/v1/completions')[0]?.body).toMatchObject({ prompt: 'one two', max_tokens: 5 })
  })
})

describe.each(engines)('$name: the room for a reply', (engine) => {
  const reserve = engine.name === 'sglang' ? 1 : 0

  it('is all that the prompt leaves, where the request sets no bound', async () => {
    const { upstream, sent } = await start(engine, { contextLength: 100 })
    await generated(upstream, promptRequest('one two'))
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([98 - reserve])
  })

  it('is all that the prompt leaves, where the request asks for more', async () => {
    const { upstream, sent } = await start(engine, { contextLength: 100 })
    const log = vi.fn()
    expect(textOf(await generated(upstream, promptRequest('one two', { maxTokens: 32000 }), contextOf({ log })))).toBe(
      'Hello! You said: ',
    )
    expect(sent('/v1/completions').at(-1)?.body.max_tokens).toBe(98 - reserve)
  })

  const uncounted = ({ path }: StandInRequest): StandInAnswer | undefined =>
    path === '/tokenize' ? engine.refuse('Not Found', 404) : undefined

  it('is a bound of our own, where the server counts no tokens', async () => {
    const { upstream, sent } = await start(engine, { contextLength: 20_000, answer: uncounted })
    await generated(upstream, promptRequest('one two'))
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([8192])
  })

  it('is what a refusal says once, where the server counts no tokens', async () => {
    const { upstream, sent } = await start(engine, { contextLength: 100, answer: uncounted })
    const long = generated(upstream, promptRequest('one two three', { maxTokens: 99 }))
    // vLLM counts only one token more than there is room for: what it says is not enough.
    if (engine.name === 'vllm') await expect(long).rejects.toMatchObject({ kind: 'context-length' })
    else await long
    const said = engine.name === 'vllm' ? 98 : 95
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([99, said])
  })

  it('is none for a prompt that is too long', async () => {
    const { upstream } = await start(engine, { contextLength: 3 })
    await expect(generated(upstream, promptRequest('one two three four'))).rejects.toMatchObject({
      kind: 'context-length',
      message: expect.stringContaining('upstream "local" answered 400'),
    })
  })

  it('counts tokens', async () => {
    const { upstream } = await start(engine)
    expect(await upstream.countTokens?.('<|im_start|>one two', 'obedient', contextOf())).toBe(3)
  })

  it('cannot be counted by a server without /tokenize', async () => {
    const { upstream } = await start(engine, { answer: () => engine.refuse('Not Found', 404) })
    await expect(upstream.countTokens?.('one', 'obedient', contextOf())).rejects.toMatchObject({ kind: 'not-found' })
  })
})

describe.each(engines)('$name: a reply', (engine) => {
  it('comes as text with its markers, a finish and usage', async () => {
    const { upstream } = await start(engine, { write: () => '<tool_call>x ✓</tool_call>' })
    const events = await generated(upstream, promptRequest('one two', { maxTokens: 50 }))
    expect(textOf(events)).toBe('<tool_call>x ✓</tool_call>')
    expect(otherThanText(events)).toEqual([
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 5, cachedTokens: 1 } },
    ])
  })

  it.each([
    ['a stop of the prompt', { stops: [' two'] }, 'one', 'stop'],
    ['the token limit', { maxTokens: 1 }, 'one', 'length'],
  ])('ends at %s', async (_, more, text, reason) => {
    const { upstream } = await start(engine, { write: () => 'one two three' })
    const events = await generated(upstream, promptRequest('Hi', { maxTokens: 50, ...more }))
    expect(textOf(events)).toBe(text)
    expect(events).toContainEqual({ type: 'finish', reason })
  })

  it('may come whole', async () => {
    const body = {
      choices: [{ index: 0, text: 'whole', finish_reason: 'length' }],
      usage: { prompt_tokens: 2, completion_tokens: 1 },
    }
    const { upstream } = await start(engine, { answer: onCompletions(() => ({ type: 'json', status: 200, body })) })
    expect(await generated(upstream, promptRequest('Hi'))).toEqual([
      { type: 'text', text: 'whole' },
      { type: 'finish', reason: 'length' },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 1 } },
    ])
  })
})

describe.each(engines)('$name: a structural tag that the engine refuses', (engine) => {
  it('is left out, with a notice, and not sent again', async () => {
    const { upstream, sent } = await start(engine, { write: () => 'Fine.' })
    const broken: Constraint = {
      type: 'structural-tag',
      tag: { tag: { type: 'structural_tag', format: {} }, widened: [] },
    }
    // What the stand-in takes for no tag at all.
    Object.assign(broken.tag.tag, { format: 'none' })
    for (const _ of [1, 2]) {
      const events = await generated(upstream, promptRequest('Hi', { constraint: broken }))
      expect(events[0]).toMatchObject({ type: 'notice', notice: { code: 'constraint-refused' } })
      expect(textOf(events)).toBe('Fine.')
    }
    const constrained = sent('/v1/completions').map(
      ({ body }) => 'structured_outputs' in body || 'response_format' in body,
    )
    expect(constrained).toEqual([true, false, false])
  })

  it('may be refused within the stream, before any text', async () => {
    const error = {
      object: 'error',
      message: 'Failed to compile structural_tag grammar: x',
      type: 'BadRequest',
      code: 400,
    }
    const { upstream } = await start(engine, {
      write: () => 'Fine.',
      answer: onCompletions(({ body }) =>
        'structured_outputs' in body || 'response_format' in body
          ? { type: 'stream', pieces: [sse({ error }), 'data: [DONE]\n\n'] }
          : undefined,
      ),
    })
    const events = await generated(upstream, promptRequest('Hi', { constraint: anyText }))
    expect(events[0]).toMatchObject({ notice: { message: expect.stringContaining('Failed to compile') } })
    expect(textOf(events)).toBe('Fine.')
  })
})

describe.each(engines)('$name: a failure', (engine) => {
  const chunk = (text: string, finish: string | null = null): string =>
    sse({ object: 'text_completion', choices: [{ index: 0, text, finish_reason: finish }] })

  it('before the first event is tried again', async () => {
    let asked = 0
    const { upstream } = await start(engine, {
      write: () => 'Fine.',
      answer: onCompletions(() =>
        ++asked === 1 ? { type: 'json', status: 503, body: 'loading', headers: { 'retry-after': '0' } } : undefined,
      ),
    })
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('names the upstream when nothing listens', async () => {
    const { upstream, server } = await start(engine, {}, { retries: 0 })
    await server.close()
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(/^Upstream "local": nothing listens at/)
  })

  it('of a model that is not there says so', async () => {
    const { upstream } = await start(engine, {
      answer: () => engine.refuse('The model `other` does not exist.', 404),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('The model `other` does not exist.'),
    })
  })

  it.each([
    ['a cut', [chunk('a'), { fault: 'cut' as const }], /"local"/],
    ['an end without a finish reason', [chunk('a')], /was cut/],
    ['an error chunk', [chunk('a'), sse({ error: { message: 'CUDA error', code: 500 } })], /CUDA error/],
    ['a generation that was given up', [chunk('a'), chunk('', 'abort')], /gave up .*"abort"/],
  ])('in mid-reply is thrown by the stream: %s', async (_, pieces, message) => {
    const { upstream } = await start(engine, { answer: onCompletions(() => ({ type: 'stream', pieces })) })
    const stream = await upstream.generate(promptRequest('Hi'), contextOf())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const batch of stream) text += textOf(batch)
    }
    await expect(read()).rejects.toMatchObject({ kind: 'upstream', message: expect.stringMatching(message) })
    expect(text).toBe('a')
  })

  it('is told with the beginning of what came when that is garbage', async () => {
    const { upstream } = await start(engine, {
      answer: onCompletions(() => ({ type: 'stream', pieces: ['<html>Welcome</html>'] })),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(/not a text completion.*<html>Welcome/)
  })

  it('is none when the signal aborts: the server is left', async () => {
    const { upstream, sent } = await start(engine, {
      answer: onCompletions(() => ({ type: 'stream', pieces: [chunk('a'), { fault: 'silence' }] })),
    })
    const controller = new AbortController()
    const stream = await upstream.generate(promptRequest('Hi'), contextOf({ signal: controller.signal }))
    const read = (async () => {
      for await (const _ of stream) controller.abort()
    })()
    await expect(read).rejects.toMatchObject({ kind: 'cancelled' })
    await vi.waitFor(() => expect(sent('/v1/completions')[0]?.closedEarly).toBe(true))
  })
})

describe.each(engines)('$name: its other API', (engine) => {
  it('lists models with the context that they have', async () => {
    const { upstream } = await start(engine, { contextLength: 512 })
    expect(await upstream.models()).toEqual([{ id: 'obedient', contextLength: 512 }])
  })

  it.each(['', '/v1', '/v1/', '/v1/completions', '/v1/chat/completions'])(
    'is reached by a url that ends in %j',
    async (end) => {
      const { server, sent } = await start(engine)
      const upstream = engine.create({ name: 'local', url: server.url + end, transport })
      await generated(upstream, promptRequest('Hi'))
      const parts = [{ type: 'text' as const, text: 'Hi' }]
      const messages = [{ role: 'user' as const, parts }]
      await generated(upstream, { type: 'messages', model: 'obedient', messages, sampling: {} })
      expect([sent('/v1/completions').length, sent('/v1/chat/completions').length]).toEqual([1, 1])
    },
  )

  it('takes tools', async () => {
    const { upstream, sent } = await start(engine)
    const events = await generated(upstream, {
      type: 'tools',
      model: 'obedient',
      conversation: {
        model: 'obedient',
        system: '',
        turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: [{ name: 'get_time', description: '', schema: {} }],
        toolChoice: { type: 'named', name: 'get_time' },
        parallelCalls: true,
        stopSequences: [],
        sampling: {},
      },
      sampling: {},
    })
    expect(sent('/v1/chat/completions')[0]?.body.tool_choice).toEqual({
      type: 'function',
      function: { name: 'get_time' },
    })
    expect(events.find(({ type }) => type === 'call')).toMatchObject({ index: 0, name: 'get_time' })
  })

  it('shows no template: that is configured', async () => {
    const { upstream } = await start(engine)
    expect(upstream.template).toBeUndefined()
  })
})
