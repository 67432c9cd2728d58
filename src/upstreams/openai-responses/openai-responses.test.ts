import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { StandInAnswer, StandInServer } from '../../../test/stand-ins/http-stand-in.ts'
import { ResponseStream, refuse, startResponsesServer } from '../../../test/stand-ins/responses-server.ts'
import {
  generateAll,
  messagesRequest,
  testContext,
  toolsRequest,
} from '../../../test/support/upstreams/conversation.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { Upstream } from '../upstream.ts'
import { createOpenAIResponsesUpstream } from './openai-responses.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: StandInServer
afterEach(() => server?.close())

/** Answers the requests in turn; those after the last by itself. */
async function start(...answers: StandInAnswer[]): Promise<Upstream> {
  let count = 0
  server = await startResponsesServer({ answer: () => answers[count++] })
  return createOpenAIResponsesUpstream({ name: 'hosted', url: `${server.url}/v1`, transport, retries: 0 })
}

const sent = (n: number): JsonObject | undefined => server.requests[n]?.body
const streamed = (write: (stream: ResponseStream) => string[]): StandInAnswer => ({
  type: 'stream',
  pieces: write(new ResponseStream('obedient')),
})
const answered = streamed((stream) => {
  stream.message(['Hi.'])
  return stream.end('completed')
})
const f = { name: 'f', description: '', schema: { type: 'object' } }

describe('a request', () => {
  test('has the turns as items, and stores nothing', async () => {
    await generateAll(
      await start(answered),
      toolsRequest({
        system: 'Be brief.',
        tools: [{ ...f, name: 'server.f', description: 'It acts.' }],
        toolChoice: { type: 'named', name: 'server.f' },
        parallelCalls: false,
        turns: [
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'See' },
              { type: 'image', url: 'https://a.example/b.png' },
            ],
          },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'Hm.' },
              { type: 'text', text: 'I look.' },
              { type: 'call', id: 'c1', name: 'server.f', arguments: '{"a":1}' },
            ],
          },
          {
            role: 'user',
            parts: [
              {
                type: 'result',
                callId: 'c1',
                name: 'server.f',
                content: [{ type: 'text', text: 'no' }],
                isError: true,
              },
              { type: 'text', text: 'And?' },
            ],
          },
          { role: 'system', text: 'Be kind.' },
        ],
      }),
    )
    expect(sent(0)).toMatchObject({
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'auto' },
          ],
        },
        { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'server_f', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Error: no' },
        { role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
        { role: 'developer', content: 'Be kind.' },
      ],
      tools: [{ type: 'function', name: 'server_f', description: 'It acts.', strict: false }],
      tool_choice: { type: 'function', name: 'server_f' },
      parallel_tool_calls: false,
      stream: true,
      store: false,
    })
  })

  test('has limits, sampling, an effort and a format in the fields of the API', async () => {
    const responseFormat = { type: 'json-schema' as const, schema: { type: 'object' }, strict: true }
    await generateAll(await start(answered), {
      ...toolsRequest({ responseFormat }),
      maxTokens: 7,
      sampling: { temperature: 0.5, topP: 0.9, topK: 3 },
      reasoning: { enabled: true, effort: 'low' },
    })
    expect(sent(0)).toMatchObject({
      max_output_tokens: 7,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'response', schema: { type: 'object' }, strict: true } },
    })
  })

  test('has the settings that the client sent for the API', async () => {
    const openai = { verbosity: 'low', promptCacheKey: 'k', serviceTier: 'flex', safetyIdentifier: 'u' }
    await generateAll(await start(answered), toolsRequest({ openai, responseFormat: { type: 'json' } }))
    expect(sent(0)).toMatchObject({
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      prompt_cache_key: 'k',
      service_tier: 'flex',
      safety_identifier: 'u',
    })
  })

  test('has the key of the cache alone if it is prompted', async () => {
    await generateAll(await start(answered), { ...messagesRequest(), promptCacheKey: 'k' })
    expect(sent(0)).toMatchObject({ prompt_cache_key: 'k' })
    expect(sent(0)).not.toHaveProperty('text')
  })

  test.each<[said: string, path: string[]]>([
    ["Unsupported value: 'text.verbosity' does not support 'low' with this model.", ['text', 'verbosity']],
    ["Unsupported parameter: 'prompt_cache_key' is not supported.", ['prompt_cache_key']],
    ['Invalid service_tier argument', ['service_tier']],
    ['Unknown parameter: safety_identifier', ['safety_identifier']],
  ])('is sent again after %j, without that alone', async (said, path) => {
    const openai = { verbosity: 'low', promptCacheKey: 'k', serviceTier: 'flex', safetyIdentifier: 'u' }
    const upstream = await start(refuse(400, said), answered)
    await generateAll(upstream, toolsRequest({ openai, responseFormat: { type: 'json' } }))
    const [first, second] = [sent(0), sent(1)]
    expect(first).toHaveProperty(path)
    expect(second).not.toHaveProperty(path)
    expect(second).toMatchObject({ text: { format: { type: 'json_object' } } })
    const settings = (body: unknown): number => JSON.stringify(body).match(/"(?:low|k|flex|u)"/g)?.length ?? 0
    expect([settings(first), settings(second)]).toEqual([4, 3])
  })

  test('is sent again without what the model refuses, which is remembered', async () => {
    const upstream = await start(
      refuse(400, "Unsupported parameter: 'temperature' is not supported with this model."),
      refuse(400, 'Your organization must be verified to generate reasoning summaries.'),
      answered,
      answered,
    )
    const request = {
      ...messagesRequest(),
      sampling: { temperature: 0.5 },
      reasoning: { enabled: true, effort: 'low' },
    }
    await generateAll(upstream, request)
    await generateAll(upstream, request)
    expect(server.requests).toHaveLength(4)
    for (const n of [2, 3]) {
      expect(sent(n)).toMatchObject({ reasoning: { effort: 'low' } })
      expect(sent(n)).not.toHaveProperty('temperature')
      expect(sent(n)).not.toHaveProperty('reasoning.summary')
    }
  })
})

