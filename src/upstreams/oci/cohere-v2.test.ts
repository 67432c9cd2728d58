import { describe, expect, it } from 'vitest'
import { collect, contextOf, ociForTest } from '../../../test/support/upstreams/oci.ts'
import {
  asks,
  calls,
  chatRequestOf,
  gets,
  reply,
  streamed,
  text,
  toolsRequest,
  weather,
} from '../../../test/support/upstreams/oci-requests.ts'
import type { JsonObject, Turn } from '../../conversation/index.ts'
import type { MessagesRequest, UpstreamEvent } from '../upstream.ts'
import { ociFormat } from './chunk.ts'

const model = 'cohere.command-a-vision-07-2025'
const tools = [
  { type: 'FUNCTION', function: { name: 'get_weather', description: 'The weather', parameters: weather } },
  { type: 'FUNCTION', function: { name: 'clock', parameters: { type: 'object', properties: {} } } },
]
const system = { role: 'SYSTEM', content: [text('Be brief.')] }
const asked = { role: 'USER', content: [text('weather?')] }
const toolCalls = [
  { id: 'c1', type: 'FUNCTION', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
  { id: 'c2', type: 'FUNCTION', function: { name: 'clock', arguments: '{}' } },
]
const thinks: Turn = {
  role: 'assistant',
  parts: [{ type: 'reasoning', text: 'Look first.' }, ...(calls.role === 'assistant' ? calls.parts : [])],
}

describe("a conversation with tools in the format of Cohere's second API", () => {
  it.each<[string, Turn[], JsonObject[]]>([
    ['the question', [asks], [asked]],
    [
      'calls and results',
      [asks, calls, gets],
      [
        asked,
        { role: 'ASSISTANT', content: [text(' ')], toolCalls },
        { role: 'TOOL', content: [text('15°C')], toolCallId: 'c1' },
        { role: 'TOOL', content: [text('Error: stopped')], toolCallId: 'c2' },
      ],
    ],
    [
      'the plan of calls',
      [asks, thinks],
      [asked, { role: 'ASSISTANT', content: [text(' ')], toolPlan: 'Look first.', toolCalls }],
    ],
    [
      'what was thought before an answer',
      [
        asks,
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Fine.' },
          ],
        },
      ],
      [asked, { role: 'ASSISTANT', content: [{ type: 'THINKING', thinking: 'Hm.' }, text('Fine.')] }],
    ],
    [
      'a reminder and an image',
      [
        { role: 'system', text: 'Mind.' },
        { role: 'user', parts: [{ type: 'image', url: 'data:image/png;base64,AA', detail: 'low' }] },
      ],
      [
        { role: 'USER', content: [text('<system-reminder>\nMind.\n</system-reminder>')] },
        {
          role: 'USER',
          content: [{ type: 'IMAGE_URL', imageUrl: { url: 'data:image/png;base64,AA', detail: 'LOW' } }],
        },
      ],
    ],
  ])('has %s', async (_, turns, messages) => {
    expect(await chatRequestOf(toolsRequest(turns, model))).toEqual({
      apiFormat: 'COHEREV2',
      messages: [system, ...messages],
      tools,
      ...streamed,
    })
  })

  it.each([
    [{ type: 'none' } as const, { toolsChoice: 'NONE', tools }],
    [{ type: 'required' } as const, { toolsChoice: 'REQUIRED', tools }],
    [{ type: 'named', name: 'clock' } as const, { toolsChoice: 'REQUIRED', tools: tools.slice(1) }],
  ])('says tool choice %o', async (toolChoice, fields) => {
    expect(await chatRequestOf(toolsRequest([asks], model, { toolChoice }))).toMatchObject(fields)
  })

  it.each([true, false])('gets calls, under the names of the tools; whole: %s', async (whole) => {
    const made = [
      { name: 'get_weather', parameters: { city: 'Paris' } },
      { name: 'clock', parameters: {} },
    ]
    const { upstream } = await ociForTest([
      { type: 'reply', pieces: ['I will ', 'look.'], reasoning: 'hm', calls: made, whole },
    ])
    const events = await collect(upstream.generate(toolsRequest([asks], model), contextOf()))
    const pieces = events.filter((event) => event.type === 'call')
    expect(events.filter((event) => event.type !== 'call')).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I will look.' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 40, outputTokens: 7 } },
    ])
    const call = (index: number) => {
      const own = pieces.filter((piece) => piece.index === index)
      return [own[0]?.id, own[0]?.name, own.map((piece) => piece.arguments ?? '').join('')]
    }
    expect([call(0), call(1)]).toEqual([
      ['call_0', 'get-weather', '{"city":"Paris"}'],
      ['call_1', 'clock', '{}'],
    ])
  })
})

describe('a request for thinking', () => {
  const request: MessagesRequest = {
    type: 'messages',
    model,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    sampling: {},
  }

  it.each([
    [
      { enabled: true, budgetTokens: 500 },
      { type: 'ENABLED', tokenBudget: 500 },
    ],
    [{ enabled: true }, { type: 'ENABLED' }],
    [{ enabled: false }, { type: 'DISABLED' }],
  ])('%o is said', async (reasoning, thinking) => {
    expect(await chatRequestOf({ ...request, reasoning })).toMatchObject({ apiFormat: 'COHEREV2', thinking })
  })

  it('is left out where the model refuses it, from then on', async () => {
    const body = { code: '400', message: '{"message":"invalid request: thinking is not supported for this model"}' }
    const { upstream, server } = await ociForTest([{ type: 'status', status: 400, body }, reply, reply])
    const thinking: MessagesRequest = { ...request, reasoning: { enabled: true } }
    for (let n = 0; n < 2; n++) await collect(upstream.generate(thinking, contextOf()))
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('thinking'))).toEqual([true, false, false])
  })
})

describe('the events of a reply', () => {
  function read(...events: JsonObject[]): UpstreamEvent[] {
    const format = ociFormat({ toolName: (sent) => sent })
    return events.flatMap((event) => format.read(event).events)
  }
  const said = (message: JsonObject, more: JsonObject = {}): JsonObject => ({ apiFormat: 'COHEREV2', message, ...more })
  const call = (given: string): JsonObject => ({ id: 'a', type: 'FUNCTION', function: { name: 'f', arguments: given } })

  it('may say all once more in the last', () => {
    expect(
      read(
        said({ toolPlan: 'I will ' }),
        said({ toolPlan: 'look.' }),
        said({ content: [text('a')] }),
        said({ content: [text('b')] }),
        said({ toolCalls: [call('{}')] }),
        said(
          { toolPlan: 'I will look.', content: [text('ab')], toolCalls: [call('{}')] },
          { finishReason: 'TOOL_CALL' },
        ),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'I will ' },
      { type: 'reasoning', text: 'look.' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'call', index: 0, id: 'a', name: 'f', arguments: '{}' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('may have the rest in the last, and be one', () => {
    expect(
      read(said({ content: [text('a')] }), said({ content: [text('b')] }, { finishReason: 'MAX_TOKENS' })),
    ).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'finish', reason: 'length' },
    ])
    expect(read(said({ content: [text('a'), text('a')] }, { finishReason: 'COMPLETE' }))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'a' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('may end in a failure that says why', () => {
    const format = ociFormat({ toolName: (sent) => sent })
    const last = said({ content: [] }, { finishReason: 'ERROR', errorMessage: 'no room' })
    expect(format.read(last)).toEqual({ events: [], failed: 'ERROR: no room' })
  })
})
