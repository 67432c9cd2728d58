import Anthropic, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { describe, expect, test } from 'vitest'
import { AnycallError } from '../../src/conversation/index.ts'
import type { ChatMessage } from '../../src/upstreams/upstream.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'
import { objectOf } from './json.ts'
import { playedModel, replayedCalls, type Script, scripted, type Writing } from './played-model.ts'
import { messageText, settings, toolify } from './settings.ts'
import { runTool, anthropicTools as tools } from './travel-tools.ts'

const base = { model: 'claude-test', max_tokens: 1000 }
const ask = (content: string): Anthropic.MessageParam => ({ role: 'user', content })

function clientOf(gateway: RunningGateway, options: ConstructorParameters<typeof Anthropic>[0] = {}): Anthropic {
  return new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0, ...options })
}

const callsOf = (message: Anthropic.Message) => message.content.filter((block) => block.type === 'tool_use')
const textOf = (message: Anthropic.Message) =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')

/** Runs the calls of a message, as a client's program does. */
function runCalls(message: Anthropic.Message): Anthropic.MessageParam {
  return {
    role: 'user',
    content: callsOf(message).map(({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: runTool(name, objectOf(input)),
    })),
  }
}

const weatherIn = (...cities: string[]) => cities.map((city) => ({ name: 'get_weather', input: { city } }))
const timeInRome = [{ name: 'get_time', input: { city: 'Rome' } }]
const threeTurns = [weatherIn('Paris', 'Tokyo'), 'Clear in both.', timeInRome, 'It is 14:05.']
const lastText = (messages: readonly ChatMessage[]) => messages.slice(-1).map(messageText).join('')

const testsOf = coveringTests(settings)

