import { describe, expect, test } from 'vitest'
import { responseMisfits } from '../../test/support/protocols/responses-schema.ts'
import type { JsonObject } from '../conversation/index.ts'
import type { HttpRequest, HttpResponse } from '../upstreams/index.ts'
import { createGateway } from './gateway.ts'
import type { GatewaySettings } from './options.ts'

const key = 'k-1234567890'

/** A gateway with the built-in model, whose clients need a key. */
const gateway = createGateway({
  upstreams: { test: { type: 'scripted' } },
  models: [{ match: ['text-model', 'org/a:b'], upstream: 'test' }],
  keys: [key],
})

interface Sent {
  method?: string
  body?: JsonObject
  headers?: Record<string, string>
}

async function send(path: string, { method, body, headers = { 'x-api-key': key } }: Sent = {}, to = gateway) {
  const response = await to.fetch(
    new Request(`http://localhost${path}`, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json' && text !== ''
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text,
    json: isJson ? JSON.parse(text) : {},
  }
}

const contents = { contents: [{ parts: [{ text: 'Hello' }] }] }
const chat = { model: 'text-model', messages: [{ role: 'user', content: 'Hello' }] }

describe('the paths of an API', () => {
  test.each<[string, JsonObject]>([
    ['/v1beta/models/text-model:generateContent', contents],
    ['/v1/models/text-model:generateContent', contents],
    ['/v1alpha/models/text-model:generateContent', contents],
    ['/models/text-model:generateContent', contents],
    ['/v1beta/v1beta/models/text-model:generateContent', contents],
    ['/v1beta/models/org/a:b:generateContent', contents],
    ['/v1beta/models/org%2Fa%3Ab:generateContent', contents],
    ['/v1/publishers/google/models/text-model:generateContent', contents],
    ['/v1beta1/projects/p/locations/l/publishers/google/models/text-model:generateContent', contents],
    ['/v1beta/models/text-model:countTokens', contents],
    ['/api/chat', chat],
    ['/v1/api/chat', chat],
    ['/api/api/chat', chat],
    ['/chat/completions', chat],
    ['/v1/v1/chat/completions', chat],
    ['/messages', { ...chat, max_tokens: 10 }],
    ['/responses', { model: 'text-model', input: 'Hello' }],
  ])('%s is served', async (path, body) => {
    const answer = await send(path, { body })
    expect(answer).toMatchObject({ status: 200 })
    if (path === '/responses') expect(responseMisfits(answer.json)).toEqual([])
  })

  test.each<[string, string, RegExp]>([
    [
      '/v1beta/models/text-model:streamGenerateContent?alt=sse',
      'text/event-stream; charset=utf-8',
      /^data: \{"candidates"/,
    ],
    ['/v1beta/models/text-model:streamGenerateContent', 'application/json', /^\[\{"candidates".*\]$/s],
  ])('%s is streamed as %s', async (path, type, form) => {
    const answer = await send(path, { body: contents })
    expect(answer.type).toBe(type)
    expect(answer.text).toMatch(form)
  })

  test('have chats of Ollama in lines, or whole', async () => {
    expect(await send('/api/chat', { body: chat })).toMatchObject({ type: 'application/x-ndjson' })
    const whole = await send('/api/generate', { body: { model: 'text-model', prompt: 'Hello', stream: false } })
    expect(whole.json).toMatchObject({ model: 'text-model', response: expect.stringMatching(/./), done: true })
  })
})

describe('models', () => {
  const gemini = (name: string) => ({ name: `models/${name}`, supportedGenerationMethods: expect.any(Array) })
  test.each<[string, Record<string, string>, object]>([
    ['/v1beta/models', { 'x-api-key': key }, { models: [gemini('text-model'), gemini('org/a:b')] }],
    ['/v1/models', { 'x-goog-api-key': key }, { models: [gemini('text-model'), gemini('org/a:b')] }],
    ['/v1/models', { 'x-api-key': key }, { object: 'list', data: [{ id: 'text-model' }, { id: 'org/a:b' }] }],
    ['/v1/models', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }, { has_more: false }],
    ['/v1beta/models/org/a:b', { 'x-api-key': key }, gemini('org/a:b')],
    ['/v1/models/text-model', { 'x-goog-api-key': key }, gemini('text-model')],
    [
      '/api/tags',
      { 'x-api-key': key },
      { models: [{ name: 'text-model', digest: expect.stringMatching(/^[\da-f]{64}$/) }, {}] },
    ],
    ['/api/ps', { 'x-api-key': key }, { models: [] }],
    ['/api/version', {}, { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
  ])('%s with %j', async (path, headers, expected) => {
    expect((await send(path, { headers })).json).toMatchObject(expected)
  })

  test('are described, loaded and there', async () => {
    const body = { model: 'text-model' }
    const capabilities = expect.arrayContaining(['completion', 'tools', 'thinking'])
    expect((await send('/api/show', { body })).json).toMatchObject({ capabilities, model_info: {} })
    expect((await send('/api/show', { body: { name: 'text-model' } })).status).toBe(200)
    expect((await send('/api/pull', { body })).text).toBe('{"status":"pulling manifest"}\n{"status":"success"}\n')
    expect((await send('/api/pull', { body: { ...body, stream: false } })).json).toEqual({ status: 'success' })
    const load = await send('/api/generate', { body: { ...body, stream: false, keep_alive: 0 } })
    expect(load.json).toMatchObject({ response: '', done: true, done_reason: 'unload' })
    expect((await send('/api/chat', { body: { ...body, messages: [] } })).text).toMatch(/"done_reason":"load"\}\n$/)
    for (const path of ['/api/show', '/api/pull', '/api/generate']) {
      expect(await send(path, { body: { model: 'other' } })).toMatchObject({
        status: 404,
        json: { error: expect.any(String) },
      })
    }
  })

  test('have the context that their upstream says', async () => {
    const listed = { data: [{ id: 'm', max_model_len: 8192 }] }
    const known = gatewayTo({}, () => ({ body: listed }))
    expect((await send('/v1beta/models/m', {}, known)).json).toMatchObject({ inputTokenLimit: 8192 })
    expect((await send('/api/show', { body: { model: 'm' } }, known)).json.model_info).toMatchObject({
      'anycall.context_length': 8192,
    })
    const failing = gatewayTo({}, () => ({ status: 500, body: { error: 'broken' } }))
    expect((await send('/v1beta/models/m', {}, failing)).json).not.toHaveProperty('inputTokenLimit')
  })
})

describe('keys', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a header of Google', '', { 'x-goog-api-key': key }],
    ['the query', `?key=${key}`, {}],
    ['a bearer token', '', { authorization: `Bearer ${key}` }],
  ])('come in %s', async (_, query, headers) => {
    const path = `/v1beta/models/text-model:generateContent${query}`
    expect(await send(path, { body: contents, headers })).toMatchObject({ status: 200 })
  })

  test.each<[string, Record<string, string>, object]>([
    [
      '/v1beta/models/m:generateContent?key=wrong',
      {},
      { error: { code: 401, status: 'UNAUTHENTICATED', details: [{ reason: 'API_KEY_INVALID' }] } },
    ],
    ['/v1/models/m:generateContent', {}, { error: { status: 'UNAUTHENTICATED' } }],
    ['/v1/chat/completions', { 'x-goog-api-client': 'genai-js/3.1.0' }, { error: { status: 'UNAUTHENTICATED' } }],
    ['/api/chat', {}, { error: expect.stringContaining('no key') }],
    ['/messages', {}, { type: 'error' }],
    ['/v1/chat/completions', {}, { error: { code: 'invalid_api_key' } }],
  ])('that are wrong at %s are told in the form of the API', async (path, headers, expected) => {
    expect(await send(path, { body: contents, headers })).toMatchObject({ status: 401, json: expected })
  })

  test.each(['/api/hello', '/api/version', '/health', '/livez', '/readyz'])('are not needed for %s', async (path) => {
    expect(await send(path, { method: 'HEAD', headers: {} })).toMatchObject({ status: 200 })
  })

  test('are not needed for the root, which speaks as Ollama to its clients', async () => {
    expect((await send('/', { headers: {} })).json).toEqual({ name: 'anycall', status: 'ok' })
    const headers = { 'user-agent': 'ollama-js/0.6.4 (x64 linux)' }
    expect(await send('/', { headers })).toMatchObject({ status: 200, text: 'Ollama is running' })
    expect(await send('/', { headers, method: 'HEAD' })).toMatchObject({ status: 200 })
  })
})

