import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { AnycallError } from '../conversation/index.ts'
import { createScriptedUpstream, type Play } from '../upstreams/scripted/scripted.ts'
import type { GenerationContext, Log, Upstream } from '../upstreams/upstream.ts'
import { parseConfig } from './config/config.ts'
import { createGateway, type Gateway } from './gateway.ts'

interface Made {
  gateway: Gateway
  log: Parameters<Log>[]
  contexts: GenerationContext[]
}

/** A gateway before an upstream that plays one reply again and again; without one, the scripted model replies by itself. */
function gatewayBefore(play?: Play | Upstream['generate'], config: Record<string, unknown> = {}): Made {
  const contexts: GenerationContext[] = []
  const scripted = createScriptedUpstream({ name: 'test', ...(typeof play === 'object' && { play: () => play }) })
  const generate = typeof play === 'function' ? play : scripted.generate
  const upstream: Upstream = {
    ...scripted,
    generate: (request, context) => {
      contexts.push(context)
      return generate(request, context)
    },
  }
  const log: Parameters<Log>[] = []
  const parsed = parseConfig(
    { upstreams: { test: { type: 'scripted' } }, models: [{ match: '*', upstream: 'test' }], ...config },
    { file: 'test', env: {} },
  )
  const gateway = createGateway({
    config: parsed,
    upstreams: new Map([['test', upstream]]),
    log: (...line) => log.push(line),
  })
  return { gateway, log, contexts }
}

function post(more: Record<string, unknown> = {}, init: RequestInit = {}, path = '/v1/messages'): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...more }),
    ...init,
  })
}

const requestLines = (log: Parameters<Log>[]): unknown[] => log.filter(([, event]) => event === 'request')

describe('the gateway as a Web function', () => {
  test('answers whole', async () => {
    const { gateway } = gatewayBefore({ pieces: ['It ', 'rains.'] })
    const response = await gateway.fetch(post())
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'It rains.' }] })
    expect(response.headers.get('request-id')).toMatch(/^req_/)
  })

  test.each(['/v1/messages', '/v1/chat/completions'])('streams: %s', async (path) => {
    const { gateway, log } = gatewayBefore({ pieces: ['It ', 'rains.'] })
    const response = await gateway.fetch(post({ stream: true }, {}, path))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('"It"')
    expect(text).toContain('" rains."')
    expect(text).toMatch(path === '/v1/messages' ? /"type":"message_stop"\}\n\n$/ : /\[DONE\]\n\n$/)
    expect(requestLines(log)).toHaveLength(1)
  })

  test.each<[string, RequestInit & { method: string }, number]>([
    ['/', { method: 'HEAD' }, 200],
    ['/', { method: 'GET' }, 200],
    ['/health', { method: 'GET' }, 200],
    ['/v1/models', { method: 'GET' }, 200],
    ['/v1/models/any%2Fmodel%20name', { method: 'GET' }, 200],
    ['/v1/models/%ZZ', { method: 'GET' }, 200],
    ['/nowhere', { method: 'GET' }, 404],
    ['/v1/messages', { method: 'GET' }, 405],
    ['/v1beta/models/qwen2.5:7b', { method: 'GET' }, 200],
    ['/v1beta/models/qwen2.5:7b:generateContent', { method: 'GET' }, 405],
    ['/v1/models/m:countTokens', { method: 'GET' }, 405],
  ])('%s %o is a %d', async (path, init, status) => {
    const { gateway } = gatewayBefore()
    const response = await gateway.fetch(new Request(`http://localhost${path}`, init))
    expect(response.status).toBe(status)
  })

  test('a name in a path is decoded', async () => {
    const { gateway } = gatewayBefore()
    const named = async (path: string): Promise<unknown> =>
      (await gateway.fetch(new Request(`http://localhost/v1/models/${path}`))).json()
    expect(await named('any%2Fmodel%20name')).toMatchObject({ id: 'any/model name', object: 'model' })
    expect(await named('%ZZ')).toMatchObject({ id: '%ZZ' })
  })

  test('errors have the shape that the client knows, where the path does not tell', async () => {
    const { gateway } = gatewayBefore()
    const at = (headers: Record<string, string>): Promise<Response> =>
      gateway.fetch(new Request('http://localhost/v1/nothing', { headers }))
    expect(await (await at({})).json()).toMatchObject({ error: { code: null, param: null } })
    const headers = { 'anthropic-version': '2023-06-01' }
    expect(await (await at(headers)).json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  })
})

