import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import {
  type ServerReply,
  type ServerScript,
  type StatusReply,
  says,
  startUpstreamServer,
  type UpstreamServer,
} from '../../../test/support/upstream-server.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import { createFetchTransport } from '../transport/transport.ts'
import type { GenerationContext, MessagesRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { createOpenAIChatUpstream, type OpenAIChatOptions } from './openai-chat.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: UpstreamServer
afterEach(() => server?.close())

async function start(
  script: ServerScript | ServerReply[],
  options: Partial<OpenAIChatOptions> = {},
): Promise<Upstream> {
  server = await startUpstreamServer(
    typeof script === 'function' ? script : (_, n) => script[n] ?? { type: 'status', status: 500, body: 'unscripted' },
  )
  return createOpenAIChatUpstream({ name: 'local', url: server.url, transport, ...options })
}

const request: MessagesRequest = {
  type: 'messages',
  model: 'm',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  sampling: {},
}

function contextOf(more: Partial<GenerationContext> = {}): GenerationContext {
  return { signal: new AbortController().signal, requestId: 'req_1', log: () => {}, ...more }
}

async function generate(upstream: Upstream, more: Partial<MessagesRequest> = {}): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const batch of await upstream.generate({ ...request, ...more }, contextOf())) {
    expect(batch.length).toBeGreaterThan(0)
    events.push(...batch)
  }
  return events
}

function textOf(events: UpstreamEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}

const usage = (outputTokens: number): UpstreamEvent => ({ type: 'usage', usage: { inputTokens: 10, outputTokens } })
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
const status = (code: number, headers: Record<string, string> = {}, message = `is ${code}`): StatusReply => ({
  type: 'status',
  status: code,
  body: { error: { message } },
  headers,
})

describe.each([
  ['node', transport],
  ['fetch', createFetchTransport()],
])('generate over %s', (_, transport) => {
  it('streams text, reasoning, finish and usage in order of arrival', async () => {
    const upstream = await start([says({ reasoning: 'hm' }, 'Hel', 'lo ✓')], { transport })
    const events = await generate(upstream)
    expect(textOf(events, 'reasoning')).toBe('hm')
    expect(textOf(events)).toBe('Hello ✓')
    expect(events.slice(-2)).toEqual([stop, usage(3)])
  })

  it('reads CR LF and characters that are split between packets', async () => {
    const upstream = await start([{ ...says('😀é', '漢字'), crlf: true, splitBytes: 1 }], { transport })
    expect(textOf(await generate(upstream))).toBe('😀é漢字')
  })

  it('reads a reply that is not streamed', async () => {
    const upstream = await start([{ ...says({ reasoning: 'hm' }, 'whole'), whole: true }], { transport })
    expect(await generate(upstream)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'whole' },
      stop,
      usage(2),
    ])
  })

  it('reports a cut after the first event, and does not repeat the request', async () => {
    const upstream = await start(() => ({ ...says('a', 'b'), delayMs: 5, fault: { type: 'cut', at: 1 } }), {
      transport,
    })
    const stream = await upstream.generate(request, contextOf())
    const read = async (): Promise<void> => {
      for await (const batch of stream) expect(textOf(batch)).toBe('a')
    }
    await expect(read()).rejects.toMatchObject({ code: 'upstream', message: expect.stringMatching(/"local".*was cut/) })
    expect(server.requests).toHaveLength(1)
  })

  it('stops the upstream when the signal aborts', async () => {
    const upstream = await start([{ ...says('a', 'b'), fault: { type: 'silence', at: 1 } }], { transport })
    const controller = new AbortController()
    const stream = await upstream.generate(request, contextOf({ signal: controller.signal }))
    const read = (async () => {
      for await (const _ of stream) controller.abort()
    })()
    await expect(read).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('stops the upstream when the stream is returned', async () => {
    const upstream = await start([{ ...says('a', 'b'), fault: { type: 'silence', at: 1 } }], { transport })
    for await (const _ of await upstream.generate(request, contextOf())) break
    await eventually(() => expect(server.closedEarly).toBe(1))
  })
})