describe.each(settings)('by $name', (setting) => {
  const test = testsOf(setting)
  const playing = async (write: Writing) => {
    const { upstream, ...model } = playedModel(setting, write)
    const gateway = await gatewayForTest({ upstream, ...setting.rule })
    return { client: clientOf(gateway), ...model }
  }

  test('an answer at once', async () => {
    const { client } = await playing(() => ({
      pieces: ['Good ', 'morning.'],
      usage: { inputTokens: 9, outputTokens: 2 },
    }))
    const { data, request_id } = await client.messages.create({ ...base, messages: [ask('Hi')] }).withResponse()
    expect(data).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [{ type: 'text', text: 'Good morning.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 9, output_tokens: 2 },
    })
    expect(request_id).toMatch(/^req_/)
  })

  test('the events of the stream helper', async () => {
    const { client } = await playing(
      (calls) => `I look.\n${calls({ name: 'plan_trip', input: { title: 'To the sea, and back', days: 3 } })}`,
    )
    const texts: string[] = []
    const jsonPieces: string[] = []
    const inputs: unknown[] = []
    const blocks: string[] = []
    const stream = client.messages
      .stream({ ...base, messages: [ask('Plan a trip')], tools })
      .on('text', (piece) => texts.push(piece))
      .on('inputJson', (piece, snapshot) => {
        jsonPieces.push(piece)
        inputs.push(structuredClone(snapshot))
      })
      .on('contentBlock', (block) => blocks.push(block.type))
    const message = await stream.finalMessage()

    expect(blocks).toEqual(['text', 'tool_use'])
    expect(texts.join('')).toBe('I look.')
    expect(texts.length).toBeGreaterThan(1)
    // A string argument comes while it is being written; the snapshots of the SDK have it when it is whole.
    expect(jsonPieces.join('')).toBe('{"title":"To the sea, and back","days":3}')
    expect(jsonPieces.filter((piece) => 'To the sea, and back'.includes(piece)).length).toBeGreaterThan(3)
    expect(inputs).toContainEqual({ title: 'To the sea, and back' })
    expect(inputs.at(-1)).toEqual({ title: 'To the sea, and back', days: 3 })
    expect(message.stop_reason).toBe('tool_use')
    expect(callsOf(message)).toEqual([
      {
        type: 'tool_use',
        caller: { type: 'direct' },
        id: expect.stringMatching(setting.ids('toolu_')),
        name: 'plan_trip',
        input: { title: 'To the sea, and back', days: 3 },
      },
    ])
  })

  test('the events of a plain stream', async () => {
    const { client } = await playing(scripted(['Good morning.']))
    const seen: string[] = []
    for await (const event of await client.messages.create({ ...base, messages: [ask('Hello')], stream: true })) {
      if (seen.at(-1) !== event.type) seen.push(event.type)
    }
    expect(seen).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test.each(['whole', 'streamed'])('a tool loop of three turns with two parallel calls, %s', async (form) => {
    const { client, prompts, messages: shownMessages } = await playing(scripted(threeTurns))
    const messages: Anthropic.MessageParam[] = [ask('What is the weather in Paris and Tokyo?')]
    const turn = async () => {
      const params = { ...base, messages, tools, system: 'Be brief.' }
      const message =
        form === 'whole' ? await client.messages.create(params) : await client.messages.stream(params).finalMessage()
      messages.push({ role: 'assistant', content: message.content })
      return message
    }

    const first = await turn()
    expect(first.stop_reason).toBe('tool_use')
    expect(callsOf(first).map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'get_weather', input: { city: 'Paris' } },
      { name: 'get_weather', input: { city: 'Tokyo' } },
    ])
    messages.push(runCalls(first))
    const second = await turn()
    expect(second.stop_reason).toBe('end_turn')
    expect(textOf(second)).toBe(threeTurns[1])
    expect(prompts()[1]).toMatch(/Paris: clear, 5 degrees[\s\S]*Tokyo: clear, 5 degrees/)

    messages.push(ask('And what time is it in Rome?'))
    const third = await turn()
    expect(callsOf(third).map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'get_time', input: { city: 'Rome' } },
    ])
    messages.push(runCalls(third))
    const last = await turn()
    expect(last.stop_reason).toBe('end_turn')
    expect(callsOf(last)).toEqual([])
    expect(textOf(last)).toBe(threeTurns[3])
    expect(lastText(shownMessages(3))).toContain('Rome: 14:05')

    const ids = [...callsOf(first), ...callsOf(third)].map((call) => call.id)
    expect(new Set(ids).size).toBe(3)
    // Each turn's prompt begins with the one before it, so that the engine's cache holds.
    const shown = prompts()
    expect(shown).toHaveLength(4)
    for (const [index, prompt] of shown.slice(1).entries()) expect(prompt.startsWith(shown[index] ?? '')).toBe(true)
  })

  test('calls one after the other, of which the second needs the first', async () => {
    const { client, messages: shownMessages } = await playing(scripted([weatherIn('Paris'), timeInRome, 'Done.']))
    const messages = [ask('First get the weather in Paris, then get the time in Rome.')]
    const names: string[] = []
    let message = await client.messages.create({ ...base, messages, tools })
    while (message.stop_reason === 'tool_use') {
      names.push(
        callsOf(message)
          .map((call) => call.name)
          .join(' and '),
      )
      messages.push({ role: 'assistant', content: message.content }, runCalls(message))
      message = await client.messages.create({ ...base, messages, tools })
    }
    expect(names).toEqual(['get_weather', 'get_time'])
    expect(textOf(message)).toBe('Done.')
    expect(lastText(shownMessages(1))).toContain('Paris: clear, 5 degrees')
    expect(lastText(shownMessages(2))).toContain('Rome: 14:05')
  })

  test.each([false, true])('the tool runner of the SDK, stream: %s', async (stream) => {
    const { client, messages: shownMessages } = await playing(
      scripted([weatherIn('Paris', 'Tokyo'), weatherIn('Rome'), 'Done.']),
    )
    const asked: unknown[] = []
    const weather = betaTool({
      name: 'get_weather',
      description: 'Current weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: (input) => {
        asked.push(input)
        return runTool('get_weather', { city: input.city })
      },
    })
    // It begins a thread, continues it with the results alone, and receives the error that no threads are kept.
    const messages = [ask('First get the weather in Paris and Tokyo, then get the weather in Rome.')]
    const last = await client.beta.messages.toolRunner({ ...base, messages, tools: [weather], stream })
    expect(asked).toEqual([{ city: 'Paris' }, { city: 'Tokyo' }, { city: 'Rome' }])
    expect(last).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Done.' }],
    })
    expect(lastText(shownMessages(2))).toContain('Rome: clear, 4 degrees')
  })

  test('a message thread of the SDK: no turn loses what came before', async () => {
    const { client, requests, messages } = await playing((_, __, index) => `Answer ${index}.`)
    const thread = client.beta.messages.thread(base)
    for (const question of ['One?', 'Two?', 'Three?']) await thread.send(ask(question))
    expect(messages(-1).map(messageText)).toEqual(['One?', 'Answer 0.', 'Two?', 'Answer 1.', 'Three?'])
    expect(requests).toHaveLength(3)
  })

  test('thinking comes out, and goes back in', async () => {
    let shown = ''
    const { client, messages: shownMessages } = await playing((calls, request, index) => {
      if (index > 0) return 'It is clear.'
      const paris = { name: 'get_weather', input: { city: 'Paris' } }
      shown = `I look.\n${replayedCalls(setting, request)(paris)}`
      return {
        pieces: [{ reasoning: 'Paris is ' }, { reasoning: 'in France.' }, `I look.\n${calls(paris)}`],
      }
    })
    const messages = [ask('Weather in Paris?')]
    const thoughts: string[] = []
    const signatures: string[] = []
    const params = { ...base, tools, thinking: { type: 'enabled' as const, budget_tokens: 1024 }, max_tokens: 2000 }
    const message = await client.messages
      .stream({ ...params, messages })
      .on('thinking', (piece) => thoughts.push(piece))
      .on('signature', (signature) => signatures.push(signature))
      .finalMessage()
    expect(thoughts.join('')).toBe('Paris is in France.')
    expect(thoughts.length).toBeGreaterThan(1)
    expect(signatures).toEqual([expect.stringMatching(/./)])
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Paris is in France.', signature: signatures[0] },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', name: 'get_weather' },
    ])

    messages.push({ role: 'assistant', content: message.content }, runCalls(message))
    const last = await client.messages.create({ ...params, messages })
    expect(textOf(last)).toBe('It is clear.')
    const replayed = shownMessages(1).find((earlier) => earlier.role === 'assistant')
    // The model sees its own text, with its reasoning beside it.
    expect(replayed).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: shown }],
      reasoning: 'Paris is in France.',
    })
  })

  test.each<[string, Anthropic.ToolResultBlockParam['content'], string]>([
    ['text', 'the station is closed', 'the station is closed'],
    [
      'blocks',
      [
        { type: 'text', text: 'the station' },
        { type: 'text', text: 'is closed' },
      ],
      'the station\nis closed',
    ],
    ['nothing', undefined, ''],
  ])('a result that is an error, with %s as content', async (_, content, shown) => {
    const { client, messages } = await playing(scripted(['It failed.']))
    const message = await client.messages.create({
      ...base,
      tools,
      messages: [
        ask('What is the weather in Paris?'),
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, ...(content && { content }) }],
        },
      ],
    })
    const prompt = messageText(messages(0).at(-1) ?? { role: 'user', parts: [] })
    expect(prompt).toMatch(setting.failure)
    expect(prompt).toContain(shown)
    expect(textOf(message)).toBe('It failed.')
  })

  describe('tool_choice', () => {
    const two = weatherIn('Paris', 'Tokyo')
    test.each<[string, Anthropic.ToolChoice | undefined, Script, string[]]>([
      ['left out', undefined, ['Hello!'], []],
      ['left out', undefined, [two], ['get_weather', 'get_weather']],
      ['auto', { type: 'auto' }, ['Hello!'], []],
      ['any, asked for twice', { type: 'any' }, ['Hello!', timeInRome], ['get_time']],
      ['a tool', { type: 'tool', name: 'get_time' }, [timeInRome], ['get_time']],
      ['none', { type: 'none' }, [two], []],
      ['auto, one at a time', { type: 'auto', disable_parallel_tool_use: true }, [two], ['get_weather']],
      ['any, one at a time', { type: 'any', disable_parallel_tool_use: true }, [two], ['get_weather']],
    ])('%s: %j, the model writes %j', async (_, choice, script, names) => {
      const { client } = await playing(scripted(script))
      const params = {
        ...base,
        messages: [ask('The weather, or the time?')],
        tools,
        ...(choice && { tool_choice: choice }),
      }
      const message = await client.messages.stream(params).finalMessage()
      expect(callsOf(message).map((call) => call.name)).toEqual(names)
      expect(message.stop_reason).toBe(names.length > 0 ? 'tool_use' : 'end_turn')
    })
  })

  test('stop sequences and the token limit end a reply, and it says which', async () => {
    const { client } = await playing(() => ({ pieces: ['one, two, th', 'ree, four'] }))
    const params = { ...base, messages: [ask('Count')] }
    const stopped = await client.messages.create({ ...params, stop_sequences: ['three'] })
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'three' })
    expect(textOf(stopped)).toBe('one, two, ')

    const counts = 'one, two, three, four'.match(/.{3}/g) ?? []
    const { client: limited } = await playing((_, { maxTokens }) => ({
      pieces: counts.slice(0, maxTokens),
      finish: 'length',
    }))
    const cut = await limited.messages.stream({ ...params, max_tokens: 3 }).finalMessage()
    expect(cut.stop_reason).toBe('max_tokens')
  })

  test('counting tokens', async () => {
    const { client } = await playing(scripted([]))
    const messages = [ask('What is the weather in Paris?')]
    const bare = await client.messages.countTokens({ model: 'claude-test', messages })
    const withTools = await client.messages.countTokens({ model: 'claude-test', messages, tools, system: 'Be brief.' })
    expect(bare.input_tokens).toBeGreaterThan(0)
    expect(withTools.input_tokens).toBeGreaterThan(bare.input_tokens + 100)
  })
})

