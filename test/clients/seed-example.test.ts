import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { gatewayForTest, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'
import { readAnthropicStream } from './anthropic-stream.ts'
import { arrayOf, objectOf, textOf } from './json.ts'
import { triggerIn } from './model-writing.ts'
import { playedModel } from './played-model.ts'
import { toolCallJson } from './settings.ts'
import { post, readEvents, readSse } from './sse.ts'
import { searchRequest, travelAnswer, travelRequest } from './travel-request.ts'

/** The text of each message that the upstream was sent. */
function messagesOf(body: JsonObject): { role: string; content: string }[] {
  return arrayOf(body.messages).map((value) => {
    const { role, content, ...more } = objectOf(value)
    expect(more).toEqual({})
    return { role: textOf(role), content: textOf(content) }
  })
}

describe('a Claude client before a model that only takes prompts', () => {
  const start = async () => {
    const upstream = await upstreamServerForTest((request) => {
      const trigger = triggerIn(textOf(objectOf(arrayOf(request.messages)[0]).content))
      const call = `${trigger}\n<invoke name="get_weather">\n<parameter name="city">New York</parameter>\n<parameter name="unit">c</parameter>\n</invoke>\n`
      const pieces = `${travelAnswer}\n${call}`.match(/.{1,4}/gs) ?? []
      return { ...says(...pieces), usage: { prompt_tokens: 2500, completion_tokens: 62, total_tokens: 2562 } }
    })
    const gateway = await gatewayForTest({
      upstream: upstream.url,
      config: { models: [{ match: 'claude-*', upstream: 'test', model: 'gpt-4o-mini', dialect: 'toolify' }] },
    })
    return { upstream, ask: (request: JsonObject) => post(`${gateway.url}/v1/messages`, request) }
  }

  test('what goes upstream: the tools, the call and its result are text', async () => {
    const { upstream, ask } = await start()
    await readSse(await ask(travelRequest))
    const body = upstream.requests[0]?.body ?? {}
    expect(body).toMatchObject({ model: 'gpt-4o-mini', stream: true, temperature: 0.2, max_tokens: 1024 })
    expect(body).not.toHaveProperty('tools')
    expect(body).not.toHaveProperty('tool_choice')

    const [system, ...turns] = messagesOf(body)
    expect(system?.role).toBe('system')
    const instructions = system?.content ?? ''
    expect(instructions.startsWith(textOf(travelRequest.system))).toBe(true)
    for (const told of ['<name>get_weather</name>', '查询城市当前天气', '城市名', '温度单位', '["c","f"]']) {
      expect(instructions).toContain(told)
    }
    const trigger = triggerIn(instructions)
    expect(turns).toEqual([
      { role: 'user', content: '查下旧金山天气' },
      {
        role: 'assistant',
        content: [
          '好的,我来查。',
          trigger,
          '<invoke name="get_weather">',
          '<parameter name="city">San Francisco</parameter>',
          '<parameter name="unit">c</parameter>',
          '</invoke>',
        ].join('\n'),
      },
      {
        role: 'user',
        content: '<tool_result id="toolu_prev">旧金山 15°C,微风</tool_result>\n也查下纽约,并比较是否需要带外套',
      },
    ])
  })

  test('what comes back: text, then the call, piece by piece', async () => {
    const { ask } = await start()
    const raw = await readSse(await ask(travelRequest))
    const types = readEvents(raw).map(({ event }) => event)
    const runs = types.filter((type, index) => type !== types[index - 1])
    expect(runs).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const message = readAnthropicStream(raw)
    expect(message).toEqual({
      id: expect.any(String),
      model: 'claude-3.5-sonnet-20241022',
      blocks: [
        { type: 'text', text: travelAnswer, pieces: expect.any(Number) },
        {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_/),
          name: 'get_weather',
          json: '{"city":"New York","unit":"c"}',
          pieces: expect.any(Number),
        },
      ],
      stop: {
        reason: 'tool_use',
        sequence: null,
        usage: expect.objectContaining({ input_tokens: 2500, output_tokens: 62 }),
      },
    })
    for (const block of message.blocks) expect(block.pieces).toBeGreaterThan(2)
  })

  test('the trigger is one in all turns of the conversation, and another in another', async () => {
    const { upstream, ask } = await start()
    const first = { ...travelRequest, messages: travelRequest.messages.slice(0, 1) }
    const other = { ...first, messages: [{ role: 'user', content: '查下东京天气' }] }
    for (const request of [first, travelRequest, other]) await readSse(await ask(request))
    const triggers = upstream.requests.map(({ body }) => triggerIn(messagesOf(body)[0]?.content ?? ''))
    expect(triggers[1]).toBe(triggers[0])
    expect(triggers[2]).not.toBe(triggers[0])
  })

  const call = { type: 'tool_use', id: 'toolu_x', name: 'get_weather', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'toolu_lost', content: '15°C' }
  test.each<[string, JsonObject[], RegExp]>([
    [
      'a result of a call that nobody made',
      [{ role: 'user', content: [result] }],
      /content\[0\]\.tool_use_id.*toolu_lost/,
    ],
    [
      'a result that comes before its call',
      [
        { role: 'user', content: [{ ...result, tool_use_id: 'toolu_x' }] },
        { role: 'assistant', content: [call] },
      ],
      /messages\[\d\]\.content\[0\]\.tool_use_id.*toolu_x/,
    ],
    ['a call in a user message', [{ role: 'user', content: [call] }], /content\[0\].*tool_use.*assistant/],
    ['a result in an assistant message', [{ role: 'assistant', content: [result] }], /content\[0\].*tool_result.*user/],
  ])('%s is refused by name, and nothing goes upstream', async (_, messages, named) => {
    const { upstream, ask } = await start()
    const response = await ask({ ...travelRequest, messages })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(named) },
    })
    expect(upstream.requests).toEqual([])
  })
})

