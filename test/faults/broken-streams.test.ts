import { afterEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import type { PlanName } from '../../src/gateway/config/config.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import {
  calls,
  type Fault,
  type ServerReply,
  type StreamReply,
  says,
  type UpstreamServer,
} from '../support/upstream-server.ts'
import {
  apis,
  ask,
  everyApi,
  everyForm,
  expectFailure,
  open,
  piecesOf,
  readEvents,
  readUntil,
  requestLine,
  send,
  weather,
} from './api.ts'

async function gatewayBefore(
  reply: ServerReply,
  server: JsonObject = {},
  config: JsonObject = {},
  plan: PlanName = 'prompted',
): Promise<{ gateway: RunningGateway; upstream: UpstreamServer }> {
  const upstream = await upstreamServerForTest(() => reply)
  const gateway = await gatewayForTest({
    upstream: upstream.url,
    plan,
    dialect: 'tool-call-json',
    server: { retries: 3, ...server },
    config,
  })
  return { gateway, upstream }
}

/** Replies that break off in the arguments of a call: in their text, and as a server sends them that calls by itself. */
const begunCalls: { plan: PlanName; pieces: StreamReply['pieces'] }[] = [
  {
    plan: 'prompted',
    pieces: ['Let me see.\n', '<TOOL_CALL>\n{"name": "get_weather", "inp', 'ut": {"city": "Par', 'is, the '],
  },
  { plan: 'native', pieces: ['Let me see.', ...calls('get_weather', '{"city": "Par', 'is, the ')] },
]

function breaking(pieces: StreamReply['pieces'], fault: Fault): StreamReply {
  return { ...says(...pieces), fault: { ...fault, at: pieces.length } }
}

const faults: [string, Fault, JsonObject, 'upstream' | 'timeout' | 'overloaded', RegExp][] = [
  ['is cut', { type: 'cut' }, {}, 'upstream', /"test": the connection to .* was cut by the other side/],
  [
    'sends an error as data',
    { type: 'error', error: { message: 'CUDA out of memory', code: 500 } },
    {},
    'upstream',
    /500.*CUDA out of memory/,
  ],
  [
    'sends an error event',
    { type: 'error', event: true, error: { message: 'no slot', type: 'overloaded_error' } },
    {},
    'overloaded',
    /529.*no slot/,
  ],
  ['goes silent', { type: 'silence' }, { timeouts: { idle: 0.15 } }, 'timeout', /"test": .* went silent/],
]

const served = apis.flatMap((api) => begunCalls.map((begun) => ({ api, ...begun })))

const testsOf = coveringTests(served)

