import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../conversation/index.ts'
import { createScriptedUpstream } from '../../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../../config/config.ts'
import { createGateway, type Gateway } from '../../gateway.ts'
import { listen, type RunningServer } from '../../node/server.ts'

const app = 'https://app.example'
const key = 'sk-0123456789'

function gatewayOf(config: JsonObject): Gateway {
  return createGateway({
    config: parseConfig(
      { upstreams: { test: { type: 'scripted' } }, models: [{ match: 'm', upstream: 'test' }], ...config },
      { file: 'test', env: {} },
    ),
    upstreams: new Map([['test', createScriptedUpstream({ name: 'test' })]]),
  })
}

const ask = (headers: Record<string, string>, path = '/v1/messages', method = 'OPTIONS', body?: string): Request =>
  new Request(`http://127.0.0.1${path}`, { method, headers, ...(body !== undefined && { body }) })

const preflight = (origin: string): Record<string, string> => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-stainless-os',
})

const say = (more: JsonObject = {}): string =>
  JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], ...more })

/** The headers that a browser reads. */
const seen = ({ headers }: Response): (string | null)[] =>
  ['access-control-allow-origin', 'vary'].map((name) => headers.get(name))

describe('a preflight', () => {
  test.each([
    ['of a listed origin', [app], app, [app, 'origin']],
    ['of any origin', '*', app, ['*', null]],
    ['of a page without an origin of its own', '*', 'null', ['*', null]],
  ])('%s is granted what it asks for, without a key', async (_, cors, origin, granted) => {
    const response = await gatewayOf({ cors, keys: [key] }).fetch(ask(preflight(origin)))
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(seen(response)).toEqual(granted)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers': 'authorization,content-type,x-stainless-os',
      'access-control-max-age': '7200',
      'access-control-expose-headers': 'request-id, x-request-id, retry-after, x-anycall-notices',
    })
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  })

  test.each(['https://other.example', 'https://app.example.org', 'http://app.example', 'null'])(
    'of %s, which is not listed, is refused',
    async (origin) => {
      const response = await gatewayOf({ cors: app }).fetch(ask(preflight(origin)))
      expect([response.status, ...seen(response)]).toEqual([403, null, 'origin'])
      expect(await response.text()).toContain(`Pages of ${origin} may not use this gateway. List their origin`)
    },
  )

  test('is told what to configure where no origin is listed', async () => {
    const response = await gatewayOf({}).fetch(ask(preflight(app)))
    expect([response.status, response.headers.get('allow'), ...seen(response)]).toEqual([405, 'POST', null, null])
    expect(await response.text()).toContain('list the origins of those that may in \\"cors\\"')
    expect((await gatewayOf({}).fetch(ask(preflight(app), '/nowhere'))).status).toBe(404)
  })

  test('is granted for any path, so that the page can read what is wrong with it', async () => {
    const gateway = gatewayOf({ cors: app })
    expect((await gateway.fetch(ask(preflight(app), '/nowhere'))).status).toBe(200)
    const response = await gateway.fetch(ask({ origin: app }, '/nowhere', 'GET'))
    expect([response.status, ...seen(response)]).toEqual([404, app, 'origin'])
  })
})

describe.each<[string, string[] | '*', string]>([
  ['listed', [app], app],
  ['any', '*', '*'],
])('a page may read, its origin being %s:', (_, cors, granted) => {
  const gateway = gatewayOf({ cors, keys: [key] })
  const headers = { origin: app, 'x-api-key': key }
  test.each<[string, number, Request]>([
    ['a reply', 200, ask(headers, '/v1/messages', 'POST', say())],
    ['a stream', 200, ask(headers, '/v1/chat/completions', 'POST', say({ stream: true }))],
    ['the models', 200, ask(headers, '/v1/models', 'GET')],
    ['what is wrong', 400, ask(headers, '/v1/messages', 'POST', '{')],
    ['that its key is wrong', 401, ask({ origin: app, 'x-api-key': 'sk-wrong' }, '/v1/messages', 'POST', say())],
    ['that its method is wrong', 405, ask(headers, '/v1/messages', 'GET')],
  ])('%s', async (_, status, request) => {
    const response = await gateway.fetch(request)
    expect([response.status, seen(response)[0]]).toEqual([status, granted])
    expect(response.headers.get('access-control-expose-headers')).toContain('request-id')
  })
})

test('who has a key and another origin is served, and no page may read it', async () => {
  const headers = { origin: 'https://other.example', 'x-api-key': key }
  const response = await gatewayOf({ cors: app, keys: [key] }).fetch(ask(headers, '/v1/messages', 'POST', say()))
  expect([response.status, ...seen(response)]).toEqual([200, null, 'origin'])
})

test('a program, which names no origin, notices nothing of it', async () => {
  const response = await gatewayOf({ cors: app }).fetch(ask({}, '/v1/messages', 'POST', say()))
  expect([response.status, ...seen(response)]).toEqual([200, null, 'origin'])
  const bare = await gatewayOf({}).fetch(ask({}, '/v1/messages', 'POST', say()))
  expect(seen(bare)).toEqual([null, null])
})

describe('without keys', () => {
  test.each<[string[] | undefined, Record<string, string>, number]>([
    [undefined, { origin: app }, 403],
    [[app], { origin: app }, 200],
    [[app], { origin: 'https://other.example' }, 403],
    [['*'], { origin: 'https://other.example' }, 200],
    // A page under its own name that resolves to this address is of the same origin: its browser sends no preflight.
    [['*'], { origin: 'http://rebound.example', host: 'rebound.example' }, 403],
    [['*'], { host: 'rebound.example' }, 403],
  ])('cors %j: a request with %j is a %d', async (cors, headers, status) => {
    const gateway = gatewayOf(cors ? { cors } : {})
    expect((await gateway.fetch(ask(headers, '/v1/messages', 'POST', say()))).status).toBe(status)
  })
})

describe('over HTTP', () => {
  const gateway = gatewayOf({ cors: app })
  let server: RunningServer
  beforeAll(async () => {
    server = await listen(gateway, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())

  test('it is the same', async () => {
    const { 'access-control-request-headers': wanted = '' } = preflight(app)
    const headers = { origin: app, 'access-control-request-headers': wanted }
    const asked = await fetch(`${server.url}/v1/messages`, { method: 'OPTIONS', headers })
    expect([asked.status, await asked.text(), ...seen(asked)]).toEqual([200, '', app, 'origin'])
    expect(asked.headers.get('access-control-allow-headers')).toBe(wanted)
    const init = { method: 'POST', headers: { origin: app }, body: say({ stream: true }) }
    const streamed = await fetch(`${server.url}/v1/messages`, init)
    expect([streamed.status, ...seen(streamed)]).toEqual([200, app, 'origin'])
    expect(await streamed.text()).toContain('message_stop')
  })
})