describe('what is not served says so in the form of its API', () => {
  test.each<[string, string, Record<string, string>, (message: unknown) => object]>([
    ['POST', '/v1/messages/batches', {}, (message) => ({ type: 'error', error: { type: 'not_found_error', message } })],
    ['GET', '/v1/files', { 'anthropic-version': '2023-06-01' }, (message) => ({ type: 'error', error: { message } })],
    ['POST', '/v1/files', {}, (message) => ({ error: { type: 'invalid_request_error', message } })],
    ['POST', '/v1/batches', {}, (message) => ({ error: { message } })],
    ['POST', '/v1/audio/speech', {}, (message) => ({ error: { message } })],
    [
      'POST',
      '/v1beta/models/m:embedContent',
      {},
      (message) => ({ error: { code: 404, status: 'NOT_FOUND', message } }),
    ],
    [
      'POST',
      '/upload/v1beta/files',
      { 'x-goog-api-key': key },
      (message) => ({ error: { status: 'NOT_FOUND', message } }),
    ],
    ['POST', '/v1beta/cachedContents', {}, (message) => ({ error: { status: 'NOT_FOUND', message } })],
    ['DELETE', '/api/delete', {}, (message) => ({ error: message })],
  ])('%s %s', async (method, path, headers, bodyOf) => {
    const answer = await send(path, { method, headers: { 'x-api-key': key, ...headers } })
    expect(answer).toMatchObject({ status: 404, json: bodyOf(expect.stringContaining('is not served')) })
  })
})

