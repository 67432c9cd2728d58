import { expect, onTestFinished, test } from 'vitest'
import { metricValues } from '../../../test/support/gateway/metrics.ts'
import { AnycallError } from '../../conversation/index.ts'
import { createScriptedUpstream, type Playback } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { ConfiguredGateway } from '../options.ts'

const url = 'http://127.0.0.1:9/v1'
const rule = { match: '*', upstream: 'one', plan: 'prompted', dialect: 'hermes' }
const call = (args: object) => `<tool_call>\n${JSON.stringify({ name: 'add', arguments: args })}\n</tool_call>`
const tool = {
  name: 'add',
  input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
}

interface Given {
  plays: Record<string, Playback>
  config?: Record<string, unknown>
}

function optionsOf({ plays, config = {} }: Given): ConfiguredGateway {
  const names = Object.keys(plays)
  return {
    config: parseConfig(
      {
        upstreams: Object.fromEntries(names.map((name) => [name, { type: 'openai-chat', url }])),
        models: [rule],
        metrics: true,
        ...config,
      } as unknown,
      { file: 'test', env: {} },
    ),
    upstreams: new Map(names.map((name) => [name, createScriptedUpstream({ name, play: plays[name] ?? [] })])),
  }
}

function gatewayOf(given: Given): Gateway {
  const gateway = createGateway(optionsOf(given))
  onTestFinished(() => gateway.close())
  return gateway
}

async function ask(gateway: Gateway, more: Record<string, unknown> = {}): Promise<string> {
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/v1/messages', {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        max_tokens: 99,
        messages: [{ role: 'user', content: 'Add.' }],
        tools: [tool],
        ...more,
      }),
    }),
  )
  return response.text()
}

const request = { protocol: 'anthropic-messages', model: '*', upstream: 'one', plan: 'prompted' }
const model = { model: '*', upstream: 'one' }
const usage = { inputTokens: 11, outputTokens: 3, cachedTokens: 5 }

test('a streamed reply is counted with its tokens, its times and its call', async () => {
  const gateway = gatewayOf({ plays: { one: () => ({ pieces: ['Yes. ', call({ n: 1 })], delayMs: 1, usage }) } })
  const asked = ask(gateway, { stream: true })
  await asked
  const value = await metricValues(gateway)
  expect(value('anycall_requests_total', { ...request, status: '200', error: '' })).toBe(1)
  expect(value('anycall_request_duration_seconds_count', { ...request, status: '200' })).toBe(1)
  expect(value('anycall_time_to_first_byte_seconds_count', request)).toBe(1)
  expect(value('anycall_time_per_output_token_seconds_count', { ...model, plan: 'prompted' })).toBe(1)
  expect(value('anycall_tokens_total', { ...request, kind: 'input' })).toBe(11)
  expect(value('anycall_tokens_total', { ...request, kind: 'output' })).toBe(3)
  expect(value('anycall_tokens_total', { ...request, kind: 'cached' })).toBe(5)
  expect(value('anycall_attempts_total', { ...model, plan: 'prompted', outcome: 'ok' })).toBe(1)
  expect(value('anycall_tool_calls_total', { ...model, dialect: 'hermes', stage: 'sent' })).toBe(1)
  expect(value('anycall_open_requests')).toBe(0)
  expect(value('anycall_open_streams')).toBe(0)
  expect(value('anycall_upstream_ready', { upstream: 'one' })).toBe(1)
  expect(value('anycall_records_dropped')).toBe(0)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
})

test('a stream is open until it has ended', async () => {
  const gateway = gatewayOf({ plays: { one: () => ({ pieces: ['a'], fault: { type: 'hang' } }) } })
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/v1/messages', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    }),
  )
  expect((await metricValues(gateway))('anycall_open_streams')).toBe(1)
  await response.body?.cancel()
  const value = await metricValues(gateway)
  expect(value('anycall_open_streams')).toBe(0)
  expect(value('anycall_requests_total', { ...request, status: '200', error: 'cancelled' })).toBe(1)
})