describe.each(served)('$api.name, plan $plan: in the middle of a call the upstream', (one) => {
  const test = testsOf(one)
  const { api, plan, pieces } = one
  test.each(faults)('%s, streamed', async (_, fault, server, failure, message) => {
    const { gateway, upstream } = await gatewayBefore(breaking(pieces, fault), server, {}, plan)
    const answer = await send(gateway, api, api.request({ stream: true, tools: [weather] }))
    expect(answer.status).toBe(200)
    const seen = api.readStream(answer.text)
    expect(seen.text).toBe('Let me see.')
    expect(seen.calls).toMatchObject([{ name: 'get_weather' }])
    // The part of the arguments that arrived was sent on, and nothing closes it.
    expect(seen.calls[0]?.arguments).toMatch(/^\{"city": ?"Paris, the/)
    expect(() => JSON.parse(seen.calls[0]?.arguments ?? '')).toThrow()
    expect(seen.finish).toBeNull()
    expect(seen.error).toEqual({ type: api.failures[failure][1], message: expect.stringMatching(message) })

    const [name, data] = api.stream.afterFailure
    const events = readEvents(answer.text)
    expect(events.at(-1)).toMatchObject({ data: expect.stringMatching(data) })
    expect(events.at(-1)?.event).toBe(name)
    if (api.name === 'anthropic') {
      expect(answer.text).toContain(`"request_id":"${answer.headers.get('request-id')}"`)
      expect(events.filter(({ event }) => event === 'content_block_stop')).toHaveLength(1)
    }
    const line = await requestLine(gateway, answer.headers.get('request-id') ?? '')
    expect(line.level).toBe('error')
    expect(line.fields).toMatchObject({ status: 200, calls: 1, error: { message: expect.stringMatching(message) } })
    // A part of the reply is out: to ask anew would double it.
    expect(upstream.requests).toHaveLength(1)
  })

  test.each(faults)('%s, whole', async (_, fault, server, failure, message) => {
    const { gateway } = await gatewayBefore(breaking(pieces, fault), server, {}, plan)
    const answer = await send(gateway, api, api.request({ tools: [weather] }))
    await expectFailure(gateway, api, answer, failure, message)
  })

  test('reaches the token limit, streamed', async () => {
    const { gateway } = await gatewayBefore({ ...says(...pieces), finishReason: 'length' }, {}, {}, plan)
    const seen = await ask(gateway, api, { stream: true, tools: [weather] })
    expect(seen).toMatchObject({ finish: api.endings.length, ended: true })
    expect(seen.error).toBeUndefined()
    expect(() => JSON.parse(seen.calls[0]?.arguments ?? '')).toThrow()
  })

  test('reaches the token limit, whole', async () => {
    const { gateway } = await gatewayBefore({ ...says(...pieces), finishReason: 'length' }, {}, {}, plan)
    const seen = await ask(gateway, api, { tools: [weather] })
    expect(seen.finish).toBe(api.endings.length)
    // No form has a call that a client could run.
    for (const call of seen.calls) expect(() => JSON.parse(call.arguments)).toThrow()
  })
})

const wholeCallApis = everyApi.filter((api) => !apis.some(({ name }) => name === api.name))
const wholeCallTestsOf = coveringTests(wholeCallApis, 2)

describe.each(wholeCallApis)('$name: in the middle of a call the upstream', (api) => {
  const test = wholeCallTestsOf(api)
  test.each(begunCalls.flatMap((begun) => faults.map((fault) => [begun, ...fault] as const)))(
    '$plan: %s',
    async ({ plan, pieces }, _, fault, server, failure, message) => {
      const { gateway } = await gatewayBefore(breaking(pieces, fault), server, {}, plan)
      const answer = await send(gateway, api, api.request({ stream: true, tools: [weather] }))
      expect(answer.status).toBe(200)
      const seen = api.readStream(answer.text)
      // Nothing of the call goes out: these APIs have calls that are whole, and no others.
      expect(seen).toMatchObject({ text: 'Let me see.', calls: [], finish: null, ended: false })
      expect(seen.error).toEqual({ type: api.failures[failure][1], message: expect.stringMatching(message) })
      const whole = await send(gateway, api, api.request({ tools: [weather] }))
      await expectFailure(gateway, api, whole, failure, message)
    },
  )

  test.each(begunCalls)('reaches the token limit: $plan', async ({ plan, pieces }) => {
    const { gateway } = await gatewayBefore({ ...says(...pieces), finishReason: 'length' }, {}, {}, plan)
    for (const stream of [false, true]) {
      const seen = await ask(gateway, api, { stream, tools: [weather] })
      expect(seen).toMatchObject({ calls: [], finish: api.endings.length, ended: true })
      expect(seen.text).toMatch(/^Let me see\..*get_weather broke off and was not made.*Paris, the/s)
    }
  })
})

const timeTestsOf = coveringTests(apis, 3)

describe.each(apis)('$name: time', (api) => {
  const test = timeTestsOf(api)
  test('a request that takes too long ends with an error', async () => {
    const reply = { ...says('Hello'), fault: { type: 'silence', at: 1 } } as const
    const { gateway, upstream } = await gatewayBefore(reply, {}, { limits: { requestSeconds: 1.2 } })
    const answer = await send(gateway, api, api.request({ stream: true }))
    const seen = api.readStream(answer.text)
    expect(seen.text).toBe('Hello')
    expect(seen.error?.type).toBe(api.failures.timeout[1])
    expect(seen.error?.message).toContain('longer than 1.2 seconds (limits.requestSeconds)')
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })

  test('headers do not wait for a slow upstream, and its failure is an error event', async () => {
    const { gateway } = await gatewayBefore(
      { type: 'raw', chunks: [], end: 'silence' },
      { timeouts: { firstByte: 0.5 } },
      { limits: { startSeconds: 0.01 } },
    )
    const response = await open(gateway, api, api.request({ stream: true }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const pieces = piecesOf(response)
    let text = await readUntil(pieces, '\n\n')
    expect(text).toContain(api.stream.beginning)
    expect(text).not.toContain('"error":{')
    for await (const piece of pieces) text += piece
    const seen = api.readStream(text)
    expect(seen.error?.message).toMatch(/sent nothing within the time limit/)
    expect(seen.error?.type).toBe(api.failures.timeout[1])
    expect(text.split(api.stream.beginning)).toHaveLength(2)
  })

  test('headers do not wait for a slow upstream, and its reply follows', async () => {
    const { gateway } = await gatewayBefore(
      { ...says('Hello'), firstByteDelayMs: 100 },
      {},
      { limits: { startSeconds: 0.01 } },
    )
    const seen = await ask(gateway, api, { stream: true })
    expect(seen).toMatchObject({ text: 'Hello', ended: true, inputTokens: 10 })
  })

  test('a reply asked for at once has a status, however slow', async () => {
    const { gateway } = await gatewayBefore(
      { type: 'raw', chunks: [], end: 'silence' },
      { timeouts: { firstByte: 0.1 } },
      { limits: { startSeconds: 0.01 } },
    )
    await expectFailure(gateway, api, await send(gateway, api, api.request()), 'timeout', /first-byte/)
  })
})

describe.each(apis)('$name: pings', (api) => {
  afterEach(() => {
    vi.useRealTimers()
  })
  /** Lets time pass until the promise is settled. */
  async function passing<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settle = (): void => {
      isSettled = true
    }
    promise.then(settle, settle)
    while (!isSettled) {
      vi.advanceTimersByTime(1000)
      await new Promise(setImmediate)
    }
    return promise
  }
  const { ping, opening } = api.stream

  test.each<[string, ServerReply, string]>([
    ['before the reply begins', { type: 'raw', chunks: [], end: 'silence' }, ''],
    ['in the middle of it', { ...says('Hello'), fault: { type: 'silence', at: 1 } }, 'Hello'],
    // The upstream has begun, yet nothing can be sent: its text may be the beginning of a call.
    ['while a text is held back', { ...says('<TOOL_'), fault: { type: 'silence', at: 1 } }, ''],
  ])('%s', async (_, reply, text) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { gateway } = await gatewayBefore(reply, {}, { limits: { startSeconds: 0.01 } })
    const response = await passing(open(gateway, api, api.request({ stream: true })))
    const pieces = piecesOf(response)
    let seen = ''
    while (!seen.includes(text) || seen.split(ping).length <= 2) seen += (await passing(pieces.next())).value
    // A stream begins with the protocol's first event, not with a ping.
    expect(seen).toMatch(opening)
    await pieces.return()
  })
})

test.each(everyForm)('$api.name, stream: $stream: a reply of nothing is a reply', async ({ api, stream }) => {
  const { gateway } = await gatewayBefore(says())
  expect(await ask(gateway, api, { stream })).toMatchObject({
    text: '',
    calls: [],
    finish: api.endings.stop,
    ended: true,
  })
})