describe('a request', () => {
  it('holds what was asked for, and nothing else', async () => {
    const upstream = await start([says('a')])
    await generate(upstream)
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'x-request-id': 'req_1' })
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('names everything as OpenAI does', async () => {
    const upstream = await start([says('a')], { maxTokensField: 'max_completion_tokens' })
    await generate(upstream, {
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 's' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'look' },
            { type: 'image', url: 'data:image/png;base64,AA', detail: 'low' },
            { type: 'image', url: 'https://a.example/b.png' },
            { type: 'image', url: 'https://a.example/c.png', detail: 'original' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
          reasoning: 'r',
        },
      ],
      maxTokens: 100,
      sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
      reasoning: { enabled: true, effort: 'high' },
    })
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 's' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
            { type: 'image_url', image_url: { url: 'https://a.example/c.png' } },
          ],
        },
        { role: 'assistant', content: 'ab', reasoning_content: 'r' },
      ],
      max_completion_tokens: 100,
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      presence_penalty: 1,
      frequency_penalty: 2,
      seed: 3,
      reasoning_effort: 'high',
    })
    // A word of another API.
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('original')
  })

  it("carries the configured key, or the client's over it, and the configured headers", async () => {
    const upstream = await start(() => says('a'), { key: 'sk-own\n', headers: { 'X-Title': 'anycall' } })
    await generate(upstream)
    for await (const _ of await upstream.generate(request, contextOf({ clientKey: 'sk-client' })));
    expect(server.requests.map(({ headers }) => [headers.authorization, headers['x-title']])).toEqual([
      ['Bearer sk-own', 'anycall'],
      ['Bearer sk-client', 'anycall'],
    ])
  })

  it.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/v1?api-version=1', '/v1/chat/completions?api-version=1'],
  ])('to a url that ends in %j goes to %s', async (end, path) => {
    await start([says('a')])
    const url = server.url.replace('/v1', end)
    await generate(createOpenAIChatUpstream({ name: 'local', url, transport }))
    expect(server.requests[0]?.path).toBe(path)
  })

  it.each(['ftp://a.example', 'http://', ''])('to %j is refused when it is configured', (url) => {
    expect(() => createOpenAIChatUpstream({ name: 'local', url, transport })).toThrow(/url of upstream "local"/)
  })

  it('with a key that no header can carry is refused without showing the key', () => {
    const create = (): Upstream => createOpenAIChatUpstream({ name: 'l', url: 'a:1', key: 'sk-one sk-two', transport })
    expect(create).toThrow(/^The key of upstream "l" (?!.*sk-one)/)
  })
})

