import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  type ServerReply,
  type ServerScript,
  type StatusReply,
  says,
  startUpstreamServer,
  type UpstreamServer,
} from '../../../test/support/upstream-server.ts'
import {
  generateAll,
  messagesRequest,
  testContext,
  toolsRequest,
} from '../../../test/support/upstreams/conversation.ts'
import { isJsonObject, type JsonObject, type ResultPart, type TextPart, type Turn } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { Log, MessagesRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { createOpenAIChatUpstream, type OpenAIChatOptions } from './openai-chat.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: UpstreamServer
afterEach(() => server.close())

async function start(
  script: ServerScript | ServerReply[],
  options: Partial<OpenAIChatOptions> = {},
): Promise<Upstream> {
  server = await startUpstreamServer(
    typeof script === 'function' ? script : (_, n) => script[n] ?? { type: 'status', status: 500, body: 'unscripted' },
  )
  return createOpenAIChatUpstream({ name: 'local', url: server.url, transport, ...options })
}

const generate = (upstream: Upstream, more: Partial<MessagesRequest> = {}): Promise<UpstreamEvent[]> =>
  generateAll(upstream, messagesRequest(more))

const refusal = (message: string): StatusReply => ({ type: 'status', status: 400, body: { error: { message } } })
const a: UpstreamEvent = { type: 'text', text: 'a' }

describe('what is refused', () => {
  const everything: Partial<MessagesRequest> = {
    maxTokens: 100,
    sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
    reasoning: { enabled: true, effort: 'max' },
  }
  /** Refuses unknown fields, one by one. */
  const knowing =
    (...known: string[]): ServerScript =>
    (body) => {
      const field = Object.keys(body).find((key) => !['model', 'messages', 'stream', ...known].includes(key))
      return field === undefined ? says('a') : refusal(`Unsupported parameter: '${field}'.`)
    }
  const sent = (): (string | undefined)[] =>
    server.requests.map(({ body: { model, messages, stream, ...more } }) => Object.keys(more).join(' '))

  it('is left out, each by itself, and remembered', async () => {
    const upstream = await start(knowing('max_tokens', 'seed'))
    expect(await generate(upstream, everything)).toContainEqual(a)
    expect(sent()[0]).toBe(
      'stream_options max_tokens temperature top_p top_k presence_penalty frequency_penalty seed reasoning_effort',
    )
    // The effort is tried as a common one before it is given up.
    expect(sent()).toHaveLength(9)
    await generate(upstream, everything)
    expect(sent().slice(8)).toEqual(['max_tokens seed', 'max_tokens seed'])
  })

  it('is told in the log, once', async () => {
    const upstream = await start(knowing('stream_options', 'max_tokens'))
    const told: unknown[] = []
    const log: Log = (level, event, fields) => void told.push([level, event, fields])
    for (const _ of [1, 2]) {
      const request = messagesRequest({ sampling: { topK: 4 } })
      for await (const batch of await upstream.generate(request, testContext({ log }))) expect(batch).not.toEqual([])
    }
    expect(told).toEqual([['info', 'upstream.refused', { upstream: 'local', model: 'm', part: 'top_k' }]])
  })

  it.each([
    ['max_tokens', 'max_completion_tokens'],
    ['max_completion_tokens', 'max_tokens'],
  ] as const)('and is the bound of a reply goes in its other field: %s', async (maxTokensField, other) => {
    const upstream = await start(knowing('stream_options', other), { maxTokensField })
    for (const maxTokens of [100, 200]) await generate(upstream, { maxTokens })
    const bounds = server.requests.map(({ body: { [maxTokensField]: first, [other]: second } }) => [first, second])
    expect(bounds).toEqual([
      [100, undefined],
      [undefined, 100],
      [undefined, 200],
    ])
  })

  it('and is an effort that few know goes as the nearest that most do', async () => {
    const upstream = await start(({ reasoning_effort: effort }) =>
      effort === 'high' || effort === 'low' ? says('a') : refusal(`invalid reasoning value: '${effort}'`),
    )
    for (const effort of ['max', 'minimal', 'low']) await generate(upstream, { reasoning: { enabled: true, effort } })
    expect(server.requests.map(({ body }) => body.reasoning_effort)).toEqual(['max', 'high', 'low', 'low'])
  })

  it('and goes on being refused is an error', async () => {
    const upstream = await start(() => refusal("Unsupported parameter: 'top_k'."))
    await expect(generate(upstream, everything)).rejects.toMatchObject({ code: 'invalid-request' })
    expect(server.requests.map(({ body }) => 'top_k' in body)).toEqual([true, false])
  })

  it('of a tool’s calls goes without `parallel_tool_calls`', async () => {
    const upstream = await start(knowing('stream_options', 'tools'))
    await generateAll(upstream, toolsRequest({ parallelCalls: false }))
    expect(server.requests.map(({ body }) => body.parallel_tool_calls)).toEqual([false, undefined])
  })
})

it('usage that is not to be asked for is left out, from then on', async () => {
  const upstream = await start((body) => (body.stream_options ? refusal('Unknown field: stream_options') : says('a')))
  expect(await generate(upstream)).toEqual([a, { type: 'finish', reason: 'stop' }])
  await generate(upstream, { maxTokens: 5 })
  expect(server.requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
  expect(server.requests[2]?.body.max_tokens).toBe(5)
})

describe('earlier reasoning', () => {
  const thought: Partial<MessagesRequest> = {
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }], reasoning: 'hm' },
      { role: 'user', parts: [{ type: 'text', text: 'bye' }] },
    ],
  }
  const reasoned: ServerReply = { ...says({ reasoning: 'so' }, 'a'), reasoningField: 'reasoning' }
  const fieldsSent = (): string[][] =>
    server.requests.map(({ body }) => {
      const { messages } = body
      const keys = Array.isArray(messages) && isJsonObject(messages[1]) ? Object.keys(messages[1]) : []
      return keys.filter((key) => key.startsWith('reasoning'))
    })
  const refusing = (reply: ServerReply, ...fields: string[]): ServerScript => {
    return ({ messages }) => {
      const named = JSON.stringify(messages).match(/"(reasoning\w*)"/)?.[1]
      return named !== undefined && fields.includes(named)
        ? refusal(`'messages.1' : property '${named}' is unsupported`)
        : reply
    }
  }

  it.each<[string, ServerScript, string[][]]>([
    ['is sent as reasoning_content', () => says('a'), [['reasoning_content'], ['reasoning_content']]],
    [
      'is left out where no field is taken, from then on',
      refusing(says('a'), 'reasoning_content', 'reasoning'),
      [['reasoning_content'], [], []],
    ],
    [
      'is sent in the field that the server’s own is in (Ollama)',
      () => reasoned,
      [['reasoning_content'], ['reasoning']],
    ],
    [
      'is sent so as well where the other field was refused (Groq, Cerebras)',
      refusing(reasoned, 'reasoning_content'),
      [['reasoning_content'], [], ['reasoning']],
    ],
    [
      'is left out where the server’s own field is refused as well',
      refusing(reasoned, 'reasoning_content', 'reasoning'),
      [['reasoning_content'], [], ['reasoning'], []],
    ],
  ])('%s', async (_, script, expected) => {
    const upstream = await start(script)
    for (const _ of [1, 2]) expect(await generate(upstream, thought)).toContainEqual(a)
    expect(fieldsSent()).toEqual(expected)
  })

  it('is left out where Mistral says so', async () => {
    const detail = [
      {
        type: 'extra_forbidden',
        loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
        msg: 'Extra inputs are not permitted',
        input: 'hm',
      },
    ]
    const body = { object: 'error', message: { detail }, type: 'invalid_request_error' }
    const upstream = await start([{ type: 'status', status: 422, body }, says('a')])
    expect(await generate(upstream, thought)).toContainEqual(a)
    expect(fieldsSent()).toEqual([['reasoning_content'], []])
  })

  it('is refused for one model, and sent to another', async () => {
    const upstream = await start((body) =>
      body.model === 'm' ? refusing(says('a'), 'reasoning_content')(body, 0) : says('a'),
    )
    await generate(upstream, thought)
    await generate(upstream, { ...thought, model: 'other' })
    expect(fieldsSent()).toEqual([['reasoning_content'], [], ['reasoning_content']])
  })

  it('is sent again after a refusal that stood without it as well', async () => {
    const upstream = await start((_, n) =>
      n < 2 ? refusal("unknown role, or 'reasoning_content' in a wrong place") : says('a'),
    )
    await expect(generate(upstream, thought)).rejects.toMatchObject({ code: 'invalid-request' })
    await generate(upstream, thought)
    expect(fieldsSent()).toEqual([['reasoning_content'], [], ['reasoning_content']])
  })
})

