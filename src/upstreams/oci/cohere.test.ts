import { describe, expect, it } from 'vitest'
import { collect, contextOf, ociForTest } from '../../../test/support/upstreams/oci.ts'
import {
  asks,
  calls,
  chatRequestOf,
  gets,
  reply,
  streamed,
  toolsRequest,
} from '../../../test/support/upstreams/oci-requests.ts'
import type { JsonObject, Turn } from '../../conversation/index.ts'

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
      'a reminder after the question',
      [asks, { role: 'system', text: 'Mind.' }],
      { message: 'weather?\n<system-reminder>\nMind.\n</system-reminder>' },
    ],
    [
      'a question in two texts',
      [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'It is noon.' },
            { type: 'text', text: 'weather?' },
          ],
        },
      ],
      { message: 'It is noon.\nweather?' },
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
      code: 'invalid-request',
      message: expect.stringContaining('images'),
    })
    expect(server.requests).toHaveLength(0)
  })
})
