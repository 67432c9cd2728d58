import { describe, expect, it, vi } from 'vitest'
import type { OciReply } from '../../test/stand-ins/oci-server.ts'
import type { Conversation, JsonObject, Turn } from '../conversation/index.ts'
import { loadOciSdk } from './oci-generative-ai-session.ts'
import { collect, compartment, contextOf, ociForTest } from './test-oci.ts'
import type { GenerationRequest, MessagesRequest, ToolsRequest } from './upstream.ts'

const messages: MessagesRequest = {
  type: 'messages',
  model: 'meta.llama-3.3-70b-instruct',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello!' }], reasoning: 'greet' },
    { role: 'user', parts: [{ type: 'text', text: 'more' }] },
  ],
  sampling: {},
}

const weather = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Which city' },
    days: { type: 'integer' },
    unit: { type: ['string', 'null'], enum: ['c', 'f'] },
    around: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { x: { type: 'number' } } },
  },
  required: ['city'],
}

function conversationOf(turns: Turn[], more: Partial<Conversation> = {}): Conversation {
  return {
    model: 'm',
    system: 'Be brief.',
    turns,
    tools: [
      { name: 'get-weather', description: 'The weather', schema: weather },
      { name: 'clock', description: '', schema: {} },
    ],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
}

function toolsRequest(turns: Turn[], model: string, more: Partial<Conversation> = {}): ToolsRequest {
  return { type: 'tools', model, conversation: conversationOf(turns, more), sampling: {} }
}

const asks: Turn = { role: 'user', parts: [{ type: 'text', text: 'weather?' }] }
const calls: Turn = {
  role: 'assistant',
  parts: [
    { type: 'call', id: 'c1', name: 'get-weather', arguments: '{"city":"Paris"}' },
    { type: 'call', id: 'c2', name: 'clock', arguments: '{}' },
  ],
}
const gets: Turn = {
  role: 'user',
  parts: [
    { type: 'result', callId: 'c1', name: 'get-weather', content: [{ type: 'text', text: '15°C' }], isError: false },
    { type: 'result', callId: 'c2', name: 'clock', content: [{ type: 'text', text: 'stopped' }], isError: true },
  ],
}

const reply: OciReply = { type: 'reply', pieces: ['a'] }

async function chatRequestOf(request: GenerationRequest): Promise<unknown> {
  const { upstream, server } = await ociForTest([reply])
  await collect(upstream.generate(request, contextOf()))
  return server.requests[0]?.body.chatRequest
}

const streamed = { isStream: true, streamOptions: { isIncludeUsage: true } }
const text = (text: string): JsonObject => ({ type: 'TEXT', text })

describe('a body', () => {
  it('names compartment and model', async () => {
    const { upstream, server } = await ociForTest([reply])
    await collect(upstream.generate(messages, contextOf()))
    expect(server.requests[0]?.body).toMatchObject({
      compartmentId: compartment,
      servingMode: { servingType: 'ON_DEMAND', modelId: 'meta.llama-3.3-70b-instruct' },
    })
  })

  const endpointId = 'ocid1.generativeaiendpoint.oc1..eeee'
  it.each([
    [
      'mine',
      { mine: { id: 'ocid1.generativeaimodel.oc1..mmmm' } },
      { servingType: 'ON_DEMAND', modelId: 'ocid1.generativeaimodel.oc1..mmmm' },
    ],
    ['mine', { mine: { endpoint: endpointId } }, { servingType: 'DEDICATED', endpointId }],
    [endpointId, {}, { servingType: 'DEDICATED', endpointId }],
    ['constructor', {}, { servingType: 'ON_DEMAND', modelId: 'constructor' }],
  ])('has the serving mode of %s with %o', async (model, models, servingMode) => {
    const { upstream, server } = await ociForTest([reply], { models })
    await collect(upstream.generate({ ...messages, model }, contextOf()))
    expect(server.requests[0]?.body.servingMode).toEqual(servingMode)
  })

  it('of messages in the Generic format', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA', detail: 'low' } as const
    const [system, ...turns] = messages.messages
    const request: MessagesRequest = {
      ...messages,
      messages: [
        ...(system ? [system] : []),
        ...turns,
        { role: 'user', parts: [image, { type: 'text', text: 'look' }] },
      ],
      maxTokens: 100,
      sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
      reasoning: { enabled: true, effort: 'high' },
    }
    expect(await chatRequestOf(request)).toEqual({
      apiFormat: 'GENERIC',
      messages: [
        { role: 'SYSTEM', content: [text('Be brief.')] },
        { role: 'USER', content: [text('hi')] },
        { role: 'ASSISTANT', content: [text('Hello!')], reasoningContent: 'greet' },
        { role: 'USER', content: [text('more')] },
        {
          role: 'USER',
          content: [{ type: 'IMAGE', imageUrl: { url: 'data:image/png;base64,AA', detail: 'LOW' } }, text('look')],
        },
      ],
      ...streamed,
      maxTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 4,
      presencePenalty: 1,
      frequencyPenalty: 2,
      seed: 3,
      reasoningEffort: 'HIGH',
    })
  })

  it('of messages in the Cohere format', async () => {
    expect(await chatRequestOf({ ...messages, model: 'cohere.command-r-plus', maxTokens: 9 })).toEqual({
      apiFormat: 'COHERE',
      preambleOverride: 'Be brief.',
      chatHistory: [
        { role: 'USER', message: 'hi' },
        { role: 'CHATBOT', message: 'Hello!' },
      ],
      message: 'more',
      ...streamed,
      maxTokens: 9,
    })
  })

  it('has what the model definition says', async () => {
    const models = { m: { maxTokensField: 'maxCompletionTokens', maxTokens: 4000, temperature: 0.3 } } as const
    const { upstream, server } = await ociForTest([reply, reply], { models })
    await collect(upstream.generate({ ...messages, model: 'm', maxTokens: 32000 }, contextOf()))
    await collect(upstream.generate({ ...messages, model: 'm', sampling: { temperature: 1 } }, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject([
      { maxCompletionTokens: 4000, temperature: 0.3 },
      { temperature: 1 },
    ])
    expect(server.requests[1]?.body.chatRequest).not.toHaveProperty('maxCompletionTokens')
  })

  it('is not written for a whole prompt', async () => {
    const { upstream } = await ociForTest([])
    const prompt: GenerationRequest = {
      type: 'prompt',
      model: 'm',
      prompt: 'p',
      stops: [],
      preservedTokens: [],
      sampling: {},
    }
    await expect(upstream.generate(prompt, contextOf())).rejects.toMatchObject({ kind: 'internal' })
  })
})

describe('a conversation with tools in the Cohere format', () => {
  const model = 'cohere.command-a-03-2025'
  const call = { name: 'get_weather', parameters: { city: 'Paris' } }
  const clock = { name: 'clock', parameters: {} }
  const toolResults = [
    { call, outputs: [{ output: '15°C' }] },
    { call: clock, outputs: [{ error: 'stopped' }] },
  ]
  const tools = [
    {
      name: 'get_weather',
      description: 'The weather',
      parameterDefinitions: {
        city: { type: 'str', description: 'Which city', isRequired: true },
        days: { type: 'int', isRequired: false },
        unit: {
          type: 'str',
          description: 'JSON schema: {"type":["string","null"],"enum":["c","f"]}',
          isRequired: false,
        },
        around: { type: 'List[str]', isRequired: false },
        place: {
          type: 'Dict',
          description: 'JSON schema: {"type":"object","properties":{"x":{"type":"number"}}}',
          isRequired: false,
        },
      },
    },
    { name: 'clock', description: 'clock' },
  ]
  const asked = { role: 'USER', message: 'weather?' }
  const called = { role: 'CHATBOT', message: ' ', toolCalls: [call, clock] }

  it.each<[string, Turn[], JsonObject]>([
    ['the question', [asks], { message: 'weather?' }],
    ['results', [asks, calls, gets], { message: '', chatHistory: [asked, called], toolResults }],
    [
      'results, and a word of the user',
      [
        asks,
        calls,
        { role: 'user', parts: [...(gets.role === 'user' ? gets.parts : []), { type: 'text', text: 'so?' }] },
      ],
      {
        message: 'so?',
        chatHistory: [asked, called, { role: 'TOOL', toolResults }, { role: 'CHATBOT', message: ' ' }],
      },
    ],
    [
      'results of two steps',
      [asks, calls, gets, calls, gets],
      { message: '', chatHistory: [asked, called, { role: 'TOOL', toolResults }, called], toolResults },
    ],
    [
      'a reminder behind the question',
      [asks, { role: 'system', text: 'Mind.' }],
      { message: 'weather?\n<system-reminder>\nMind.\n</system-reminder>' },
    ],
    [
      'words of its own at the end',
      [asks, { role: 'assistant', parts: [{ type: 'text', text: 'Well' }] }],
      { message: 'Continue.', chatHistory: [asked, { role: 'CHATBOT', message: 'Well' }] },
    ],
  ])('has %s', async (_, turns, fields) => {
    expect(await chatRequestOf(toolsRequest(turns, model))).toEqual({
      apiFormat: 'COHERE',
      preambleOverride: 'Be brief.',
      ...fields,
      tools,
      ...streamed,
    })
  })

  it.each([
    [{ type: 'none' } as const, [asks], { tools: undefined }, []],
    [{ type: 'none' } as const, [asks, calls, gets], { tools, isForceSingleStep: true }, []],
    [{ type: 'required' } as const, [asks], { tools }, ['tool-choice-unsupported']],
    [{ type: 'named', name: 'clock' } as const, [asks], { tools: tools.slice(1) }, ['tool-choice-unsupported']],
  ])('says of tool choice %o what it can', async (toolChoice, turns, fields, codes) => {
    const { upstream, server } = await ociForTest([reply])
    const events = await collect(upstream.generate(toolsRequest(turns, model, { toolChoice }), contextOf()))
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []))).toEqual(codes)
    const chatRequest = server.requests[0]?.body.chatRequest
    expect({ tools: undefined, ...(chatRequest instanceof Object ? chatRequest : {}) }).toMatchObject(fields)
  })

  it.each([true, false])('gets calls, under the names of the tools; whole: %s', async (whole) => {
    const { upstream } = await ociForTest([
      { type: 'reply', pieces: ['I will ', 'look.'], calls: [call, clock], whole },
    ])
    expect(await collect(upstream.generate(toolsRequest([asks], model), contextOf()))).toEqual([
      { type: 'text', text: 'I will look.' },
      { type: 'call', index: 0, name: 'get-weather', arguments: '{"city":"Paris"}' },
      { type: 'call', index: 1, name: 'clock', arguments: '{}' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 40, outputTokens: 7 } },
    ])
  })

  it('keeps apart tools whose names become one', async () => {
    const named = (name: string) => ({ name, description: 'd', schema: {} })
    const { upstream, server } = await ociForTest([
      { type: 'reply', pieces: [], calls: [{ name: 'a_b_2', parameters: {} }] },
    ])
    const request = toolsRequest([asks], model, { tools: [named('a-b'), named('a.b'), named('2a')] })
    const events = await collect(upstream.generate(request, contextOf()))
    expect(server.requests[0]?.body.chatRequest).toMatchObject({
      tools: [{ name: 'a_b' }, { name: 'a_b_2' }, { name: '_2a' }],
    })
    expect(events).toContainEqual({ type: 'call', index: 0, name: 'a.b', arguments: '{}' })
  })

  it('cannot show images', async () => {
    const { upstream, server } = await ociForTest([])
    const turn: Turn = { role: 'user', parts: [{ type: 'image', url: 'https://a.example/b.png' }] }
    await expect(upstream.generate(toolsRequest([turn], model), contextOf())).rejects.toMatchObject({
      kind: 'invalid-request',
      message: expect.stringContaining('images'),
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a conversation with tools in the Generic format, where the configuration asks for it', () => {
  const model = 'meta.llama-3.3-70b-instruct'

  it('has tools, calls and results', async () => {
    const more = { toolChoice: { type: 'named', name: 'clock' }, parallelCalls: false } as const
    expect(await chatRequestOf(toolsRequest([asks, calls, gets], model, more))).toEqual({
      apiFormat: 'GENERIC',
      messages: [
        { role: 'SYSTEM', content: [text('Be brief.')] },
        { role: 'USER', content: [text('weather?')] },
        {
          role: 'ASSISTANT',
          content: [text('')],
          toolCalls: [
            { id: 'c1', type: 'FUNCTION', name: 'get-weather', arguments: '{"city":"Paris"}' },
            { id: 'c2', type: 'FUNCTION', name: 'clock', arguments: '{}' },
          ],
        },
        { role: 'TOOL', toolCallId: 'c1', content: [text('15°C')] },
        { role: 'TOOL', toolCallId: 'c2', content: [text('Error: stopped')] },
      ],
      tools: [
        { type: 'FUNCTION', name: 'get-weather', description: 'The weather', parameters: weather },
        { type: 'FUNCTION', name: 'clock', parameters: { type: 'object', properties: {} } },
      ],
      toolChoice: { type: 'FUNCTION', name: 'clock' },
      isParallelToolCalls: false,
      ...streamed,
    })
  })

  it('gets calls in pieces', async () => {
    const made = [
      { name: 'get-weather', parameters: { city: 'Paris', days: 3 } },
      { name: 'clock', parameters: {} },
    ]
    const { upstream } = await ociForTest([{ type: 'reply', pieces: [], calls: made }])
    const events = await collect(upstream.generate(toolsRequest([asks], model), contextOf()))
    const pieces = events.flatMap((event) => (event.type === 'call' ? [event] : []))
    expect(pieces.filter(({ name }) => name !== undefined)).toMatchObject([
      { index: 0, id: 'call_0', name: 'get-weather' },
      { index: 1, id: 'call_1', name: 'clock' },
    ])
    const json = (call: number): string => pieces.map((piece) => (piece.index === call ? piece.arguments : '')).join('')
    expect([json(0), json(1)]).toEqual(['{"city":"Paris","days":3}', '{}'])
  })

  it('calls that nobody asked for are left out, and the log says so', async () => {
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a'], calls: [{ name: 'f', parameters: {} }] }])
    const log = vi.fn()
    const events = await collect(upstream.generate(messages, contextOf({ log })))
    expect(events.map(({ type }) => type)).toEqual(['text', 'finish', 'usage'])
    expect(log).toHaveBeenCalledWith('warn', 'upstream.calls-ignored', { upstream: 'oci' })
  })
})

describe('the format of a model', () => {
  const ocid = 'ocid1.generativeaimodel.oc1..mmmm'

  it.each([
    ['cohere.command-r-plus', {}, true],
    ['meta.llama-3.3-70b-instruct', {}, false],
    ['xai.grok-4', {}, false],
    [ocid, {}, undefined],
    ['mine', { mine: { id: 'cohere.command-r-plus' } }, true],
    ['mine', { mine: { id: ocid, format: 'cohere' } }, true],
    ['cohere.x', { 'cohere.x': { format: 'generic' } }, false],
  ] as const)('%s with %o calls tools by itself: %s', async (model, models, callsTools) => {
    const { upstream } = await ociForTest([], { models })
    expect(await upstream.callsTools?.(model, contextOf())).toBe(callsTools)
    expect(await upstream.models()).toEqual(Object.keys(models).map((id) => ({ id })))
  })

  it('is found out from the service where nothing tells it, and remembered', async () => {
    const { upstream, server } = await ociForTest(() => reply, {}, { [ocid]: 'COHERE' })
    const request = { ...messages, model: ocid }
    for (let n = 0; n < 2; n++) await collect(upstream.generate(request, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject(
      ['GENERIC', 'COHERE', 'COHERE'].map((apiFormat) => ({ apiFormat })),
    )
    expect(await upstream.callsTools?.(ocid, contextOf())).toBe(true)
  })

  it('is not guessed against the configuration, nor for ever', async () => {
    const fixed = await ociForTest([reply], { models: { [ocid]: { format: 'generic' } } }, { [ocid]: 'COHERE' })
    await expect(fixed.upstream.generate({ ...messages, model: ocid }, contextOf())).rejects.toThrow(/correct format/)
    expect(fixed.server.requests).toHaveLength(1)
    const neither = await ociForTest([reply], {}, { [ocid]: 'COHEREV2' })
    await expect(neither.upstream.generate({ ...messages, model: ocid }, contextOf())).rejects.toThrow(/correct format/)
    expect(neither.server.requests).toHaveLength(2)
  })
})

describe('what the service refuses', () => {
  const refuses = (message: string): OciReply => ({ type: 'status', status: 400, body: { code: '400', message } })

  it('is left out where it can be spared: usage, from then on', async () => {
    const { upstream, server } = await ociForTest([refuses('unrecognized field streamOptions'), reply, reply])
    for (let n = 0; n < 2; n++) await collect(upstream.generate(messages, contextOf()))
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('streamOptions'))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is lowered where it says to what: the most tokens, from then on', async () => {
    const { upstream, server } = await ociForTest([
      refuses('maxTokens must be less than or equal to 4000'),
      reply,
      reply,
    ])
    for (let n = 0; n < 2; n++) await collect(upstream.generate({ ...messages, maxTokens: 32000 }, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject(
      [32000, 4000, 4000].map((maxTokens) => ({ maxTokens })),
    )
  })
})

describe('the SDK', () => {
  it('that is missing is said to be, with what installs it', async () => {
    const load = async (name: string): Promise<void> => {
      if (name === 'oci-common') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    await expect(loadOciSdk('oci', load)).rejects.toMatchObject({
      kind: 'upstream',
      message: `Upstream "oci" needs OCI's SDK, which is not installed: oci-common. Install it beside anycall: npm install oci-common oci-generativeaiinference`,
    })
  })

  it('that is broken is not said to be missing', async () => {
    const load = (): Promise<void> => Promise.reject(new SyntaxError('bad'))
    await expect(loadOciSdk('oci', load)).rejects.toThrow('bad')
  })
})
