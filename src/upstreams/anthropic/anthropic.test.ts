import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  type AnthropicPlay,
  type AnthropicServerOptions,
  startAnthropicServer,
} from '../../../test/stand-ins/anthropic-server.ts'
import type { StandInServer } from '../../../test/stand-ins/http-stand-in.ts'
import { eventually } from '../../../test/support/eventually.ts'
import {
  generateAll,
  messagesRequest,
  testContext,
  toolsRequest,
} from '../../../test/support/upstreams/conversation.ts'
import type { Conversation, JsonObject } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { Upstream, UpstreamEvent } from '../upstream.ts'
import { type AnthropicOptions, createAnthropicUpstream } from './anthropic.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: StandInServer
afterEach(() => server?.close())

async function start(
  serverOptions: AnthropicServerOptions = {},
  options: Partial<AnthropicOptions> = {},
): Promise<Upstream> {
  server = await startAnthropicServer(serverOptions)
  return createAnthropicUpstream({ name: 'claude', url: server.url, transport, ...options })
}

const plays =
  (...list: AnthropicPlay[]) =>
  (_: JsonObject, n: number): AnthropicPlay =>
    list[n] ?? { type: 'error', status: 500, error: 'api_error', message: 'unscripted' }
const message = (
  ...blocks: Extract<AnthropicPlay, { type: 'message' }>['blocks']
): Extract<AnthropicPlay, { type: 'message' }> => ({
  type: 'message',
  blocks,
})
const text = (...pieces: string[]) => ({ type: 'text' as const, pieces })
const call = (id: string, name: string, ...pieces: string[]) => ({ type: 'tool_use' as const, id, name, pieces })

const usage: UpstreamEvent = {
  type: 'usage',
  usage: { inputTokens: 44, cachedTokens: 30, cacheWriteTokens: 4, outputTokens: 7 },
}
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
/** The `n`-th request that asked for a message. */
const sent = (n: number): JsonObject | undefined => server.requests[n]?.body