it('more output than the context has room for is not asked for, this once', async () => {
  const vllm = `'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 20 input tokens (32000 > 8192 - 20).`
  const upstream = await start((body) => (body.max_tokens === 32000 ? refusal(vllm) : says('a')))
  expect(await generate(upstream, { maxTokens: 32000 })).toContainEqual(a)
  await generate(upstream, { maxTokens: 10 })
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([32000, undefined, 10])
})

describe('more output than the model may write', () => {
  const tooMuch = (body: JsonObject): ServerReply =>
    Number(body.max_tokens) > 8192
      ? refusal('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]')
      : says('a')
  const sent = (): unknown[] => server.requests.map(({ body }) => body.max_tokens)

  it('is lowered to what the server names, from then on', async () => {
    const upstream = await start(tooMuch)
    for (const maxTokens of [32000, 64000, 10]) expect(await generate(upstream, { maxTokens })).toContainEqual(a)
    expect(sent()).toEqual([32000, 8192, 8192, 10])
  })

  it('is lowered for that model alone, and where a client sets a bound', async () => {
    const upstream = await start((body) => (body.model === 'm' ? tooMuch(body) : says('a')))
    await generate(upstream, { maxTokens: 32000 })
    await generate(upstream, { maxTokens: 32000, model: 'other' })
    await generate(upstream)
    expect(sent()).toEqual([32000, 8192, 32000, undefined])
  })

  it('is an error where the server refuses what it named', async () => {
    const upstream = await start(() => refusal('the valid range of max_tokens is [1, 8192]'))
    await expect(generate(upstream, { maxTokens: 32000 })).rejects.toMatchObject({ code: 'invalid-request' })
    expect(sent()).toEqual([32000, 8192])
  })
})

