import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai'
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
import { runTool, openaiTools as tools } from './travel-tools.ts'

type Message = OpenAI.ChatCompletionMessageParam
type Choice = OpenAI.ChatCompletionToolChoiceOption

const model = 'gpt-test'
const ask = (content: string): Message => ({ role: 'user', content })

function clientOf(gateway: RunningGateway, options: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI {
  return new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0, ...options })
}

/** The calls of a message; all of them must be of functions. */
function callsOf(message: OpenAI.ChatCompletionMessage): { id: string; name: string; input: unknown }[] {
  return (message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error(`a call of type ${call.type}`)
    return { id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }
  })
}

const withoutId = ({ name, input }: { name: string; input: unknown }) => ({ name, input })

/** Runs the calls of a message, as a client's program does. */
function runCalls(message: OpenAI.ChatCompletionMessage): Message[] {
  return callsOf(message).map(({ id, name, input }) => ({
    role: 'tool',
    tool_call_id: id,
    content: runTool(name, objectOf(input)),
  }))
}

const weatherIn = (...cities: string[]) => cities.map((city) => ({ name: 'get_weather', input: { city } }))
const timeInRome = [{ name: 'get_time', input: { city: 'Rome' } }]
const threeTurns = [weatherIn('Paris', 'Tokyo'), 'Clear in both.', timeInRome, 'It is 14:05.']
const lastText = (messages: readonly ChatMessage[]) => messages.slice(-1).map(messageText).join('')

const testsOf = coveringTests(settings)