describe('a reader of the Web function that leaves', () => {
  const endless: Play = { pieces: ['Hello'], fault: { type: 'hang' } }

  test('stops the upstream by cancelling the body, even while nothing comes', async () => {
    const { gateway, contexts, log } = gatewayBefore(endless, { limits: { concurrentRequests: 1 } })
    for (let n = 0; n < 3; n++) {
      const response = await gateway.fetch(post({ stream: true }))
      expect(response.status).toBe(200)
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      expect(contexts[n]?.signal.aborted).toBe(true)
    }
    expect(requestLines(log)).toHaveLength(3)
    expect(requestLines(log)[0]).toMatchObject(['info', 'request', { error: { kind: 'cancelled' } }])
  })

  test('stops the upstream by the request’s own signal', async () => {
    const { gateway, contexts } = gatewayBefore(endless)
    const controller = new AbortController()
    const response = await gateway.fetch(post({ stream: true }, { signal: controller.signal }))
    controller.abort()
    expect(contexts[0]?.signal.aborted).toBe(true)
    expect(await response.text()).toContain('event: error')
  })

  test('without a word is let go when its time is over', async () => {
    const { gateway, log } = gatewayBefore(endless, { limits: { concurrentRequests: 1, requestSeconds: 0.1 } })
    const response = await gateway.fetch(post({ stream: true }))
    await eventually(() => expect(requestLines(log)).toHaveLength(1))
    expect(requestLines(log)[0]).toMatchObject(['error', 'request', { error: { kind: 'timeout' } }])
    expect((await gateway.fetch(post({ stream: true }))).status).toBe(200)
    expect(await response.text()).toContain('"type":"timeout_error"')
  })
})

describe('a failure inside', () => {
  const broken: Upstream['generate'] = () => Promise.reject(new TypeError('Cannot read secrets of undefined'))

  test.each([false, true])(
    'is a 500 that tells the client nothing and the log everything, stream: %s',
    async (stream) => {
      const { gateway, log } = gatewayBefore(broken)
      const response = await gateway.fetch(post({ stream }))
      const text = await response.text()
      expect(response.status).toBe(500)
      expect(text).not.toContain('secrets')
      expect(text).toContain('Internal error; see the log of anycall for this request id.')
      const id = response.headers.get('request-id')
      expect(requestLines(log)).toMatchObject([
        [
          'error',
          'request',
          { requestId: id, status: 500, error: { cause: expect.stringContaining('Cannot read secrets') } },
        ],
      ])
    },
  )

  test('after the first byte is an error event', async () => {
    const { gateway } = gatewayBefore(async () =>
      (async function* () {
        yield [{ type: 'text' as const, text: 'Hello' }]
        throw new TypeError('Cannot read secrets of undefined')
      })(),
    )
    const text = await (await gateway.fetch(post({ stream: true }))).text()
    expect(text).toContain('Hello')
    expect(text).toContain('Internal error')
    expect(text).not.toContain('secrets')
  })

  test('of one request harms no other', async () => {
    let n = 0
    const { gateway } = gatewayBefore(
      async () => {
        if (n++ === 0) throw new Error('once')
        return (async function* () {
          yield [
            { type: 'text' as const, text: 'Hello' },
            { type: 'finish' as const, reason: 'stop' as const },
          ]
        })()
      },
      { limits: { concurrentRequests: 1 } },
    )
    expect((await gateway.fetch(post())).status).toBe(500)
    expect((await gateway.fetch(post())).status).toBe(200)
  })
})

test('an upstream’s own word on when to try again is passed on, in whole seconds', async () => {
  const error = new AnycallError('rate-limit', 'slow down', { retryAfter: 1.2 })
  const { gateway } = gatewayBefore({ pieces: [], fault: { type: 'status', error } })
  const response = await gateway.fetch(post())
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
})

test('the upstream hears of the request by its id and the client’s key only where it is passed through', async () => {
  const own = gatewayBefore({ pieces: ['x'] }, { keys: ['sk-own-key-123'] })
  const headers = { 'x-api-key': 'sk-own-key-123' }
  const response = await own.gateway.fetch(post({}, { headers }))
  expect(own.contexts[0]?.requestId).toBe(response.headers.get('request-id'))
  expect(own.contexts[0]?.clientKey).toBeUndefined()
  const through = gatewayBefore({ pieces: ['x'] }, { keys: 'pass-through' })
  await through.gateway.fetch(post({}, { headers: { 'x-api-key': 'sk-client-key' } }))
  expect(through.contexts[0]?.clientKey).toBe('sk-client-key')
})

test('closing ends what the Web function still answers', async () => {
  const { gateway, contexts, log } = gatewayBefore({ pieces: ['Hello'], fault: { type: 'hang' } })
  const response = await gateway.fetch(post({ stream: true }))
  const text = response.text()
  await gateway.close()
  expect(await text).toContain('The gateway is shutting down. Try again shortly.')
  expect(contexts[0]?.signal.aborted).toBe(true)
  expect(requestLines(log)).toMatchObject([['warn', 'request', { error: { kind: 'unavailable' } }]])
})

test('closing lets go of every upstream', async () => {
  const closed: string[] = []
  const upstream = (name: string): Upstream => ({
    ...createScriptedUpstream({ name }),
    close: async () => {
      closed.push(name)
    },
  })
  const config = parseConfig(
    { upstreams: { a: { type: 'scripted' }, b: { type: 'scripted' } } },
    { file: 'test', env: {} },
  )
  const upstreams = new Map([
    ['a', upstream('a')],
    ['b', upstream('b')],
  ])
  await createGateway({ config, upstreams }).close()
  expect(closed).toEqual(['a', 'b'])
})

test('a rule for an upstream that was not made is refused at once', () => {
  const config = parseConfig(
    { upstreams: { a: { type: 'scripted' } }, models: [{ match: 'x*', upstream: 'a' }] },
    { file: 'test', env: {} },
  )
  expect(() => createGateway({ config, upstreams: new Map() })).toThrow('no upstream "a" was made for the rule x*')
})
