import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import type { PlanName } from '../../src/gateway/config/config.ts'
import { coveringPairs } from '../support/draws.ts'
import { gatewayForTest, upstreamServerForTest } from '../support/gateway-fixture.ts'
import type { RawReply, ServerReply } from '../support/upstream-server.ts'
import { apis, ask, everyForm, expectFailure, type Failure, send, weather } from './api.ts'

/** The events of a stream, numbered as the API numbers them. */
function streamed(...events: JsonObject[]): string[] {
  return events.map((event, n) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: n })}\n\n`)
}

const response = (more: JsonObject): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  output: [],
  error: null,
  ...more,
})
const created: JsonObject = { type: 'response.created', response: response({ status: 'in_progress' }) }
const message: JsonObject = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
const call: JsonObject = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_weather', arguments: '' }
const said = (index: number, delta: string): JsonObject => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: index,
  content_index: 0,
  delta,
  logprobs: [],
})
const text = (...pieces: string[]): JsonObject[] => [
  { type: 'response.output_item.added', output_index: 0, item: message },
  ...pieces.map((piece) => said(0, piece)),
]
const wrote = (delta: string): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'fc_1',
  output_index: 1,
  delta,
})
const begunCall: JsonObject[] = [
  { type: 'response.output_item.added', output_index: 1, item: call },
  wrote('{"city": "Par'),
  wrote('is, the '),
]
const ended = (status: string, more: JsonObject = {}): JsonObject => ({
  type: `response.${status}`,
  response: response({ status, ...more }),
})
const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }

/** Streams that break off in a call: in their text, and in a call that the server makes itself. */
const begun: { plan: PlanName; events: JsonObject[] }[] = [
  {
    plan: 'prompted',
    events: text('I look.\n', '<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "Par', 'is, the '),
  },
  { plan: 'native', events: [...text('I look.'), ...begunCall] },
]

const errorOf = (code: string, words: string): JsonObject => ({ error: { code, message: words } })
const raw = (chunks: string[], end: RawReply['end'] = 'end'): RawReply => ({ type: 'raw', chunks, end })

/** The ends that a stream may have after its events. */
const faults: [name: string, fault: (events: JsonObject[]) => ServerReply, Failure, RegExp][] = [
  ['cut', (events) => raw(streamed(...events), 'cut'), 'upstream', /cut by the other side/],
  [
    'over without response.completed',
    (events) => raw(streamed(...events)),
    'upstream',
    /ended without a finish reason/,
  ],
  [
    'over with [DONE] alone',
    (events) => raw([...streamed(...events), 'data: [DONE]\n\n']),
    'upstream',
    /finish reason/,
  ],
  ['silent', (events) => raw(streamed(...events), 'silence'), 'timeout', /went silent/],
  [
    'an error event with fields beside the type',
    (events) => raw(streamed(...events, { type: 'error', code: 'server_error', message: 'boom', param: null })),
    'upstream',
    /500.*boom/,
  ],
  [
    'an error whose event has no name',
    (events) =>
      raw([
        ...streamed(...events),
        'data: {"type": "error", "code": "server_error", "message": "boom", "param": null}\n\n',
      ]),
    'upstream',
    /500.*boom/,
  ],
  [
    'an error event with an error within',
    (events) => raw(streamed(...events, { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } })),
    'rate-limit',
    /429.*slow down/,
  ],
  [
    'response.failed',
    (events) => raw(streamed(...events, ended('failed', errorOf('server_error', 'boom')))),
    'upstream',
    /500.*boom/,
  ],
  [
    'response.failed for the rate limit',
    (events) => raw(streamed(...events, ended('failed', errorOf('rate_limit_exceeded', 'slow down')))),
    'rate-limit',
    /429.*slow down/,
  ],
  [
    'response.failed for the prompt',
    (events) => raw(streamed(...events, ended('failed', errorOf('invalid_prompt', 'not this')))),
    'invalid',
    /400.*not this/,
  ],
  [
    'response.failed without an error',
    (events) => raw(streamed(...events, ended('failed'))),
    'upstream',
    /gave up.*failed/,
  ],
  [
    'an event whose JSON is cut',
    (events) =>
      raw([...streamed(...events), 'data: {"type": "response.output_te\n\n', ...streamed(ended('completed'))]),
    'upstream',
    /cut or garbled within an event/,
  ],
]

const statuses: [number, string, Failure][] = [
  [400, 'temperature must be below 2', 'invalid'],
  [401, 'bad key', 'unauthenticated'],
  [403, 'no access', 'forbidden'],
  [404, 'no such model', 'not-found'],
  [429, 'slow down', 'rate-limit'],
  [500, 'boom', 'upstream'],
  [503, 'loading', 'overloaded'],
]

const garbage: [string, ServerReply][] = [
  ['an HTML page', { type: 'raw', chunks: ['<html><body>It works!</body></html>'], contentType: 'text/html' }],
  ['nothing at all', raw([])],
  ['JSON that is no response', raw(['{"hello": "world"}'])],
  ['a response without its output', raw([JSON.stringify({ object: 'response', status: 'completed' })])],
]

interface Case {
  name: string
  plan: PlanName
  reply: ServerReply
  failure: Failure
  words: RegExp
  /** A part of a call came before the fault. */
  isBegun: boolean
}

const cases: readonly Case[] = [
  ...begun.flatMap(({ plan, events }) =>
    faults.map(([name, fault, failure, words]) => {
      const reply = fault([created, ...events])
      return { name: `plan ${plan}: in the middle of a call, ${name}`, plan, reply, failure, words, isBegun: true }
    }),
  ),
  ...faults.map(([name, fault, failure, words]) => {
    const reply = fault([created])
    return { name: `at the beginning, ${name}`, plan: 'native' as const, reply, failure, words, isBegun: false }
  }),
  ...statuses.map(([status, message, failure]) => {
    const body = { error: { message, type: 'server_error', param: null, code: null } }
    const reply: ServerReply = { type: 'status', status, body }
    const words = RegExp(`${status}.*${message}`)
    return { name: `status ${status}`, plan: 'native' as const, reply, failure, words, isBegun: false }
  }),
  ...garbage.map(([name, reply]) => {
    const words = /upstream "test"/i
    return { name, plan: 'native' as const, reply, failure: 'upstream' as const, words, isBegun: false }
  }),
]

async function gatewayBefore(
  reply: ServerReply | ((n: number) => ServerReply),
  plan: PlanName,
  server: JsonObject = {},
) {
  const upstream = await upstreamServerForTest((_, n) => (typeof reply === 'function' ? reply(n) : reply))
  const options = { type: 'openai-responses', retries: 0, ...server }
  const gateway = await gatewayForTest({ upstream: upstream.url, plan, dialect: 'tool-call-json', server: options })
  return { upstream, gateway }
}

const casesOf = coveringPairs(everyForm, cases, { fewest: 1 })

describe.each(everyForm)('$api.name, stream: $stream, an upstream with the Responses API', (form) => {
  const { api, stream } = form
  test.each(casesOf(form))('$name', async ({ plan, reply, failure, words, isBegun }) => {
    const isSilent = reply.type === 'raw' && reply.end === 'silence'
    const { gateway, upstream } = await gatewayBefore(reply, plan, isSilent ? { timeouts: { idle: 0.1 } } : {})
    const answer = await send(gateway, api, api.request({ stream, tools: [weather] }))
    if (!stream || !isBegun) {
      await expectFailure(gateway, api, answer, failure, words)
      return
    }
    expect(answer.status).toBe(200)
    const seen = api.readStream(answer.text)
    expect(seen.text).toBe('I look.')
    expect(seen.finish).toBeNull()
    expect(seen.error).toEqual({ type: api.failures[failure][1], message: expect.stringMatching(words) })
    for (const one of seen.calls) expect(() => JSON.parse(one.arguments)).toThrow()
    expect(upstream.requests).toHaveLength(1)
  })

  test.each(begun)('the token limit in the middle of a call, plan $plan', async ({ plan, events }) => {
    const incomplete = ended('incomplete', { incomplete_details: { reason: 'max_output_tokens' }, usage })
    const { gateway } = await gatewayBefore(raw(streamed(created, ...events, incomplete)), plan)
    const seen = await ask(gateway, api, { stream, tools: [weather] })
    expect(seen).toMatchObject({ finish: api.endings.length, ended: true })
    for (const one of seen.calls) expect(() => JSON.parse(one.arguments)).toThrow()
  })
})

test.each(apis.map((api, n) => [api, [429, 500, 503][n] ?? 500] as const))(
  '$name: a passing status is tried again',
  async (api, status) => {
    const good = raw(streamed(created, ...text('Hello'), ended('completed', { usage })))
    const busy: ServerReply = { type: 'status', status, headers: { 'retry-after-ms': '1' } }
    const { gateway, upstream } = await gatewayBefore((n) => (n < 2 ? busy : good), 'native', { retries: 2 })
    expect(await ask(gateway, api, { stream: true })).toMatchObject({ text: 'Hello', ended: true })
    expect(upstream.requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/responses'))
  },
)

describe.each(apis)('$name', (api) => {
  test.each<[string, string[]]>([
    ['events that nobody knows', streamed({ type: 'response.new_thing', value: 1 }, { type: 'keepalive' })],
    ['text that is no JSON', ['data: oops\n\n', ': ping\n\n']],
  ])('%s are skipped', async (_, between) => {
    const chunks = [...streamed(created, ...text('Hel')), ...between, ...streamed(said(0, 'lo'), ended('completed'))]
    const { gateway } = await gatewayBefore(raw(chunks), 'native')
    expect(await ask(gateway, api, { stream: true })).toMatchObject({ text: 'Hello', ended: true })
  })
})