describe('a model that writes calls as JSON between tags, more or less', () => {
  const served = (written: string) =>
    gatewayForTest({ upstream: playedModel(toolCallJson, () => written).upstream, ...toolCallJson.rule })
  const call = { type: 'tool_use', name: 'web_search', input: { query: 'Python tutorials' } }
  const rows: [string, string, JsonValue[]][] = [
    [
      'unquoted names of members',
      '<TOOL_CALL>\n{name: "web_search", input: {query: "Python tutorials"}}\n</TOOL_CALL>',
      [call],
    ],
    [
      'single quotes and a comma too many',
      "<TOOL_CALL>\n{name: 'web_search', input: {query: 'Python tutorials',}}\n</TOOL_CALL>",
      [call],
    ],
    [
      'words around the call stay where they are',
      '我会帮你搜索Python教程。\n<TOOL_CALL>\n{"name": "web_search", "input": {"query": "Python tutorials"}}\n</TOOL_CALL>\n让我知道是否需要其他帮助。',
      [
        { type: 'text', text: '我会帮你搜索Python教程。' },
        call,
        { type: 'text', text: '\n让我知道是否需要其他帮助。' },
      ],
    ],
  ]

  test.each(rows)('%s, whole', async (_, written, content) => {
    const gateway = await served(written)
    const response = await post(`${gateway.url}/v1/messages`, searchRequest)
    expect(response.status).toBe(200)
    const ids = content.map((block) => (block === call ? { ...call, id: expect.stringMatching(/^toolu_/) } : block))
    expect(await response.json()).toMatchObject({ type: 'message', content: ids, stop_reason: 'tool_use' })
  })

  test.each(rows)('%s, streamed', async (_, written, content) => {
    const gateway = await served(written)
    const response = await post(`${gateway.url}/v1/messages`, { ...searchRequest, stream: true })
    const message = readAnthropicStream(await readSse(response))
    const blocks = content.map((block) =>
      block === call ? { type: 'tool_use', name: 'web_search', json: '{"query":"Python tutorials"}' } : block,
    )
    expect(message).toMatchObject({ blocks, stop: { reason: 'tool_use' } })
  })
})
