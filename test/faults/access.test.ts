import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import { listen } from '../../src/gateway/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'
import { type Answer, type Api, everyApi, expectFailure, isOpenAI, send, someForms } from './api.ts'

const key = 'sk-gateway-0123456789'
const otherKey = 'sk-second-9876543210'
const upstreamKey = 'sk-upstream-abcdefghij'

const missing = 'has no key. Send one of the gateway\'s keys as "x-api-key: KEY" or "Authorization: Bearer KEY"'

const keyTestsOf = coveringTests(someForms)

describe.each(someForms)('$api.name, stream: $stream: with keys', (form) => {
  const test = keyTestsOf(form)
  const { api, stream } = form
  test.each<[string, Record<string, string>]>([
    ['x-api-key', { 'x-api-key': key }],
    ['x-api-key, the second key', { 'x-api-key': otherKey }],
    ['x-api-key with spaces', { 'x-api-key': ` ${key} ` }],
    ['Bearer', { authorization: `Bearer ${key}` }],
    ['bearer in small letters', { authorization: `bearer ${otherKey}` }],
    ['both', { authorization: `Bearer ${key}`, 'x-api-key': key }],
    ['a browser far away', { 'x-api-key': key, origin: 'https://app.example' }],
  ])('lets in: %s', async (_, headers) => {
    const gateway = await gatewayForTest({ config: { keys: [key, otherKey] } })
    expect((await send(gateway, api, api.request({ stream }), { headers })).status).toBe(200)
  })

  test.each<[string, Record<string, string>, string]>([
    ['none', {}, missing],
    ['an empty one', { 'x-api-key': '' }, missing],
    ['another scheme', { authorization: `Basic ${key}` }, missing],
    ['a wrong one', { 'x-api-key': 'sk-wrong' }, 'has a key that this gateway does not know'],
    ['a wrong one as Bearer', { authorization: 'Bearer sk-wrong' }, 'has a key that this gateway does not know'],
    ['half of one', { 'x-api-key': key.slice(0, -1) }, 'a key that this gateway does not know'],
    ['one and more', { 'x-api-key': `${key}0` }, 'a key that this gateway does not know'],
    ['two as one', { 'x-api-key': `${key},${otherKey}` }, 'a key that this gateway does not know'],
  ])('keeps out: %s', async (_, headers, message) => {
    const gateway = await gatewayForTest({ config: { keys: [key, otherKey] } })
    const answer = await send(gateway, api, api.request({ stream }), { headers })
    const error = await expectFailure(gateway, api, answer, 'unauthenticated', message)
    if (isOpenAI(api)) expect(error.code).toBe('invalid_api_key')
  })
})

test.each(everyApi)('$name: a key is asked for before the body is read', async (api) => {
  const gateway = await gatewayForTest({ config: { keys: [key] } })
  await expectFailure(gateway, api, await send(gateway, api, '{'), 'unauthenticated', missing)
})

test('the list of models asks for a key, health does not', async () => {
  const gateway = await gatewayForTest({ config: { keys: [key] } })
  expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401)
  expect((await fetch(`${gateway.url}/v1/models`, { headers: { 'x-api-key': key } })).status).toBe(200)
  for (const path of ['/', '/health']) expect((await fetch(gateway.url + path)).status).toBe(200)
})

const apiTestsOf = coveringTests(everyApi, 2)