describe('a failure before the first event', () => {
  const soon = { 'retry-after': '0' }

  it.each([
    ['429', status(429, soon)],
    ['500', status(500, soon)],
    ['529', status(529, soon)],
  ])('is tried again: %s', async (_, failure) => {
    const upstream = await start([failure, failure, says('a')])
    expect(textOf(await generate(upstream))).toBe('a')
  })

  it.each<[string, ServerReply]>([
    ['a cut', { ...says('a'), fault: { type: 'cut', at: 0 } }],
    ['a stream that ends', { type: 'raw', chunks: [] }],
    [
      'an error in the stream',
      { ...says('a'), fault: { type: 'error', error: { message: 'loading', code: 503 }, at: 0 } },
    ],
  ])('is tried again: %s', async (_, failure) => {
    const upstream = await start([failure, says('a')])
    expect(textOf(await generate(upstream))).toBe('a')
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    [401, 'authentication', 1],
    [403, 'permission', 1],
    [404, 'not-found', 1],
    [413, 'too-large', 1],
    [422, 'invalid-request', 1],
    [429, 'rate-limit', 3],
    [500, 'upstream', 3],
    [503, 'overloaded', 3],
    [504, 'timeout', 3],
    [529, 'overloaded', 3],
  ])('%i is an error of kind %s after %i requests', async (code, kind, requests) => {
    const upstream = await start(() => status(code, soon))
    await expect(generate(upstream)).rejects.toMatchObject({
      code: kind,
      message: expect.stringContaining(`is ${code}`),
    })
    expect(server.requests).toHaveLength(requests)
  })

  it('passes a long Retry-After on instead of waiting', async () => {
    const upstream = await start(() => status(429, { 'retry-after': '60' }))
    await expect(generate(upstream)).rejects.toMatchObject({ code: 'rate-limit', retryAfter: 60 })
    expect(server.requests).toHaveLength(1)
  })

  it('does not wait for a Retry-After where another upstream is ready, and repeats what needs no wait', async () => {
    const upstream = await start([status(500), status(503, soon), status(429, { 'retry-after': '1' })])
    const generating = upstream.generate(request, contextOf({ hasAlternative: true }))
    await expect(generating).rejects.toMatchObject({ code: 'rate-limit', retryAfter: 1 })
    expect(server.requests).toHaveLength(3)
    const again = await start([status(429, { 'retry-after': '1' })])
    await expect(again.generate(request, contextOf({ hasAlternative: true }))).rejects.toMatchObject({ retryAfter: 1 })
    expect(server.requests).toHaveLength(1)
  })

  it('names the url when nothing listens', async () => {
    const upstream = await start([], { retries: 0 })
    await server.close()
    await expect(generate(upstream)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(`^Upstream "local": nothing listens at ${server.url}/chat/completions .*Start it`),
    })
    server = await startUpstreamServer(() => says())
  })

  it('is told with the beginning of what came when that is garbage, and not tried again', async () => {
    const upstream = await start([{ type: 'raw', chunks: ['<html>Welcome', ' to nginx</html>'] }])
    await expect(generate(upstream)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('<html>Welcome to nginx</html>'),
    })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['first byte', { ...says('a'), firstByteDelayMs: 60_000 }, { firstByteMs: 50 }],
    ['idle', { ...says('a'), fault: { type: 'silence', at: 0 } as const }, { idleMs: 50 }],
  ])('may be a timeout: %s', async (_, reply, timeouts) => {
    const upstream = await start(() => reply, { timeouts })
    await expect(generate(upstream)).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('"local"'),
    })
    expect(server.requests).toHaveLength(1)
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('shows no key', async () => {
    const upstream = await start(() => status(401, {}, 'Incorrect key: sk-client-1'), { key: 'sk-own-key' })
    const failing = upstream.generate(request, contextOf({ clientKey: 'sk-client-1' }))
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('Incorrect key: [key]') })
  })

  it('is not tried again when the client has left', async () => {
    const upstream = await start(() => status(503, { 'retry-after': '9' }))
    const controller = new AbortController()
    const log = (): void => controller.abort()
    await expect(upstream.generate(request, contextOf({ signal: controller.signal, log }))).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a failure after the first event', () => {
  it.each<[string, ServerReply, string, RegExp]>([
    [
      'an error chunk',
      { ...says('a', 'b'), fault: { type: 'error', error: { message: 'boom', code: 529 }, at: 1 } },
      'overloaded',
      /boom/,
    ],
    [
      'an error event',
      { ...says('a', 'b'), fault: { type: 'error', error: 'boom', event: true, at: 1 } },
      'upstream',
      /boom/,
    ],
    ['the end without a finish reason', { ...says('a'), finishReason: null, doneMark: false }, 'upstream', /was cut/],
  ])('is thrown by the stream: %s', async (_, reply, kind, message) => {
    const upstream = await start(() => reply)
    const stream = await upstream.generate(request, contextOf())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const batch of stream) text += textOf(batch)
    }
    await expect(read()).rejects.toMatchObject({ code: kind, message: expect.stringMatching(message) })
    expect(text).toBe('a')
    expect(server.requests).toHaveLength(1)
  })

  it('is none once the finish reason is there', async () => {
    const finished = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'
    const upstream = await start([{ type: 'raw', chunks: [finished], end: 'cut' }])
    expect(await generate(upstream)).toEqual([{ type: 'text', text: 'a' }, stop])
  })

  it('may be a line that is none of the reply, which is passed over', async () => {
    const upstream = await start([{ ...says('a', 'b'), fault: { type: 'bytes', bytes: 'data: oops\n\n', at: 1 } }])
    expect(textOf(await generate(upstream))).toBe('ab')
  })

  it('is one where a piece of the reply cannot be read: what follows does not belong to what came before', async () => {
    const upstream = await start([{ ...says('a', 'b'), fault: { type: 'bytes', bytes: 'data: {oops\n\n', at: 1 } }])
    await expect(generate(upstream)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/a part of it is lost: "\{oops"/),
    })
  })
})