describe('a reply', () => {
  const usage = { type: 'usage', usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 1, reasoningTokens: 0 } }
  const stop = { type: 'finish', reason: 'stop' }

  test('has reasoning, text and calls', async () => {
    const upstream = await start(
      streamed((stream) => {
        stream.reasoning('One.', 'Two.')
        stream.message(['I ', 'call.'])
        stream.call('f', ['{"a"', ':1}'])
        stream.call('f', ['{}'])
        return stream.end('completed')
      }),
    )
    expect(await generateAll(upstream, toolsRequest({ tools: [f] }))).toEqual([
      { type: 'reasoning', text: 'One.\n\nTwo.' },
      { type: 'text', text: 'I call.' },
      { type: 'call', index: 0, id: 'call_2', name: 'f' },
      { type: 'call', index: 0, arguments: '{"a"' },
      { type: 'call', index: 0, arguments: ':1}' },
      { type: 'call', index: 1, id: 'call_3', name: 'f' },
      { type: 'call', index: 1, arguments: '{}' },
      usage,
      stop,
    ])
  })

  const output = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  ]
  const ofOutput = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'No.' },
    { type: 'call', index: 0, id: 'c', name: 'f' },
    { type: 'call', index: 0, arguments: '{}' },
    stop,
  ]

  test.each<[string, StandInAnswer]>([
    ['at once', { type: 'json', status: 200, body: { object: 'response', status: 'completed', output, error: null } }],
    [
      'in items without their pieces',
      {
        type: 'stream',
        pieces: [
          ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
          { type: 'response.completed', response: { status: 'completed', output } },
        ].map((event) => `data: ${JSON.stringify(event)}\n\n`),
      },
    ],
    [
      'with its last event only',
      {
        type: 'stream',
        pieces: [
          `data: ${JSON.stringify({ type: 'response.completed', response: { status: 'completed', output } })}\n\n`,
        ],
      },
    ],
  ])('that comes %s is the same', async (_, answer) => {
    expect(await generateAll(await start(answer), toolsRequest({ tools: [f] }))).toEqual(ofOutput)
  })

  test('that the token limit cuts says so', async () => {
    const upstream = await start(
      streamed((stream) => {
        stream.message(['One'])
        return stream.end('incomplete')
      }),
    )
    expect((await generateAll(upstream, messagesRequest())).at(-1)).toEqual({
      type: 'finish',
      reason: 'length',
    })
  })

  test.each<[string, StandInAnswer, RegExp]>([
    [
      'fails',
      streamed((stream) => stream.end('failed', 0, { error: { code: 'server_error', message: 'Out of memory' } })),
      /500.*Out of memory/,
    ],
    [
      'ends with an error',
      {
        type: 'stream',
        pieces: ['event: error\ndata: {"type":"error","code":"server_error","message":"Out of memory"}\n\n'],
      },
      /Out of memory/,
    ],
    ['is cut', streamed((stream) => stream.end('completed').slice(0, -1)), /without a finish reason/],
    ['is another API’s', { type: 'json', status: 200, body: { choices: [] } }, /not a response of the Responses API/],
  ])('that %s is an error', async (_, answer, message) => {
    await expect(generateAll(await start(answer), messagesRequest())).rejects.toThrow(message)
  })
})

test('the models are listed, and a whole prompt is not taken', async () => {
  const upstream = await start()
  server = await startResponsesServer()
  const own = createOpenAIResponsesUpstream({ name: 'hosted', url: `${server.url}/v1/responses`, transport })
  expect(await own.models()).toEqual([{ id: 'obedient' }])
  const prompt = { type: 'prompt' as const, model: 'm', prompt: '', stops: [], preservedTokens: [], sampling: {} }
  await expect(upstream.generate(prompt, testContext())).rejects.toThrow()
})
