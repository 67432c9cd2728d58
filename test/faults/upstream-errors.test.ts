import { createServer } from 'node:net'
import { describe, expect } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { type ServerReply, says, type UpstreamServer } from '../support/upstream-server.ts'
import { ask, everyForm, expectFailure, type Failure, send } from './api.ts'

/** A gateway in front of a server that answers every request alike, or each by its number. */
async function gatewayBefore(
  reply: ServerReply | ((n: number) => ServerReply),
  server: JsonObject = { retries: 0 },
): Promise<{ gateway: RunningGateway; upstream: UpstreamServer }> {
  const upstream = await upstreamServerForTest((_, n) => (typeof reply === 'function' ? reply(n) : reply))
  return { gateway: await gatewayForTest({ upstream: upstream.url, server }), upstream }
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port was bound')
  return address.port
}

const said = (message: string): JsonValue => ({ error: { message, type: 'server_error', code: null } })

const testsOf = coveringTests(everyForm)

describe.each(everyForm)('$api.name, stream: $stream', (form) => {
  const test = testsOf(form)
  const { api, stream } = form
  const request = api.request({ stream })

  test('nothing listens', async () => {
    const port = await closedPort()
    const gateway = await gatewayForTest({ upstream: `http://127.0.0.1:${port}/v1`, server: { retries: 1 } })
    const answer = await send(gateway, api, request)
    const advice = `Upstream "test": nothing listens at http://127.0.0.1:${port}/v1/chat/completions (connection refused). Is the server running?`
    await expectFailure(gateway, api, answer, 'upstream', advice)
    expect(gateway.log.filter(({ event }) => event === 'upstream.retry')).toHaveLength(1)
  })

  test.each<[number, string, Failure, RegExp]>([
    [400, 'temperature must be below 2', 'invalid', /400.*temperature must be below 2.*Change the request/],
    [401, 'bad key', 'unauthenticated', /"test" answered 401.*bad key.*Check the key of upstream "test"/],
    [403, 'no access', 'forbidden', /403.*no access.*Check what the key of upstream "test"/],
    [404, 'no such model', 'not-found', /404.*no such model.*Check the model's name/],
    [429, 'slow down', 'rate-limit', /429.*slow down.*Wait/],
    [500, 'boom', 'upstream', /500.*boom.*that server's log/],
    [503, 'loading', 'overloaded', /503.*loading.*try again later/],
    [529, 'too busy', 'overloaded', /529.*too busy.*try again later/],
  ])('status %d', async (status, message, failure, expected) => {
    const { gateway } = await gatewayBefore({ type: 'status', status, body: said(message) })
    await expectFailure(gateway, api, await send(gateway, api, request), failure, expected)
  })

  test('Retry-After is passed on', async () => {
    const reply: ServerReply = { type: 'status', status: 429, headers: { 'retry-after': '17' } }
    const { gateway, upstream } = await gatewayBefore(reply, { retries: 3 })
    const answer = await send(gateway, api, request)
    await expectFailure(gateway, api, answer, 'rate-limit', '429')
    expect(answer.headers.get('retry-after')).toBe('17')
    // So long a wait is the client's to decide on.
    expect(upstream.requests).toHaveLength(1)
  })

  test.each([429, 500, 529])('a passing status %d is tried again', async (status) => {
    const busy: ServerReply = { type: 'status', status, headers: { 'retry-after-ms': '1' } }
    const { gateway, upstream } = await gatewayBefore((n) => (n < 2 ? busy : says('Hello')), { retries: 2 })
    expect(await ask(gateway, api, { stream })).toMatchObject({ text: 'Hello', ended: true })
    expect(upstream.requests).toHaveLength(3)
    expect(gateway.log.filter(({ event }) => event === 'upstream.retry')).toHaveLength(2)
  })

  test.each([400, 401, 403, 404])('a status %d that stays is not tried again', async (status) => {
    const { gateway, upstream } = await gatewayBefore({ type: 'status', status }, { retries: 3 })
    await send(gateway, api, request)
    expect(upstream.requests).toHaveLength(1)
  })

  test('a prompt that is too long is told in the words that clients know', async () => {
    const message =
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages."
    const body = { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }
    const { gateway } = await gatewayBefore({ type: 'status', status: 400, body })
    const error = await expectFailure(gateway, api, await send(gateway, api, request), 'invalid', /4096/)
    // Claude Code compacts at these words, OpenAI's clients look at the code.
    if (api.name === 'anthropic') expect(error.message).toMatch(/^prompt is too long: 5000 tokens > 4096 maximum/)
    else if (api.name === 'openai') expect(error.code).toBe('context_length_exceeded')
  })

  test.each<[string, ServerReply]>([
    ['no SSE', { type: 'raw', chunks: ['hello, I am a web server\n'] }],
    ['an HTML page', { type: 'raw', chunks: ['<html><body>It works!</body></html>'], contentType: 'text/html' }],
    ['data that is no JSON', { type: 'raw', chunks: ['data: {"choi\n\n', 'data: ces"}\n\n'] }],
    ['bytes without meaning', { type: 'raw', chunks: [Uint8Array.from({ length: 300 }, (_, n) => (n * 7) % 256)] }],
  ])('garbage: %s', async (_, reply) => {
    const { gateway } = await gatewayBefore(reply)
    const answer = await send(gateway, api, request)
    await expectFailure(gateway, api, answer, 'upstream', /"test" sent what is not a chat completion/)
  })

  test.each<[string, ServerReply]>([
    ['nothing at all', { type: 'raw', chunks: [] }],
    ['an answer that is cut at once', { type: 'raw', chunks: [], end: 'cut' }],
    ['comments alone', { type: 'raw', chunks: [': ping\n\n', ': ping\n\n'] }],
    ['JSON that is no completion', { type: 'raw', chunks: ['{"hello": "world"}'] }],
  ])('%s', async (_, reply) => {
    const { gateway } = await gatewayBefore(reply)
    await expectFailure(gateway, api, await send(gateway, api, request), 'upstream', /upstream "test"/i)
  })

  test('garbage between the pieces is skipped and logged', async () => {
    const reply = {
      ...says('Hel', 'lo'),
      fault: { type: 'bytes', bytes: 'data: oops\n\nnonsense\n\n', at: 1 },
    } as const
    const { gateway } = await gatewayBefore(reply)
    expect(await ask(gateway, api, { stream })).toMatchObject({ text: 'Hello', ended: true })
    expect(gateway.log.some(({ event }) => event === 'upstream.malformed-event')).toBe(true)
  })

  test('an error in the very first event has a status', async () => {
    const overloaded: JsonValue = { message: 'no slot', code: 429 }
    const { gateway } = await gatewayBefore({ ...says(), fault: { type: 'error', error: overloaded, at: 0 } })
    await expectFailure(gateway, api, await send(gateway, api, request), 'rate-limit', /no slot/)
  })

  test('silence before the first byte', async () => {
    const { gateway, upstream } = await gatewayBefore(
      { type: 'raw', chunks: [], end: 'silence' },
      { timeouts: { firstByte: 0.05 } },
    )
    const answer = await send(gateway, api, request)
    await expectFailure(
      gateway,
      api,
      answer,
      'timeout',
      /sent nothing within the time limit.*Raise the first-byte timeout/,
    )
    await eventually(() => expect(upstream.active).toBe(0))
    expect(upstream.requests).toHaveLength(1)
  })

  test('more time than a request may take', async () => {
    const upstream = await upstreamServerForTest(() => ({ type: 'raw', chunks: [], end: 'silence' }))
    const gateway = await gatewayForTest({ upstream: upstream.url, config: { limits: { requestSeconds: 0.2 } } })
    const answer = await send(gateway, api, request)
    await expectFailure(gateway, api, answer, 'timeout', 'longer than 0.2 seconds (limits.requestSeconds)')
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })
})
