import { describe, expect } from 'vitest'
import { coveringTests } from '../support/covering-tests.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { calls, type ServerReply, type StreamReply, says } from '../support/upstream-server.ts'
import { ask, everyForm, expectFailure, send, weather } from './api.ts'

function codes({ log }: RunningGateway): unknown[] {
  return log.filter(({ event }) => event === 'notice').map(({ fields }) => fields.code)
}

const testsOf = coveringTests(everyForm)

describe.each(everyForm)('$api.name, stream: $stream: a server that calls by itself', (form) => {
  const test = testsOf(form)
  const { api, stream } = form
  const asked = { stream, tools: [weather] }
  const ending = api.endings
  const paris = [{ name: 'get_weather', arguments: '{"city":"Paris"}' }]
  const start = async (reply: ServerReply | ((hasTools: boolean) => ServerReply)) => {
    const upstream = await upstreamServerForTest(({ tools }) =>
      typeof reply === 'function' ? reply(tools !== undefined) : reply,
    )
    const options = {
      upstream: upstream.url,
      plan: 'native',
      dialect: 'tool-call-json',
      server: { retries: 0 },
    } as const
    return { upstream, gateway: await gatewayForTest(options) }
  }
  const called = (...pieces: StreamReply['pieces']): StreamReply => ({ ...says(...pieces), finishReason: 'tool_calls' })

  test('is passed the tools, and its call is passed on', async () => {
    const { gateway, upstream } = await start(called('I look.', ...calls('get_weather', '{"city": ', '"Paris"}')))
    const seen = await ask(gateway, api, asked)
    expect(seen).toMatchObject({ text: 'I look.', calls: [{ id: 'call_1', ...paris[0] }], finish: ending.calls })
    expect(upstream.requests[0]?.body).toMatchObject({ tools: [{ function: { name: 'get_weather' } }] })
  })

  test.each([400, 404, 422, 501])('refuses tools with %i: prompts are used, and that is told', async (status) => {
    const text = '<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "Paris"}}\n</TOOL_CALL>'
    const body = { error: { message: 'test-model does not support tools' } }
    const { gateway, upstream } = await start((hasTools) => (hasTools ? { type: 'status', status, body } : says(text)))
    for (const _ of [0, 1]) {
      expect(await ask(gateway, api, asked)).toMatchObject({ calls: paris, finish: ending.calls })
    }
    expect(codes(gateway)).toEqual(['tools-refused'])
    expect(upstream.requests).toHaveLength(3)
  })

  test.each([400, 422])('refuses the request otherwise with %i: that is the error', async (status) => {
    const body = { error: { message: 'temperature must be below 2' } }
    const { gateway, upstream } = await start({ type: 'status', status, body })
    await expectFailure(gateway, api, await send(gateway, api, api.request(asked)), 'invalid', /below 2/)
    expect(upstream.requests).toHaveLength(1)
  })

  test('leaks a call into its text: it is a call', async () => {
    const leak = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    const { gateway } = await start(says('I look.\n', leak.slice(0, 20), leak.slice(20)))
    expect(await ask(gateway, api, asked)).toMatchObject({ text: 'I look.', calls: paris, finish: ending.calls })
  })

  test.each<[string, string[]]>([
    ['cut short', ['{"city": "Par']],
    ['no JSON at all', ['Paris, ', 'please']],
    ['garbage', ['\uFFFD\u0000', '}}]{', '"']],
  ])('sends arguments that are %s: nothing that could be run', async (_, json) => {
    const { gateway } = await start(called('I look.', ...calls('get_weather', ...json)))
    const seen = await ask(gateway, api, asked)
    expect(seen.error).toBeUndefined()
    expect(seen.ended).toBe(true)
    for (const call of seen.calls) expect(() => JSON.parse(call.arguments)).toThrow()
    expect(codes(gateway)).not.toEqual([])
  })

  test('calls what nobody offered: that is text', async () => {
    const { gateway } = await start(called(...calls('rm_rf', '{"path": "/"}')))
    const seen = await ask(gateway, api, asked)
    expect(seen).toMatchObject({ calls: [], text: expect.stringContaining('rm_rf'), finish: ending.stop })
    expect(codes(gateway)).toEqual(['unknown-tool'])
  })

  test('is cut before its first byte', async () => {
    const { gateway } = await start({ type: 'raw', chunks: [], end: 'cut' })
    await expectFailure(gateway, api, await send(gateway, api, api.request(asked)), 'upstream', /"test"/)
  })
})