describe('models', () => {
  test('are listed and shown', async () => {
    const client = clientOf(
      await gatewayForTest({ config: { models: [{ match: ['claude-a', 'claude-b'], upstream: 'test' }] } }),
    )
    const listed: Anthropic.ModelInfo[] = []
    for await (const model of client.models.list()) listed.push(model)
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(listed).toMatchObject([
      { type: 'model', id: 'claude-a', display_name: 'claude-a', created_at },
      { type: 'model', id: 'claude-b', display_name: 'claude-b', created_at },
    ])
    expect(await client.models.retrieve('claude-b')).toEqual(listed[1])
    await expect(client.models.retrieve('gpt-c')).rejects.toThrow(NotFoundError)
  })

  test('of the upstream are listed where a pattern lets them through, under names that Claude Code shows', async () => {
    const client = clientOf(await gatewayForTest())
    const listed = (await client.models.list()).data
    expect(listed).toMatchObject([{ id: 'anthropic/anycall-scripted', display_name: 'anycall-scripted' }])
    const asked = { ...base, messages: [ask('Hi')] }
    for (const { id } of listed) {
      expect(await client.models.retrieve(id)).toMatchObject({ id })
      expect(await client.messages.create({ ...asked, model: id })).toMatchObject({ model: id, type: 'message' })
    }
    const plain = clientOf(await gatewayForTest({ config: { anthropicPrefix: '' } }))
    expect((await plain.models.list()).data.map(({ id }) => id)).toEqual(['anycall-scripted'])
  })
})