describe.each(settings)('by $name', (setting) => {
  const test = testsOf(setting)
  const playing = async (write: Writing) => {
    const { upstream, ...played } = playedModel(setting, write)
    const gateway = await gatewayForTest({ upstream, ...setting.rule })
    return { client: clientOf(gateway), ...played }
  }

  test('an answer at once', async () => {
    const usage = { inputTokens: 9, outputTokens: 2, cachedTokens: 4 }
    const { client } = await playing(() => ({ pieces: ['Good ', 'morning.'], usage }))
    const { data, response, request_id } = await client.chat.completions
      .create({ model, messages: [ask('Hi')] })
      .withResponse()
    expect(data).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Good morning.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11, prompt_tokens_details: { cached_tokens: 4 } },
    })
    expect(request_id).toMatch(/^req_/)
    expect(response.headers.get('x-request-id')).toBe(request_id)
  })

  test('the events of the stream helper', async () => {
    const trip = { title: 'To the sea, and back', days: 3 }
    const { client } = await playing((calls) => `I will look.\n${calls({ name: 'plan_trip', input: trip })}`)
    const texts: string[] = []
    const jsonPieces: string[] = []
    const done: unknown[] = []
    const stream = client.chat.completions
      .stream({ model, messages: [ask('Plan a trip')], tools })
      .on('content', (piece) => texts.push(piece))
      .on('tool_calls.function.arguments.delta', (event) => jsonPieces.push(event.arguments_delta))
      .on('tool_calls.function.arguments.done', ({ name, index, arguments: json }) => done.push({ name, index, json }))
    const completion = await stream.finalChatCompletion()
    const json = '{"title":"To the sea, and back","days":3}'

    expect(texts.join('')).toBe('I will look.')
    expect(texts.length).toBeGreaterThan(1)
    expect(jsonPieces.join('')).toBe(json)
    expect(jsonPieces.filter((piece) => piece !== '' && trip.title.includes(piece)).length).toBeGreaterThan(3)
    expect(done).toEqual([{ name: 'plan_trip', index: 0, json }])
    expect(completion.choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'I will look.',
          tool_calls: [
            {
              id: expect.stringMatching(setting.ids('call_')),
              type: 'function',
              function: { name: 'plan_trip', arguments: json },
            },
          ],
        },
      },
    ])
  })

  test.each([true, false])('usage in a stream, asked for: %s', async (wanted) => {
    const { client } = await playing(() => ({ pieces: ['Hi', '.'], usage: { inputTokens: 9, outputTokens: 2 } }))
    const params = { model, messages: [ask('Hi')], stream: true as const }
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await client.chat.completions.create({
      ...params,
      ...(wanted && { stream_options: { include_usage: true } }),
    })) {
      chunks.push(chunk)
    }
    const usages = chunks.filter((chunk) => chunk.usage)
    if (!wanted) return expect(usages).toEqual([])
    expect(usages).toEqual([chunks.at(-1)])
    expect(usages[0]).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
    })
  })

  test.each(['whole', 'streamed'])('a tool loop of three turns with two parallel calls, %s', async (form) => {
    const { client, prompts, messages: shownMessages } = await playing(scripted(threeTurns))
    const messages: Message[] = [
      { role: 'system', content: 'Be brief.' },
      ask('What is the weather in Paris and Tokyo?'),
    ]
    const turn = async () => {
      const completion =
        form === 'whole'
          ? await client.chat.completions.create({ model, messages, tools })
          : await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion()
      const [choice] = completion.choices
      if (!choice) throw new Error('a completion without a choice')
      messages.push(choice.message)
      return choice
    }

    const first = await turn()
    expect(first.finish_reason).toBe('tool_calls')
    expect(callsOf(first.message).map(withoutId)).toEqual([
      { name: 'get_weather', input: { city: 'Paris' } },
      { name: 'get_weather', input: { city: 'Tokyo' } },
    ])
    messages.push(...runCalls(first.message))
    const second = await turn()
    expect(second.finish_reason).toBe('stop')
    expect(second.message.content).toBe(threeTurns[1])
    expect(prompts()[1]).toMatch(/Paris: clear, 5 degrees[\s\S]*Tokyo: clear, 5 degrees/)

    messages.push(ask('And what time is it in Rome?'))
    const third = await turn()
    expect(callsOf(third.message).map(withoutId)).toEqual([{ name: 'get_time', input: { city: 'Rome' } }])
    messages.push(...runCalls(third.message))
    const last = await turn()
    expect(last.finish_reason).toBe('stop')
    expect(callsOf(last.message)).toEqual([])
    expect(last.message.content).toBe(threeTurns[3])
    expect(lastText(shownMessages(3))).toContain('Rome: 14:05')

    const ids = [...callsOf(first.message), ...callsOf(third.message)].map((call) => call.id)
    expect(new Set(ids).size).toBe(3)
    // Each turn's prompt begins with the one before it, so that the engine's cache holds.
    const shown = prompts()
    expect(shown).toHaveLength(4)
    for (const [index, prompt] of shown.slice(1).entries()) expect(prompt.startsWith(shown[index] ?? '')).toBe(true)
  })

  test.each([true, false])('the tool runner of the SDK, stream: %s', async (stream) => {
    const { client, messages: shownMessages } = await playing(
      scripted([weatherIn('Paris', 'Tokyo'), weatherIn('Rome'), 'Done.']),
    )
    const asked: unknown[] = []
    const weather = {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        description: 'Current weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: (json: string) => objectOf(JSON.parse(json)),
        function: (input: object) => {
          asked.push(input)
          return runTool('get_weather', objectOf(input))
        },
      },
    }
    const messages = [ask('First get the weather in Paris and Tokyo, then get the weather in Rome.')]
    const params = { model, messages, tools: [weather] }
    const runner = stream
      ? client.chat.completions.runTools({ ...params, stream: true })
      : client.chat.completions.runTools(params)
    expect(await runner.finalContent()).toBe('Done.')
    expect(lastText(shownMessages(2))).toContain('Rome: clear, 4 degrees')
    expect(asked).toEqual([{ city: 'Paris' }, { city: 'Tokyo' }, { city: 'Rome' }])
  })

  test('reasoning comes out, and goes back in', async () => {
    let shown = ''
    const {
      client,
      requests,
      messages: shownMessages,
    } = await playing((calls, request, index) => {
      if (index > 0) return 'It is clear.'
      const paris = { name: 'get_weather', input: { city: 'Paris' } }
      shown = `I look.\n${replayedCalls(setting, request)(paris)}`
      return { pieces: [{ reasoning: 'Paris is ' }, { reasoning: 'in France.' }, `I look.\n${calls(paris)}`] }
    })
    const messages = [ask('Weather in Paris?')]
    const pieces: unknown[] = []
    const stream = client.chat.completions
      .stream({ model, messages, tools, reasoning_effort: 'low' })
      .on('chunk', ({ choices }) => pieces.push(objectOf(choices[0]?.delta).reasoning_content))
    const { message } = (await stream.finalChatCompletion()).choices[0] ?? {}
    if (!message) throw new Error('a completion without a message')
    const thoughts = pieces.filter((piece) => piece !== undefined)
    expect(thoughts.join('')).toBe('Paris is in France.')
    expect(thoughts.length).toBeGreaterThan(1)

    // A field that clients for reasoning models send back, unknown to the SDK.
    const replayed = { ...message, reasoning_content: 'Paris is in France.' }
    messages.push(replayed, ...runCalls(message))
    const last = await client.chat.completions.create({ model, messages, tools })
    expect(last.choices[0]?.message.content).toBe('It is clear.')
    expect(shownMessages(1).find((earlier) => earlier.role === 'assistant')).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: shown }],
      reasoning: 'Paris is in France.',
    })
    expect(requests[0]?.reasoning).toMatchObject({ effort: 'low' })
  })

  test('what Qwen Code and OpenCode send: contents as parts or null, results as parts', async () => {
    const { client, requests, messages } = await playing(scripted(['So it does.']))
    const answer = await client.chat.completions.create({
      model,
      tools,
      max_tokens: 8000,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'What is the weather in Paris?' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'It rains.\n' }] },
      ],
    })
    expect(answer.choices[0]?.message.content).toBe('So it does.')
    expect(lastText(messages(0))).toContain('It rains.')
    expect(messages(0).map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(requests[0]?.maxTokens).toBe(8000)
  })

  describe('tool_choice', () => {
    const two = weatherIn('Paris', 'Tokyo')
    const one: Choice = { type: 'function', function: { name: 'get_time' } }
    const allowed = (mode: 'auto' | 'required'): Choice => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'get_time' } }] },
    })
    test.each<[string, Choice | undefined, boolean | undefined, Script, string[]]>([
      ['left out', undefined, undefined, ['Hello!'], []],
      ['left out', undefined, undefined, [two], ['get_weather', 'get_weather']],
      ['auto', 'auto', true, [two], ['get_weather', 'get_weather']],
      ['required, asked for twice', 'required', undefined, ['Hello!', timeInRome], ['get_time']],
      ['a function', one, undefined, [timeInRome], ['get_time']],
      ['none', 'none', undefined, [two], []],
      ['allowed tools, required', allowed('required'), undefined, [timeInRome], ['get_time']],
      ['allowed tools, auto', allowed('auto'), undefined, ['Hello!'], []],
      ['one at a time', undefined, false, [two], ['get_weather']],
      ['required, one at a time', 'required', false, [two], ['get_weather']],
    ])('%s: %j, parallel_tool_calls: %s, the model writes %j', async (_, choice, parallel, script, names) => {
      const { client } = await playing(scripted(script))
      const completion = await client.chat.completions
        .stream({
          model,
          messages: [ask('The weather, or the time?')],
          tools,
          ...(choice !== undefined && { tool_choice: choice }),
          ...(parallel !== undefined && { parallel_tool_calls: parallel }),
        })
        .finalChatCompletion()
      const [answer] = completion.choices
      expect(answer?.message.tool_calls?.map((call) => call.type === 'function' && call.function.name) ?? []).toEqual(
        names,
      )
      expect(answer?.finish_reason).toBe(names.length > 0 ? 'tool_calls' : 'stop')
    })
  })

  test.each<[string, object, string, string]>([
    ['a stop sequence', { stop: 'three' }, 'one, two, ', 'stop'],
    ['several', { stop: ['five', 'two'] }, 'one, ', 'stop'],
    ['max_completion_tokens', { max_completion_tokens: 1 }, 'one, two, th', 'length'],
    ['max_tokens', { max_tokens: 1 }, 'one, two, th', 'length'],
  ])('%s ends a reply', async (_, limit, content, reason) => {
    const pieces = ['one, two, th', 'ree, four']
    const { client } = await playing((_calls, { maxTokens }) =>
      maxTokens === undefined ? { pieces } : { pieces: pieces.slice(0, maxTokens), finish: 'length' },
    )
    const completion = await client.chat.completions.create({ model, messages: [ask('Count')], ...limit })
    expect(completion.choices).toMatchObject([{ message: { content }, finish_reason: reason }])
  })

  test('a developer message is part of the system prompt', async () => {
    const { client, messages } = await playing(scripted(['A verse.']))
    await client.chat.completions.create({
      model,
      messages: [{ role: 'developer', content: 'Answer in verse.' }, ask('Hi')],
    })
    const [system] = messages(0)
    expect(system && { role: system.role, text: messageText(system) }).toEqual({
      role: 'system',
      text: 'Answer in verse.',
    })
  })
})