type Answer = (request: HttpRequest) => { status?: number; body: unknown; type?: string }

/** A gateway before a server that answers so, by all names of models. */
function gatewayTo(settings: Partial<GatewaySettings>, answer: Answer, requests: HttpRequest[] = []) {
  return createGateway({
    upstreams: { server: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1', retries: 0 } },
    models: [{ match: '*', upstream: 'server', model: 'm' }],
    ...settings,
    transport: Object.assign(
      async (request: HttpRequest): Promise<HttpResponse> => {
        requests.push(request)
        const { status = 200, body, type = 'application/json' } = answer(request)
        const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
        async function* pieces(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
        }
        return { status, headers: { 'content-type': type }, body: pieces() }
      },
      { close: async () => {} },
    ),
  } as GatewaySettings)
}

describe('what is passed on', () => {
  test.each(['/v1/embeddings', '/embeddings', '/v1/completions'])(
    '%s reaches the upstream, with its own model',
    async (path) => {
      const requests: HttpRequest[] = []
      const reply = { object: 'list', data: [{ embedding: [1, 2], index: 0 }], note: 'é𝒳' }
      const answer = await send(
        path,
        { body: { model: 'x', input: 'é', odd: 1 } },
        gatewayTo({}, () => ({ body: reply }), requests),
      )
      expect(answer).toMatchObject({ status: 200, json: reply })
      expect(requests.map(({ url }) => url)).toEqual([`http://127.0.0.1:9/v1/${path.split('/').at(-1)}`])
      expect(JSON.parse(String(requests[0]?.body))).toEqual({ model: 'm', input: 'é', odd: 1 })
    },
  )

  test('streams as it comes', async () => {
    const stream = 'data: {"choices":[{"text":"é"}]}\n\ndata: [DONE]\n\n'
    const gateway = gatewayTo({}, () => ({ body: stream, type: 'text/event-stream' }))
    expect(await send('/v1/completions', { body: { model: 'x', prompt: 'a', stream: true } }, gateway)).toMatchObject({
      status: 200,
      type: 'text/event-stream',
      text: stream,
    })
  })

  test('has the errors of the upstream in the form of the API', async () => {
    const gateway = gatewayTo({}, () => ({ status: 404, body: { error: { message: 'no such route' } } }))
    const answer = await send('/v1/embeddings', { body: { model: 'x', input: 'a' } }, gateway)
    expect(answer).toMatchObject({
      status: 404,
      json: { error: { message: expect.stringContaining('no such route') } },
    })
    expect((await send('/v1/embeddings', { body: { input: 'a' } }, gateway)).json.error.param).toBe('model')
  })

  test('is refused where no upstream has it', async () => {
    for (const [path, bodyOf] of [
      ['/v1/embeddings', (message: unknown) => ({ error: { message } })],
      ['/v1/completions', (message: unknown) => ({ error: { message } })],
      ['/api/embed', (message: unknown) => ({ error: message })],
    ] as const) {
      const answer = await send(path, { body: { model: 'text-model', input: 'a' } })
      expect(answer).toMatchObject({
        status: 404,
        json: bodyOf(expect.stringContaining(`none of this model's upstreams ("test" (scripted)) does`)),
      })
    }
  })

  test("are embeddings in the form of Ollama, from its API or from OpenAI's", async () => {
    const reply = { data: [{ embedding: [1, 2] }, { embedding: [3] }], usage: { prompt_tokens: 5 } }
    const openai = gatewayTo({}, () => ({ body: reply }))
    expect((await send('/api/embed', { body: { model: 'x', input: ['a', 'b'] } }, openai)).json).toEqual({
      model: 'x',
      embeddings: [[1, 2], [3]],
      prompt_eval_count: 5,
    })
    expect((await send('/api/embeddings', { body: { model: 'x', prompt: 'a' } }, openai)).json).toEqual({
      embedding: [1, 2],
    })
    for (const body of [{ hello: 1 }, '<html>', '[', '']) {
      const strange = gatewayTo({}, () => ({ body }))
      expect(await send('/api/embed', { body: { model: 'x', input: 'a' } }, strange)).toMatchObject({ status: 502 })
    }
    const requests: HttpRequest[] = []
    const upstreams = { server: { type: 'ollama', url: 'http://127.0.0.1:9' } } as const
    const own = gatewayTo({ upstreams }, () => ({ body: { embeddings: [[9]] } }), requests)
    expect((await send('/api/embed', { body: { model: 'x', input: 'a' } }, own)).json).toEqual({ embeddings: [[9]] })
    expect(requests.map(({ url }) => url)).toEqual(['http://127.0.0.1:9/api/embed'])
  })
})