describe('errors are the typed ones of the SDK', () => {
  const params = { ...base, messages: [ask('Hi')] }
  const config = { models: [{ match: 'claude-*', upstream: 'test' }], keys: ['key-of-the-gateway'] }
  const failure = async (promise: PromiseLike<unknown>) => {
    try {
      await promise
    } catch (error) {
      return error
    }
    return undefined
  }

  test('a model that there is not', async () => {
    const client = clientOf(await gatewayForTest({ config }), { apiKey: 'key-of-the-gateway' })
    for (const stream of [false, true]) {
      const error = await failure(client.messages.create({ ...params, model: 'gpt-x', stream }))
      expect(error).toBeInstanceOf(NotFoundError)
      expect(error).toMatchObject({
        status: 404,
        type: 'not_found_error',
        requestID: expect.stringMatching(/^req_/),
        apiMessage: expect.stringContaining('"gpt-x"'),
      })
    }
  })

  test.each<[string, ConstructorParameters<typeof Anthropic>[0], boolean]>([
    ['no such key', { apiKey: 'another' }, false],
    ['no such token', { apiKey: null, authToken: 'another' }, false],
    ['the key', { apiKey: 'key-of-the-gateway' }, true],
    ['the token', { apiKey: null, authToken: 'key-of-the-gateway' }, true],
  ])('%s', async (_, options, isLetIn) => {
    const client = clientOf(await gatewayForTest({ config }), options)
    const error = await failure(client.messages.create(params))
    if (isLetIn) return expect(error).toBeUndefined()
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error' })
  })

  test('a request that is wrong names the field', async () => {
    const client = clientOf(await gatewayForTest())
    const result: Anthropic.ToolResultBlockParam = { type: 'tool_result', tool_use_id: 'toolu_lost', content: 'x' }
    const error = await failure(client.messages.create({ ...base, messages: [{ role: 'user', content: [result] }] }))
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      apiMessage: expect.stringMatching(/messages\[0\]\.content\[0\]\.tool_use_id.*toolu_lost/),
    })
  })

  test('an upstream that has no room is tried again by the SDK', async () => {
    const error = new AnycallError('overloaded', 'No room.', { retryAfter: 0 })
    const { upstream, requests } = playedModel(toolify, (_, __, index) =>
      index === 0 ? { pieces: [], fault: { type: 'status', error } } : 'Here I am.',
    )
    const gateway = await gatewayForTest({ upstream })
    await expect(clientOf(gateway).messages.create(params)).rejects.toThrow(InternalServerError)
    const again = playedModel(toolify, (_, __, index) =>
      index === 0 ? { pieces: [], fault: { type: 'status', error } } : 'Here I am.',
    )
    const client = clientOf(await gatewayForTest({ upstream: again.upstream }), { maxRetries: 1 })
    expect(textOf(await client.messages.create(params))).toBe('Here I am.')
    expect([requests.length, again.requests.length]).toEqual([1, 2])
  })
})