describe.each(everyApi)('$name: keys passed through', (api) => {
  const test = apiTestsOf(api)
  test.each<[string, (key: string) => Record<string, string>]>([
    ['x-api-key', (key) => ({ 'x-api-key': key })],
    ['Bearer', (key) => ({ authorization: `Bearer ${key}` })],
  ])('go to the upstream: %s', async (_, headersOf) => {
    const upstream = await upstreamServerForTest(() => says('Hello'))
    const gateway = await gatewayForTest({
      upstream: upstream.url,
      server: { key: upstreamKey },
      config: { keys: 'pass-through' },
    })
    for (const clientKey of ['sk-client-111111', 'sk-client-222222']) {
      const answer = await send(gateway, api, api.request(), { headers: headersOf(clientKey) })
      expect(answer.status).toBe(200)
      expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${clientKey}`)
    }
  })

  test('the list of models is asked for with the client’s key', async () => {
    const upstream = await upstreamServerForTest(() => says('Hi'))
    const gateway = await gatewayForTest({ upstream: upstream.url, config: { keys: 'pass-through' } })
    const response = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: 'Bearer sk-client-444444' } })
    expect(response.status).toBe(200)
    expect(upstream.modelRequests.at(-1)?.authorization).toBe('Bearer sk-client-444444')
  })

  test('are asked for', async () => {
    const upstream = await upstreamServerForTest(() => says('Hello'))
    const gateway = await gatewayForTest({ upstream: upstream.url, config: { keys: 'pass-through' } })
    await expectFailure(gateway, api, await send(gateway, api, api.request()), 'unauthenticated', 'has no key')
    expect(upstream.requests).toHaveLength(0)
  })

  test('that the upstream refuses are refused', async () => {
    const upstream = await upstreamServerForTest((_, n) => ({
      type: 'status',
      status: 401,
      body: { error: { message: `request ${n}: Incorrect API key provided: sk-client-333333.` } },
    }))
    const gateway = await gatewayForTest({ upstream: upstream.url, config: { keys: 'pass-through' } })
    const headers = { 'x-api-key': 'sk-client-333333' }
    const answer = await send(gateway, api, api.request(), { headers })
    await expectFailure(gateway, api, answer, 'unauthenticated', 'Incorrect API key provided: [key].')
  })

  test('never come from the client where the gateway has keys of its own', async () => {
    const upstream = await upstreamServerForTest(() => says('Hello'))
    const gateway = await gatewayForTest({
      upstream: upstream.url,
      server: { key: upstreamKey },
      config: { keys: [key] },
    })
    await send(gateway, api, api.request(), { headers: { 'x-api-key': key } })
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${upstreamKey}`)
    expect(JSON.stringify(upstream.requests)).not.toContain(key)
  })
})

describe.each(everyApi)('$name: keys are in no log line and no answer', (api) => {
  const test = apiTestsOf(api)
  const clientKey = 'sk-client-444444444'
  const headerSecret = 'header-secret-55555'
  const configSecret = 'config-secret-6666666'
  const secrets = [key, otherKey, upstreamKey, clientKey, headerSecret, configSecret]
  /** An upstream's error that repeats the request. */
  const echo = (sent: string): JsonObject => ({ error: { message: `You sent ${sent} and ${headerSecret}`, code: 'x' } })

  async function expectSilence(gateway: RunningGateway, answers: readonly Answer[]): Promise<void> {
    await eventually(() =>
      expect(gateway.log.filter(({ event }) => event === 'request').length).toBeGreaterThanOrEqual(answers.length),
    )
    const shown = JSON.stringify([gateway.log, answers, answers.map(({ headers }) => [...headers])])
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([])
  }

  const server = { key: upstreamKey, headers: { 'x-secret': headerSecret }, retries: 1 }

  test('whatever goes wrong', async () => {
    const upstream = await upstreamServerForTest((_, n) => {
      if (n % 4 === 0)
        return { type: 'status', status: 500, headers: { 'retry-after-ms': '1' }, body: echo(upstreamKey) }
      if (n % 4 === 1) return { ...says('Hello'), fault: { type: 'error', error: echo(upstreamKey), at: 1 } }
      if (n % 4 === 2) return { type: 'raw', chunks: [`data: ${upstreamKey}\n\n`] }
      return { type: 'raw', chunks: [`<html>${upstreamKey}</html>`] }
    })
    const gateway = await gatewayForTest({
      upstream: upstream.url,
      server,
      config: { keys: [key, otherKey], secret: configSecret },
    })
    const answers: Answer[] = []
    for (const stream of [true, false, true, false]) {
      answers.push(await send(gateway, api, api.request({ stream }), { headers: { 'x-api-key': key } }))
      answers.push(await send(gateway, api, '{', { headers: { authorization: `Bearer ${otherKey}` } }))
      answers.push(await send(gateway, api, api.request({ stream }), { headers: { 'x-api-key': clientKey } }))
      answers.push(await send(gateway, api, api.request({ model: '' }), { headers: { 'x-api-key': key } }))
    }
    answers.push(await send(gateway, api, null, { method: 'GET', path: '/nowhere', headers: { 'x-api-key': key } }))
    await expectSilence(gateway, answers)
  })

  test('the one that is passed through neither', async () => {
    const upstream = await upstreamServerForTest(() => ({ type: 'status', status: 403, body: echo(clientKey) }))
    const gateway = await gatewayForTest({ upstream: upstream.url, server, config: { keys: 'pass-through' } })
    const answers = [
      await send(gateway, api, api.request(), { headers: { 'x-api-key': clientKey } }),
      await send(gateway, api, api.request({ stream: true }), { headers: { authorization: `Bearer ${clientKey}` } }),
    ]
    await expectSilence(gateway, answers)
  })
})