describe('a request', () => {
  test('carries an inline image of a type that the API has no form for as a URL', async () => {
    const parts = [{ type: 'image' as const, url: 'data:image/bmp;base64,AA' }]
    await generateAll(await start(), toolsRequest({ turns: [{ role: 'user', parts }] }))
    const source = { type: 'url', url: 'data:image/bmp;base64,AA' }
    expect(sent(0)).toMatchObject({ messages: [{ content: [{ type: 'image', source }] }] })
  })

  test('carries the whole conversation', async () => {
    await generateAll(await start({}, { promptCaching: false }), toolsRequest({}, { maxTokens: 100 }))
    expect(sent(0)).toEqual({
      model: 'm',
      max_tokens: 100,
      stream: true,
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare these.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'text', text: '<system-reminder>\nTwo agents are idle.\n</system-reminder>' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            {
              type: 'tool_use',
              id: 'functions_get_weather_0',
              name: 'get_weather',
              input: { city: 'Paris', days: 2 },
            },
            { type: 'tool_use', id: 'functions_now_1', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'functions_get_weather_0',
              content: [
                { type: 'text', text: 'Sunny.' },
                { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'BBBB' } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'functions_now_1', content: 'no clock', is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
      tools: [
        {
          name: 'get_weather',
          description: 'The weather.',
          input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
        { name: 'now', input_schema: { type: 'object', properties: {} } },
      ],
    })
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', 'x-request-id': 'req_1' },
    })
  })

  test('of messages of text: system text first, the rest in turns', async () => {
    const parts = (text: string) => [{ type: 'text' as const, text }]
    const messages = [
      { role: 'system' as const, parts: parts('S') },
      { role: 'user' as const, parts: [...parts('a'), { type: 'image' as const, url: 'https://a.example/b.png' }] },
      { role: 'user' as const, parts: parts(' ') },
      { role: 'system' as const, parts: parts('later') },
      { role: 'assistant' as const, parts: parts('so far  \n'), reasoning: 'hm' },
    ]
    await generateAll(await start({}, { promptCaching: false }), messagesRequest({ messages }))
    expect(sent(0)).toMatchObject({
      system: 'S',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
            { type: 'text', text: '<system-reminder>\nlater\n</system-reminder>' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'so far' }] },
      ],
    })
  })

  test('ids that become alike stay apart, and arguments that are no object are still shown', async () => {
    const callPart = (id: string, json: string) => ({ type: 'call' as const, id, name: 'now', arguments: json })
    const result = (callId: string) => ({ type: 'result' as const, callId, name: 'now', content: [], isError: false })
    const turns: Conversation['turns'] = [
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', parts: [callPart('a.1', '{"a": tru'), callPart('a:1', '[1]')] },
      { role: 'user', parts: [result('a.1'), result('a:1')] },
    ]
    await generateAll(await start(), toolsRequest({ turns }))
    expect(sent(0)?.messages).toMatchObject([
      {},
      {
        content: [
          { id: 'a_1', input: { arguments: '{"a": tru' } },
          { id: 'a_1_2', input: { arguments: '[1]' } },
        ],
      },
      {
        content: [
          { type: 'tool_result', tool_use_id: 'a_1' },
          { type: 'tool_result', tool_use_id: 'a_1_2' },
        ],
      },
    ])
  })

  test.each<[string, Partial<Conversation>, JsonObject | undefined]>([
    ['auto', { toolChoice: { type: 'auto' } }, undefined],
    ['one call', { parallelCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    ['required', { toolChoice: { type: 'required' } }, { type: 'any' }],
    [
      'named, one call',
      { toolChoice: { type: 'named', name: 'now' }, parallelCalls: false },
      { type: 'tool', name: 'now', disable_parallel_tool_use: true },
    ],
    ['none', { toolChoice: { type: 'none' }, parallelCalls: false }, { type: 'none' }],
  ])('tool choice: %s', async (_, conversation, choice) => {
    await generateAll(await start(), toolsRequest(conversation))
    expect(sent(0)?.tool_choice).toEqual(choice)
  })

  const userOnly: Partial<Conversation> = { turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] }
  test.each<[string, Parameters<typeof toolsRequest>, JsonObject]>([
    [
      'a budget',
      [userOnly, { reasoning: { enabled: true, budgetTokens: 5000 } }],
      { thinking: { type: 'enabled', budget_tokens: 5000 } },
    ],
    [
      'an effort',
      [userOnly, { reasoning: { enabled: true, effort: 'low' } }],
      { thinking: { type: 'enabled', budget_tokens: 2048 }, output_config: { effort: 'low' } },
    ],
    [
      'an effort without thinking',
      [userOnly, { reasoning: { enabled: false, effort: 'minimal' } }],
      { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
    ],
    [
      'no effort, as OpenAI says it',
      [userOnly, { reasoning: { enabled: false, effort: 'none' } }],
      { thinking: { type: 'disabled' } },
    ],
    ['neither', [userOnly, { reasoning: { enabled: true } }], { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['off', [userOnly, { reasoning: { enabled: false } }], { thinking: { type: 'disabled' } }],
    ['not a word', [userOnly], {}],
    [
      'a budget that is too small',
      [userOnly, { reasoning: { enabled: true, budgetTokens: 1 } }],
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
    ],
    [
      'a budget that leaves no room',
      [userOnly, { maxTokens: 3000, reasoning: { enabled: true, budgetTokens: 31_999 } }],
      { thinking: { type: 'enabled', budget_tokens: 2999 } },
    ],
    ['a reply too short to think', [userOnly, { maxTokens: 1024, reasoning: { enabled: true } }], {}],
    [
      'a forced call',
      [{ ...userOnly, toolChoice: { type: 'required' } }, { reasoning: { enabled: true } }],
      { tool_choice: { type: 'any' } },
    ],
    [
      'sampling, which a model that thinks does not take',
      [userOnly, { reasoning: { enabled: true }, sampling: { temperature: 0.2, topP: 0.5, topK: 3 } }],
      { thinking: { type: 'enabled', budget_tokens: 8192 } },
    ],
    [
      'sampling',
      [userOnly, { sampling: { temperature: 1.7, topP: 0.5, topK: 3, seed: 4, presencePenalty: 1 } }],
      { temperature: 1, top_p: 0.5, top_k: 3 },
    ],
  ])('of reasoning: %s', async (_, args, expected) => {
    await generateAll(await start(), toolsRequest(...args))
    const { model, messages, system, tools, stream, max_tokens, ...rest } = sent(0) ?? {}
    expect(rest).toEqual(expected)
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['', '/v1/messages'],
    ['/', '/v1/messages'],
    ['/v1', '/v1/messages'],
    ['/v1/messages', '/v1/messages'],
  ])('to a url that ends in %j goes to %s', async (end, path) => {
    await start()
    await generateAll(createAnthropicUpstream({ name: 'a', url: server.url + end, transport }), messagesRequest())
    expect(server.requests[0]?.path).toBe(path)
  })

  test('carries the key as the API takes it', async () => {
    const upstream = await start({ key: 'sk-ant-1' }, { key: 'sk-ant-1' })
    await generateAll(upstream, messagesRequest())
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-ant-1' })
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  test('has a bound of tokens where the client sets none', async () => {
    const upstream = await start({}, { maxTokens: 777 })
    await generateAll(upstream, messagesRequest())
    await generateAll(upstream, messagesRequest({ maxTokens: 5 }))
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([777, 5])
  })
})

describe.each([
  ['streamed', false],
  ['whole', true],
])('a reply, %s', (_, whole) => {
  test('text, reasoning, calls, usage', async () => {
    const blocks = [
      { type: 'thinking' as const, pieces: ['h', 'm'] },
      text('I ', 'look.'),
      call('toolu_1', 'get_weather', '{"city":', '"Paris"}'),
      call('toolu_2', 'now'),
      call('toolu_3', 'now'),
    ]
    const upstream = await start({ play: plays({ ...message(...blocks), whole }) })
    const events = await generateAll(upstream, toolsRequest())
    const calls = events.filter((event) => event.type === 'call')
    const json = (index: number): string =>
      calls.map((piece) => (piece.index === index ? (piece.arguments ?? '') : '')).join('')
    expect(calls.filter(({ name }) => name !== undefined).map(({ index, id, name }) => [index, id, name])).toEqual([
      [0, 'toolu_1', 'get_weather'],
      [1, 'toolu_2', 'now'],
      [2, 'toolu_3', 'now'],
    ])
    expect([json(0), json(1), json(2)]).toEqual(['{"city":"Paris"}', '{}', '{}'])
    expect(events.filter((event) => event.type !== 'call')).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      usage,
      stop,
    ])
  })

  test.each<[string, string | undefined, UpstreamEvent]>([
    ['max_tokens', undefined, { type: 'finish', reason: 'length' }],
    ['model_context_window_exceeded', undefined, { type: 'finish', reason: 'length' }],
    ['refusal', undefined, { type: 'finish', reason: 'content-filter' }],
    ['pause_turn', undefined, stop],
    ['stop_sequence', 'END', { type: 'finish', reason: 'stop-sequence', stopSequence: 'END' }],
  ])('that ends with %s', async (stopReason, stopSequence, finish) => {
    const play = { ...message(text('a')), stopReason, whole, ...(stopSequence !== undefined && { stopSequence }) }
    const upstream = await start({ play: plays(play) })
    expect(await generateAll(upstream, messagesRequest())).toEqual([{ type: 'text', text: 'a' }, usage, finish])
  })

  test('cut by the token limit before the arguments of its last call leaves the call open', async () => {
    const play = { ...message(call('toolu_1', 'now'), call('toolu_2', 'now')), stopReason: 'max_tokens', whole }
    const events = await generateAll(await start({ play: plays(play) }), toolsRequest())
    expect(events.filter((event) => event.type === 'call')).toEqual([
      { type: 'call', index: 0, id: 'toolu_1', name: 'now' },
      { type: 'call', index: 0, arguments: '{}' },
      { type: 'call', index: 1, id: 'toolu_2', name: 'now' },
    ])
  })

  test('with calls that were not asked for is read with them', async () => {
    const upstream = await start({ play: plays({ ...message(text('a'), call('toolu_1', 'now')), whole }) })
    const events = await generateAll(upstream, messagesRequest())
    expect(events.filter(({ type }) => type === 'text' || type === 'call')).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'call', id: 'toolu_1', name: 'now' },
      { type: 'call', arguments: '{}' },
    ])
  })
})