test('names that clients make up are no labels', async () => {
  const models = [
    { ...rule, match: ['named', 'local-*'] },
    { ...rule, match: '*', model: 'fixed' },
  ]
  const gateway = gatewayOf({ plays: { one: () => ({ pieces: ['a'] }) }, config: { models } })
  for (const name of ['named', 'local-1', 'local-2', 'x', 'y', 'z']) await ask(gateway, { model: name })
  const value = await metricValues(gateway)
  const count = (name: string) => value('anycall_requests_total', { ...request, model: name, status: '200', error: '' })
  expect(['named', 'local-*', 'fixed'].map(count)).toEqual([1, 2, 3])
  expect(['local-1', 'local-2', 'x', 'y', 'z'].map(count)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a failed upstream, and the one that serves in its place', async () => {
  const error = new AnycallError('overloaded', 'busy')
  const plays: Given['plays'] = {
    one: () => ({ pieces: [], fault: { type: 'status', error } }),
    two: () => ({ pieces: ['a'] }),
  }
  const gateway = gatewayOf({ plays, config: { models: [{ ...rule, upstream: ['one', 'two'] }] } })
  await ask(gateway)
  const value = await metricValues(gateway)
  expect(value('anycall_fail_overs_total', { from: 'one', to: 'two' })).toBe(1)
  expect(value('anycall_attempts_total', { ...model, plan: 'prompted', outcome: 'overloaded' })).toBe(1)
  expect(value('anycall_requests_total', { ...request, upstream: 'two', status: '200', error: '' })).toBe(1)
})

test('a call that is sent back is an error of the model, not of the reply', async () => {
  const replies = [call({}), call({ n: 2 })]
  const plays: Given['plays'] = { one: (index) => ({ pieces: [replies[index] ?? ''] }) }
  const gateway = gatewayOf({ plays, config: { models: [{ ...rule, corrections: 1 }] } })
  await ask(gateway)
  const value = await metricValues(gateway)
  const calls = { ...model, dialect: 'hermes' }
  const errors = (stage: string) =>
    value('anycall_tool_call_errors_total', { ...calls, stage, class: 'schema_mismatch' })
  expect(value('anycall_recoveries_total', { ...model, kind: 'call_correction' })).toBe(1)
  expect(value('anycall_notices_total', { ...model, code: 'call-sent-back' })).toBe(1)
  expect([value('anycall_tool_calls_total', { ...calls, stage: 'written' }), errors('written')]).toEqual([2, 1])
  expect([value('anycall_tool_calls_total', { ...calls, stage: 'sent' }), errors('sent')]).toEqual([1, undefined])
})

test('a reload keeps what was counted', async () => {
  const given: Given = { plays: { one: () => ({ pieces: ['a'] }) } }
  const gateway = gatewayOf(given)
  await ask(gateway)
  gateway.reload(optionsOf(given))
  await ask(gateway)
  const value = await metricValues(gateway)
  expect(value('anycall_requests_total', { ...request, status: '200', error: '' })).toBe(2)
})

test.each([
  { config: { metrics: false }, headers: {}, status: 404 },
  { config: { metrics: true }, headers: {}, status: 200 },
  { config: { metrics: true }, headers: { origin: 'https://example.com' }, status: 403 },
  { config: { keys: ['client-key'] }, headers: { 'x-api-key': 'client-key' }, status: 403 },
  { config: { keys: ['client-key'], metrics: { key: 'm-key' } }, headers: { 'x-api-key': 'client-key' }, status: 401 },
  {
    config: { keys: ['client-key'], metrics: { key: 'm-key' } },
    headers: { authorization: 'Bearer m-key' },
    status: 200,
  },
])('$config with $headers gets $status', async ({ config, headers, status }) => {
  const gateway = gatewayOf({ plays: { one: [] }, config })
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/metrics', { headers: { host: '127.0.0.1', ...headers } as Record<string, string> }),
  )
  expect(response.status).toBe(status)
})

test('a gateway that is to be closed is alive, not ready, and serves', async () => {
  const gateway = gatewayOf({ plays: { one: () => ({ pieces: ['a'] }) } })
  const status = async (path: string) => (await gateway.fetch(new Request(`http://127.0.0.1${path}`))).status
  expect([await status('/livez'), await status('/readyz')]).toEqual([200, 200])
  gateway.drain()
  expect([await status('/livez'), await status('/readyz'), await status('/health')]).toEqual([200, 503, 200])
  expect(JSON.parse(await ask(gateway))).toMatchObject({ content: [{ type: 'text', text: 'a' }] })
})