it('what a request cannot do without is an error', async () => {
  const upstream = await start([refusal('messages must alternate')])
  await expect(generate(upstream)).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining('messages must alternate'),
  })
  expect(server.requests).toHaveLength(1)
})

describe('a server that lets no user speak after a result', () => {
  const called: Turn = { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'f', arguments: '{}' }] }
  const result: ResultPart = {
    type: 'result',
    callId: 'a',
    name: 'f',
    content: [{ type: 'text', text: '1' }],
    isError: false,
  }
  const reminder: TextPart = { type: 'text', text: 'Be brief.' }

  it('is told what stands there in the result, and from then on at once', async () => {
    const upstream = await start((body) => {
      const roles = Array.isArray(body.messages) ? body.messages.map((one) => isJsonObject(one) && one.role) : []
      return roles.join().includes('tool,user') ? refusal("Unexpected role 'user' after role 'tool'") : says('a')
    })
    const request = toolsRequest({
      turns: [
        { role: 'user', parts: [reminder] },
        called,
        { role: 'user', parts: [result, reminder] },
        { role: 'assistant', parts: [{ type: 'text', text: 'One.' }] },
        { role: 'user', parts: [reminder] },
      ],
    })
    expect(await generateAll(upstream, request)).toContainEqual(a)
    expect(await generateAll(upstream, request)).toContainEqual(a)
    expect(server.requests).toHaveLength(3)
    for (const at of [1, 2]) {
      const messages = server.requests[at]?.body.messages
      const said = Array.isArray(messages) ? messages.map((one) => isJsonObject(one) && [one.role, one.content]) : []
      expect(said.slice(-4)).toEqual([
        ['assistant', null],
        ['tool', '1\n\nBe brief.'],
        ['assistant', 'One.'],
        ['user', 'Be brief.'],
      ])
    }
  })
})