/** Node's own client, since `fetch` sets the host itself. */
function statusWith(gateway: RunningGateway, api: Api, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(gateway.url + api.path, { method: 'POST', headers: { ...api.headers, ...headers } })
    request.once('error', reject).once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('end', () => {
        const got = new Headers()
        for (const [name, value] of Object.entries(response.headers)) got.set(name, String(value))
        resolve({ status: response.statusCode ?? 0, headers: got, text })
      })
    })
    request.end(JSON.stringify(api.request()))
  })
}

describe.each(everyApi)('$name: without keys', (api) => {
  const test = apiTestsOf(api)
  test.each<[string, Record<string, string>]>([
    ['a program', {}],
    ['localhost by name', { host: 'localhost:8787' }],
    ['IPv6', { host: '[::1]:8787' }],
    ['a name below localhost', { host: 'anycall.localhost' }],
    ['another address of the loop', { host: '127.8.9.1:80' }],
    ['a page of this machine', { origin: 'http://localhost:3000' }],
    ['a page of this machine by address', { origin: 'http://127.0.0.1:5173' }],
  ])('serves: %s', async (_, headers) => {
    const gateway = await gatewayForTest()
    expect((await statusWith(gateway, api, headers)).status).toBe(200)
  })

  test.each<[string, Record<string, string>, string]>([
    ['a page elsewhere', { origin: 'https://evil.example' }, 'https://evil.example'],
    ['a page that hides its origin', { origin: 'null' }, 'null'],
    ['a page whose name begins alike', { origin: 'http://localhost.evil.example' }, 'http://localhost.evil.example'],
    ['a page whose address begins alike', { origin: 'http://127.0.0.1.evil.example' }, 'http://127.0.0.1.evil.example'],
    ['an extension', { origin: 'chrome-extension://abcdef' }, 'chrome-extension://abcdef'],
    ['a rebound name', { host: 'evil.example:8787' }, 'the host name evil.example:8787'],
    ['a rebound name with a page of its own', { host: 'evil.example', origin: 'http://evil.example' }, 'evil.example'],
    ['a public address', { host: '93.184.216.34' }, 'the host name 93.184.216.34'],
    ['a host with a user part', { host: 'localhost@evil.example' }, 'evil.example'],
  ])('refuses: %s', async (_, headers, named) => {
    const gateway = await gatewayForTest()
    // Access is remembered for those who are trusted; nobody else gains by that.
    expect((await statusWith(gateway, api, {})).status).toBe(200)
    const answer = await statusWith(gateway, api, headers)
    const error = await expectFailure(gateway, api, answer, 'forbidden', "serves only this machine's own programs")
    expect(error.message).toContain(named)
    expect(error.message).toContain('Configure keys to serve others.')
  })
})

describe('listening', () => {
  const gateway = { handle: () => Promise.reject(new Error('not reached')), requiresKey: false, close: async () => {} }
  const keyed = { ...gateway, requiresKey: true }

  test.each(['0.0.0.0', '::', '192.168.1.10', 'example.com', '128.0.0.1', '', 'localhost.example.com'])(
    'refuses "%s" without keys',
    async (host) => {
      await expect(listen(gateway, { host, port: 0 })).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining(
          'the gateway has no keys. Configure "keys" or pass --key, or listen on 127.0.0.1.',
        ),
      })
    },
  )

  test.each(['127.0.0.1', 'localhost', '::1'])('takes %s without keys', async (host) => {
    // Machines without IPv6 have no ::1: then the system refuses, not the gateway.
    const running = await listen(gateway, { host, port: 0 }).catch((error: unknown) => error)
    if (running instanceof Error) expect(running.message).toMatch(/EADDRNOTAVAIL|EAFNOSUPPORT/)
    else if (typeof running === 'object' && running !== null && 'close' in running) {
      await (running as { close(): Promise<void> }).close()
    }
  })

  test('takes 0.0.0.0 with keys', async () => {
    const running = await listen(keyed, { host: '0.0.0.0', port: 0 })
    await running.close()
  })

  test('says which port is taken', async () => {
    const first = await listen(keyed, { port: 0 })
    const second = listen(keyed, { port: first.port })
    await expect(second).rejects.toThrow(/EADDRINUSE/)
    await first.close()
  })
})
