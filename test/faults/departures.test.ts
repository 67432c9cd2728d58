import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import type { PlanName } from '../../src/gateway/config/config.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type LogLine, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { calls, type ServerReply, type StreamReply, says, type UpstreamServer } from '../support/upstream-server.ts'
import { type Api, apis, forms, open, piecesOf, readUntil, send, weather } from './api.ts'

async function gatewayBefore(
  reply: ServerReply | ((n: number) => ServerReply),
  server: JsonObject = { retries: 3 },
  config: JsonObject = {},
): Promise<{ gateway: RunningGateway; upstream: UpstreamServer }> {
  const upstream = await upstreamServerForTest((_, n) => (typeof reply === 'function' ? reply(n) : reply))
  return { gateway: await gatewayForTest({ upstream: upstream.url, server, config }), upstream }
}

/** The log's line on the one request, which the client left. */
async function leftLine(gateway: RunningGateway): Promise<LogLine> {
  const line = await eventually(() => {
    const found = gateway.log.find(({ event }) => event === 'request')
    if (!found) throw new Error('no line yet')
    return found
  })
  expect(line.level).toBe('info')
  expect(line.fields).toMatchObject({ error: { kind: 'cancelled' } })
  return line
}

/** Starts a request and leaves once `check` holds. */
async function leaveWhen(gateway: RunningGateway, api: Api, body: JsonObject, check: () => void): Promise<void> {
  const controller = new AbortController()
  const response = open(gateway, api, body, { signal: controller.signal }).then((response) => response.text())
  await eventually(check)
  controller.abort()
  await expect(response).rejects.toThrow(/abort/i)
}

describe.each(apis)('$name: a client that leaves', (api) => {
  test.each<[string, ServerReply]>([
    ['while the upstream is silent', { ...says('Hello'), fault: { type: 'silence', at: 1 } }],
    ['while the upstream writes', { ...says(...new Array(100_000).fill('Hello ')) }],
  ])('in mid-stream, %s', async (_, reply) => {
    const { gateway, upstream } = await gatewayBefore(reply)
    const response = await open(gateway, api, api.request({ stream: true }))
    const pieces = piecesOf(response)
    await readUntil(pieces, 'Hello')
    await pieces.return()
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    expect((await leftLine(gateway)).fields.status).toBe(200)
    expect(upstream.active).toBe(0)
  })

  test.each<[PlanName, StreamReply['pieces']]>([
    ['prompted', ['<TOOL_CALL>{"name": "get_weather", "input": {"city": "', 'Paris']],
    ['native', calls('get_weather', '{"city": "', 'Paris')],
  ])('in the middle of a call, by plan %s', async (plan, call) => {
    const silent: ServerReply = { ...says(...call), fault: { type: 'silence', at: call.length } }
    const upstream = await upstreamServerForTest(() => silent)
    const gateway = await gatewayForTest({ upstream: upstream.url, plan, dialect: 'tool-call-json' })
    const response = await open(gateway, api, api.request({ stream: true, tools: [weather] }))
    const pieces = piecesOf(response)
    await readUntil(pieces, 'Paris')
    await pieces.return()
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })

  test('does so without an end of the connection: the socket is cut', async () => {
    const { gateway, upstream } = await gatewayBefore({ ...says('Hello'), fault: { type: 'silence', at: 1 } })
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    const body = JSON.stringify(api.request({ stream: true }))
    socket.write(`POST ${api.path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    for await (const bytes of socket) if (String(bytes).includes('Hello')) break
    socket.resetAndDestroy()
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    await leftLine(gateway)
  })
})

describe.each(forms)('$api.name, stream: $stream: a client that leaves while several of its requests wait', ({ api, stream }) => {
  test('on one connection makes room for others', async () => {
    const silent: ServerReply = { type: 'raw', chunks: [], end: 'silence' }
    const { gateway, upstream } = await gatewayBefore(
      (n) => (n === 0 ? silent : says('Hello')),
      {},
      { limits: { concurrentRequests: 1 } },
    )
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    const body = JSON.stringify(api.request({ stream }))
    const request = `POST ${api.path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(request.repeat(90))
    await eventually(() => expect(upstream.requests).toHaveLength(1))
    socket.destroy()
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    expect((await send(gateway, api, api.request({ stream }))).status).toBe(200)
    // The requests after the first were never begun.
    expect(upstream.requests).toHaveLength(2)
  })
})

describe.each(forms)('$api.name, stream: $stream: a client that leaves', ({ api, stream }) => {
  test('before the first byte', async () => {
    const { gateway, upstream } = await gatewayBefore({ type: 'raw', chunks: [], end: 'silence' })
    await leaveWhen(gateway, api, api.request({ stream }), () => expect(upstream.requests).toHaveLength(1))
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    expect((await leftLine(gateway)).fields.status).toBe(499)
    // A client that left is no reason to try again.
    expect(upstream.requests).toHaveLength(1)
  })

  test('while a retry waits', async () => {
    const { gateway, upstream } = await gatewayBefore({ type: 'status', status: 503, headers: { 'retry-after': '9' } })
    await leaveWhen(gateway, api, api.request({ stream }), () =>
      expect(gateway.log.some(({ event }) => event === 'upstream.retry')).toBe(true),
    )
    await leftLine(gateway)
    expect(upstream.requests).toHaveLength(1)
  })

  test('while a call that is required is asked for once more', async () => {
    const { gateway, upstream } = await gatewayBefore((n) =>
      n === 0 ? says('No.') : { type: 'raw', chunks: [], end: 'silence' },
    )
    const body = api.request({ stream, tools: [weather], choice: 'required' })
    await leaveWhen(gateway, api, body, () => expect(upstream.requests).toHaveLength(2))
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    await leftLine(gateway)
  })

  test('makes room for others', async () => {
    const { gateway, upstream } = await gatewayBefore(
      (n) => (n < 3 ? { type: 'raw', chunks: [], end: 'silence' } : says('Hello')),
      {},
      { limits: { concurrentRequests: 1 } },
    )
    for (let n = 1; n <= 3; n++) {
      await leaveWhen(gateway, api, api.request({ stream }), () => expect(upstream.requests).toHaveLength(n))
      await eventually(() => expect(upstream.closedEarly).toBe(n))
    }
    expect((await send(gateway, api, api.request({ stream }))).status).toBe(200)
  })
})