describe('models', () => {
  test('are listed and shown', async () => {
    const client = clientOf(
      await gatewayForTest({ config: { models: [{ match: ['gpt-a', 'b/c'], upstream: 'test' }] } }),
    )
    const listed: OpenAI.Model[] = []
    for await (const entry of client.models.list()) listed.push(entry)
    expect(listed).toEqual(
      ['gpt-a', 'b/c'].map((id) => ({ id, object: 'model', created: expect.any(Number), owned_by: 'anycall' })),
    )
    expect(await client.models.retrieve('b/c')).toMatchObject({ id: 'b/c', object: 'model' })
    await expect(client.models.retrieve('claude')).rejects.toThrow(NotFoundError)
  })
})

describe('errors are the typed ones of the SDK', () => {
  const messages = [ask('Hi')]
  const config = { models: [{ match: 'gpt-*', upstream: 'test' }], keys: ['key-of-the-gateway'] }
  const failure = async (promise: PromiseLike<unknown>) => {
    try {
      await promise
    } catch (error) {
      return error
    }
    return undefined
  }

  test.each([false, true])('a model that there is not, stream: %s', async (stream) => {
    const client = clientOf(await gatewayForTest({ config }), { apiKey: 'key-of-the-gateway' })
    const error = await failure(client.chat.completions.create({ model: 'claude-x', messages, stream }))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
      requestID: expect.stringMatching(/^req_/),
    })
    expect(String(error)).toContain('"claude-x"')
  })

  test('a key that is not known', async () => {
    const gateway = await gatewayForTest({ config })
    const error = await failure(clientOf(gateway).chat.completions.create({ model, messages }))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' })
    const client = clientOf(gateway, { apiKey: 'key-of-the-gateway' })
    expect(await failure(client.chat.completions.create({ model, messages }))).toBeUndefined()
  })

  test('a request that is wrong names the field', async () => {
    const client = clientOf(await gatewayForTest())
    const lost: Message = { role: 'tool', tool_call_id: 'call_lost', content: 'x' }
    const error = await failure(client.chat.completions.create({ model, messages: [...messages, lost] }))
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ type: 'invalid_request_error', param: 'messages[1].tool_call_id' })
    expect(String(error)).toContain('call_lost')
  })

  test('an upstream that has no room is tried again by the SDK', async () => {
    const error = new AnycallError('overloaded', 'No room.', { retryAfter: 0 })
    const full = () =>
      playedModel(toolify, (_, __, index) =>
        index === 0 ? { pieces: [], fault: { type: 'status', error } } : 'Here I am.',
      )
    const once = clientOf(await gatewayForTest({ upstream: full().upstream }))
    await expect(once.chat.completions.create({ model, messages })).rejects.toThrow(InternalServerError)
    const twice = clientOf(await gatewayForTest({ upstream: full().upstream }), { maxRetries: 1 })
    const completion = await twice.chat.completions.create({ model, messages })
    expect(completion.choices[0]?.message.content).toBe('Here I am.')
  })
})

describe('a client that leaves stops the upstream', () => {
  const endless = () => ({ ...says(...Array.from({ length: 2000 }, () => 'on and on ')), delayMs: 5 })
  const params = { model, messages: [ask('Go on')] }

  test('by abort() of the stream helper', async () => {
    const upstream = await upstreamServerForTest(endless)
    const client = clientOf(await gatewayForTest({ upstream: upstream.url }))
    const stream = client.chat.completions.stream(params)
    stream.on('content', () => stream.abort())
    await expect(stream.finalChatCompletion()).rejects.toThrow(APIUserAbortError)
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })

  test('by leaving the loop over the chunks', async () => {
    const upstream = await upstreamServerForTest(endless)
    const client = clientOf(await gatewayForTest({ upstream: upstream.url }))
    for await (const chunk of await client.chat.completions.create({ ...params, stream: true })) {
      if (chunk.choices[0]?.delta.content) break
    }
    await eventually(() => expect(upstream.closedEarly).toBe(1))
  })
})