describe('connections', () => {
  it('are used again after a reply and after an error', async () => {
    const upstream = await start((_, n) => (n % 2 === 1 ? status(400) : says('a')))
    for (let round = 0; round < 6; round++) await generate(upstream).catch(() => {})
    expect(server.requests).toHaveLength(6)
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('of a server that says why the reply ended, and nothing more, are left after a while', async () => {
    const end = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'
    const upstream = await start([{ type: 'raw', chunks: [end], end: 'silence' }])
    expect(await generate(upstream)).toEqual([{ type: 'text', text: 'a' }, stop])
  })

  it('of a server that does not end the response are left after [DONE]', async () => {
    const upstream = await start([{ type: 'raw', chunks: ['data: [DONE]\n\n'], end: 'silence' }])
    expect(await generate(upstream)).toEqual([stop])
    await eventually(() => expect(server.closedEarly).toBe(1))
  })
})

describe('models', () => {
  const models = async (body: unknown): Promise<unknown> => {
    const fake = createOpenAIChatUpstream({
      name: 'local',
      url: 'http://a.example/v1',
      key: 'sk-own-key',
      transport: async ({ url, headers }) => {
        expect([url, headers.authorization]).toEqual(['http://a.example/v1/models', 'Bearer sk-own-key'])
        const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
        return {
          status: 200,
          headers: {},
          body: (async function* () {
            yield bytes
          })(),
        }
      },
    })
    return fake.models()
  }

  it.each([
    ['OpenAI', { data: [{ id: 'a' }, { id: 'b', object: 'model' }] }, [{ id: 'a' }, { id: 'b' }]],
    ['vLLM', { data: [{ id: 'a', max_model_len: 4096 }] }, [{ id: 'a', contextLength: 4096 }]],
    ['OpenRouter', { data: [{ id: 'a', context_length: 8192 }] }, [{ id: 'a', contextLength: 8192 }]],
    ['Together', [{ id: 'a' }], [{ id: 'a' }]],
    ['Ollama without models', { data: null }, []],
    ['odd entries', { data: [{ id: 1 }, null, { id: 'a', max_model_len: null }] }, [{ id: 'a' }]],
  ])('of %s', async (_, body, expected) => {
    expect(await models(body)).toEqual(expected)
  })

  it.each([['<html>Welcome'], [{ ok: true }]])('that are none: %j', async (body) => {
    await expect(models(body)).rejects.toThrow(/^Upstream "local" has no list of models.*(Welcome|ok)/)
  })

  it('come from the server', async () => {
    const upstream = await start([])
    expect(await upstream.models()).toEqual([{ id: 'test-model' }])
  })

  it('cannot be asked for when the server is down', async () => {
    const upstream = await start([])
    await server.close()
    await expect(upstream.models()).rejects.toThrow(/^Upstream "local": nothing listens/)
    server = await startUpstreamServer(() => says())
  })
})