describe('a server that writes differently', () => {
  async function read(...events: JsonObject[]): Promise<UpstreamEvent[]> {
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const upstream = createAnthropicUpstream({
      name: 'a',
      url: 'http://a.example',
      transport: async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield new TextEncoder().encode(body)
        })(),
      }),
    })
    return generateAll(upstream, toolsRequest())
  }
  const begin = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 0 } } }
  const end = {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use' },
    usage: { input_tokens: 9, output_tokens: 2 },
  }

  test('gives the whole input when a call begins', async () => {
    const block = { type: 'tool_use', id: 'a', name: 'now', input: { zone: 'UTC' } }
    expect(await read(begin, { type: 'content_block_start', index: 0, content_block: block }, end)).toEqual([
      { type: 'call', index: 0, id: 'a', name: 'now' },
      { type: 'call', index: 0, arguments: '{"zone":"UTC"}' },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 2 } },
      stop,
    ])
  })

  test('sends blocks of tools of its own, and events that are not known', async () => {
    expect(
      await read(
        begin,
        { type: 'news' },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'serverOptionstool_use', id: 'a', name: 'web_search' },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":1}' } },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: {} } },
        end,
        { type: 'message_stop' },
      ),
    ).toEqual([{ type: 'text', text: 'a' }, { type: 'usage', usage: { inputTokens: 9, outputTokens: 2 } }, stop])
  })
})