describe('a client that leaves stops the upstream', () => {
  const endless = () => ({ ...says(...Array.from({ length: 2000 }, () => 'on and on ')), delayMs: 5 })
  const params = { ...base, messages: [ask('Go on')] }

  test('by abort() of the stream helper', async () => {
    const upstream = await upstreamServerForTest(endless)
    const client = clientOf(await gatewayForTest({ upstream: upstream.url }))
    const stream = client.messages.stream(params)
    stream.on('text', () => stream.abort())
    await expect(stream.finalMessage()).rejects.toThrow(APIUserAbortError)
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })

  test('by leaving the loop over the events', async () => {
    const upstream = await upstreamServerForTest(endless)
    const client = clientOf(await gatewayForTest({ upstream: upstream.url }))
    for await (const event of await client.messages.create({ ...params, stream: true })) {
      if (event.type === 'content_block_delta') break
    }
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })

  test('by a signal, while it waits for an answer at once', async () => {
    const upstream = await upstreamServerForTest(endless)
    const client = clientOf(await gatewayForTest({ upstream: upstream.url }))
    const leave = new AbortController()
    const answer = client.messages.create(params, { signal: leave.signal })
    await eventually(() => expect(upstream.active).toBe(1))
    leave.abort()
    await expect(answer).rejects.toThrow(APIUserAbortError)
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })
})
