import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'
import { listen, type RunningServer } from '../node/server.ts'

const gateway = createGateway({
  config: parseConfig(
    { upstreams: { test: { type: 'scripted' } }, models: [{ match: ['m', 'claude-*'], upstream: 'test' }] },
    { file: 'test', env: {} },
  ),
  upstreams: new Map([['test', createScriptedUpstream({ name: 'test' })]]),
})

let server: RunningServer
beforeAll(async () => {
  server = await listen(gateway, { host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/** The two ways to run it, which must behave alike. */
const ways: [string, (path: string, init: RequestInit) => Promise<Response>][] = [
  ['as a Web function', (path, init) => gateway.fetch(new Request(`http://localhost${path}`, init))],
  ['over HTTP', (path, init) => fetch(server.url + path, init)],
]

const body = JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] })

describe.each(ways)('%s', (_, send) => {
  test.each([
    ['GET', '/v1/messages', 'POST'],
    ['HEAD', '/v1/messages', 'POST'],
    ['DELETE', '/v1/messages/count_tokens', 'POST'],
    ['PUT', '/v1/chat/completions', 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['POST', '/v1/models/m', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('%s %s is answered with what is allowed', async (method, path, allow) => {
    const response = await send(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    const text = await response.text()
    if (method === 'HEAD') expect(text).toBe('')
    else expect(text).toContain(`${path} takes ${allow}, not ${method}.`)
  })

  test.each([
    ['/', 200],
    ['/health', 200],
    ['/v1/models', 200],
    ['/v1/models/m', 200],
    ['/v1/models/unknown', 404],
    ['/nowhere', 404],
  ])('HEAD %s is GET without the body', async (path, status) => {
    const whole = await send(path, { method: 'GET' })
    const head = await send(path, { method: 'HEAD' })
    expect([whole.status, head.status]).toEqual([status, status])
    expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
    expect(await whole.text()).not.toBe('')
    expect(await head.text()).toBe('')
  })

  test.each(['/v1/messages', '/v1/chat/completions'])('a body may be compressed: %s', async (path) => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await send(path, { method: 'POST', headers, body: gzipSync(body) })).status).toBe(200)
  })

  test.each([
    ['/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1/chat/completions', { error: { type: 'invalid_request_error', code: null, param: null } }],
  ])('a coding that is not read is a 415 that says which are: %s', async (path, error) => {
    const response = await send(path, { method: 'POST', headers: { 'content-encoding': 'br' }, body })
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'gzip, deflate'])
    expect(await response.json()).toMatchObject(error)
  })
})