describe('faults', () => {
  const soon = { 'retry-after': '0' }
  const failure = (status: number, error: string): AnthropicPlay => ({
    type: 'error',
    status,
    error,
    message: 'no',
    headers: soon,
  })
  const hello = message(text('a', 'b'))

  test.each<[string, AnthropicPlay]>([
    ['overloaded', failure(529, 'overloaded_error')],
    ['rate limit', failure(429, 'rate_limit_error')],
    ['an error inside', failure(500, 'api_error')],
    [
      'overloaded in the stream before its first text',
      { ...hello, error: { at: 1, type: 'overloaded_error', message: 'Overloaded' } },
    ],
    ['a cut before the first text', { ...hello, fault: { at: 2, end: 'cut' } }],
    ['a stream that ends before the first text', { ...hello, fault: { at: 2, end: 'end' } }],
  ])('before the first event: %s is tried again', async (_, first) => {
    const upstream = await start({ play: plays(first, hello) })
    expect(await generateAll(upstream, messagesRequest())).toEqual([{ type: 'text', text: 'ab' }, usage, stop])
    expect(server.requests).toHaveLength(2)
  })

  test.each<[string, Extract<AnthropicPlay, { type: 'message' }>, string, RegExp]>([
    [
      'overloaded',
      { ...hello, error: { at: 4, type: 'overloaded_error', message: 'Overloaded' } },
      'overloaded',
      /"claude".*Overloaded/,
    ],
    [
      'an invalid request',
      { ...hello, error: { at: 4, type: 'invalid_request_error', message: 'bad' } },
      'invalid-request',
      /bad/,
    ],
    ['a cut', { ...hello, fault: { at: 4, end: 'cut' } }, 'upstream', /"claude".*cut/],
    ['an end without a stop reason', { ...hello, fault: { at: 4, end: 'end' } }, 'upstream', /"claude".*cut/],
  ])('after the first event: %s is thrown', async (_, play, code, said) => {
    const upstream = await start({ play: plays(play) })
    const stream = await upstream.generate(messagesRequest(), testContext())
    const read = async (): Promise<void> => {
      for await (const batch of stream) expect(batch).toEqual([{ type: 'text', text: 'a' }])
    }
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringMatching(said) })
    expect(server.requests).toHaveLength(1)
  })

  test('a wrong key is not shown', async () => {
    const upstream = await start({ key: 'sk-right' }, { key: 'sk-wrong-key' })
    await expect(generateAll(upstream, messagesRequest())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringMatching(/^(?!.*sk-wrong)Upstream "claude" answered 401/),
    })
  })

  test('what is no message is named as such', async () => {
    const upstream = createAnthropicUpstream({
      name: 'claude',
      url: 'http://a.example',
      transport: async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield new TextEncoder().encode('<html>Welcome</html>')
        })(),
      }),
    })
    await expect(generateAll(upstream, messagesRequest())).rejects.toThrow(
      /Upstream "claude" sent what is not a message of the Messages API: "<html>Welcome/,
    )
  })

  test('a server that is down, and one that is silent', async () => {
    const upstream = await start(
      { play: plays({ ...hello, fault: { at: 0, end: 'silence' } }) },
      { retries: 0, timeouts: { firstByteMs: 50 } },
    )
    await expect(generateAll(upstream, messagesRequest())).rejects.toMatchObject({ code: 'timeout' })
    await server.close()
    await expect(generateAll(upstream, messagesRequest())).rejects.toThrow(/^Upstream "claude": nothing listens/)
    server = await startAnthropicServer()
  })

  test('a client that leaves stops the generation', async () => {
    const upstream = await start({ play: plays({ ...hello, fault: { at: 4, end: 'silence' } }) })
    for await (const _ of await upstream.generate(messagesRequest(), testContext())) break
    await eventually(() => expect(server.requests[0]?.closedEarly).toBe(true))
  })
})

test('models are all listed, with their context', async () => {
  const models = await (await start()).models()
  expect(models).toHaveLength(25)
  expect(models[0]).toEqual({ id: 'claude-0', contextLength: 200_000 })
})

test('it calls tools itself, and takes no prompts', async () => {
  const upstream = await start()
  expect(await upstream.callsTools?.('m', testContext())).toBe(true)
  const prompt = { type: 'prompt', model: 'm', prompt: 'a', stops: [], preservedTokens: [], sampling: {} } as const
  await expect(upstream.generate(prompt, testContext())).rejects.toThrow(/takes no request of type "prompt"/)
})
