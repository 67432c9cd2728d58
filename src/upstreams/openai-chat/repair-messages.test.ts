import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { says, startUpstreamServer, type UpstreamServer } from '../../../test/support/upstream-server.ts'
import { generateAll, toolsRequest } from '../../../test/support/upstreams/conversation.ts'
import { type CallPart, type Conversation, isJsonObject, type JsonObject, type Turn } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { ToolsRequest, Upstream } from '../upstream.ts'
import { createOpenAIChatUpstream } from './openai-chat.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: UpstreamServer
afterEach(() => server.close())

/** A server that refuses a body with words, or answers. */
async function start(refuses: (body: JsonObject) => string | undefined, status = 400): Promise<Upstream> {
  server = await startUpstreamServer((body) => {
    const said = refuses(body)
    return said === undefined ? says('a') : { type: 'status', status, body: { error: { message: said } } }
  })
  return createOpenAIChatUpstream({ name: 'local', url: server.url, transport })
}

const call: CallPart = { type: 'call', id: 'call_1', name: 'now', arguments: '{}' }

const turns = (reasoning: boolean): Turn[] => [
  { role: 'user', parts: [{ type: 'text', text: 'What time is it?' }] },
  {
    role: 'assistant',
    parts: [...(reasoning ? [{ type: 'reasoning' as const, text: 'A clock.' }] : []), call],
  },
  {
    role: 'user',
    parts: [
      { type: 'result', callId: 'call_1', name: 'now', content: [{ type: 'text', text: 'noon' }], isError: false },
    ],
  },
]

const ask = (more: Partial<ToolsRequest> = {}, conversation: Partial<Conversation> = {}): ToolsRequest =>
  toolsRequest({ turns: turns(false), ...conversation }, more)

function assistantOf(messages: unknown): JsonObject {
  const all = Array.isArray(messages) ? messages.filter(isJsonObject) : []
  return all.find(({ role }) => role === 'assistant') ?? {}
}

/** The assistant's message of each request, and its fields about reasoning. */
const sent = (): JsonObject[] =>
  server.requests.map(({ body }) => {
    const { messages, thinking, reasoning_effort } = body
    return { reasoning_content: assistantOf(messages).reasoning_content, thinking, reasoning_effort }
  })

const deepseek = 'The `reasoning_content` in the thinking mode must be passed back to the API.'

describe('reasoning that a client did not send back', () => {
  const thinks = ({ thinking }: JsonObject): boolean => JSON.stringify(thinking) !== '{"type":"disabled"}'
  /** Accepts any reasoning that is not missing and, as Kimi does, not empty. */
  const wantsReasoning = (body: JsonObject): string | undefined =>
    thinks(body) && !assistantOf(body.messages).reasoning_content ? deepseek : undefined
  /** Takes its own alone. */
  const wantsItsOwn = (body: JsonObject): string | undefined =>
    thinks(body) && assistantOf(body.messages).reasoning_content !== 'A clock.'
      ? 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'
      : undefined

  it('is stood in for, from then on', async () => {
    const upstream = await start(wantsReasoning)
    for (const _ of [1, 2]) await generateAll(upstream, ask())
    expect(sent().map(({ reasoning_content }) => reasoning_content)).toEqual([undefined, ' ', ' '])
  })

  it('is not, where the client sent it', async () => {
    const upstream = await start(wantsReasoning)
    await generateAll(upstream, ask())
    await generateAll(upstream, ask({}, { turns: turns(true) }))
    expect(sent().at(-1)).toMatchObject({ reasoning_content: 'A clock.' })
  })

  it('is not needed where the model is not to think, as the client asked', async () => {
    const upstream = await start(wantsReasoning)
    await generateAll(upstream, ask({ reasoning: { enabled: false } }))
    expect(sent()).toEqual([{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }])
  })

  it('is not needed where the model does not think, if nothing can stand in for it', async () => {
    const upstream = await start(wantsItsOwn)
    for (const _ of [1, 2]) await generateAll(upstream, ask({ reasoning: { enabled: true, effort: 'high' } }))
    const last = { thinking: { type: 'disabled' } }
    expect(sent().slice(2)).toEqual([last, last])
    // A client that sends it back lets the model continue to reason.
    await generateAll(upstream, ask({ reasoning: { enabled: true, effort: 'high' } }, { turns: turns(true) }))
    expect(sent().at(-1)).toEqual({ reasoning_content: 'A clock.', reasoning_effort: 'high' })
  })
})

it('the signature of a call, which no client carries, is the one that stands for any (Gemini 3)', async () => {
  const signature = '"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}'
  const upstream = await start(({ messages }) =>
    JSON.stringify(messages).includes(signature)
      ? undefined
      : 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
  )
  for (const _ of [1, 2]) await generateAll(upstream, ask())
  expect(server.requests).toHaveLength(3)
})

describe('ids of calls', () => {
  const idsIn = ({ messages }: JsonObject): string[] =>
    [...JSON.stringify(messages).matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)].map(([, id = '']) => id)

  it.each([
    [400, 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.'],
    [500, 'Tool call IDs should be alphanumeric strings with length 9!'],
  ])('are nine letters and digits where a model wants that (Mistral), the same each time: %i', async (status, said) => {
    const upstream = await start(
      (body) => (idsIn(body).every((id) => /^[a-zA-Z0-9]{9}$/.test(id)) ? undefined : said),
      status,
    )
    for (const _ of [1, 2]) await generateAll(upstream, toolsRequest())
    const [first = [], ...rest] = server.requests.map(({ body }) => idsIn(body))
    expect(first).toHaveLength(4)
    expect(rest).toHaveLength(2)
    expect(rest[0]).toEqual(rest[1])
    // Each result still belongs to its call.
    expect(rest[0]?.slice(2)).toEqual(rest[0]?.slice(0, 2))
    expect(new Set(rest[0]).size).toBe(2)
  })

  it('that are so already stay', async () => {
    const upstream = await start((body) =>
      idsIn(body).includes('call_1') ? "'messages[2].tool_calls[0].id': string too long." : undefined,
    )
    const [user, assistant, result] = turns(false)
    const calls: Turn = {
      role: 'assistant',
      parts: [...(assistant?.role === 'assistant' ? assistant.parts : []), { ...call, id: 'abcdef123' }],
    }
    await generateAll(upstream, ask({}, { turns: [user, calls, result].flatMap((turn) => turn ?? []) }))
    expect(server.requests.map(({ body }) => idsIn(body))).toEqual([
      ['call_1', 'abcdef123', 'call_1'],
      [expect.stringMatching(/^\w{9}$/), 'abcdef123', expect.stringMatching(/^\w{9}$/)],
    ])
  })
})

it.each([
  "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  "Invalid 'tools[1].function.name': string too long. Expected a string with maximum length 64, but got a string with length 77 instead.",
  "'mcp.read' does not match '^[a-zA-Z0-9_-]{1,64}$' - 'tools.0.function.name'",
  'Function name was mcp.read but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.',
  'GenerateContentRequest.tools[0].function_declarations[0].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore.',
  'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
])('names of tools are such as the server takes, and the client gets its own: %s', async (said) => {
  const names = ['mcp.read', 'mcp/read', 'now', `mcp__${'long_'.repeat(14)}a`, `mcp__${'long_'.repeat(14)}b`]
  const sentNames = ({ tools }: JsonObject): string[] =>
    [...JSON.stringify(tools).matchAll(/"name":"([^"]*)"/g)].map(([, name = '']) => name)
  server = await startUpstreamServer((body) => {
    const sentAs = sentNames(body)
    if (!sentAs.every((name) => /^[a-zA-Z_][\w-]{0,63}$/.test(name))) {
      return { type: 'status', status: 400, body: { error: { message: said } } }
    }
    const calls = sentAs.map((name, index) => ({ index, id: `c${index}`, function: { name, arguments: '{}' } }))
    const choice = { index: 0, message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' }
    return { type: 'raw', chunks: [JSON.stringify({ choices: [choice] })], contentType: 'application/json' }
  })
  const upstream = createOpenAIChatUpstream({ name: 'local', url: server.url, transport })
  const request = ask(
    {},
    {
      tools: names.map((name) => ({ name, description: '', schema: {} })),
      toolChoice: { type: 'named', name: 'mcp/read' },
    },
  )
  for (const _ of [1, 2]) {
    const events = await generateAll(upstream, request)
    expect(events.flatMap((event) => (event.type === 'call' ? [event.name] : []))).toEqual(names)
  }
  const [, second, third] = server.requests.map(({ body }) => body)
  expect(server.requests).toHaveLength(3)
  expect(sentNames(second ?? {}).slice(0, 3)).toEqual(['mcp_read', 'mcp_read_2', 'now'])
  expect(second?.tool_choice).toEqual({ type: 'function', function: { name: 'mcp_read_2' } })
  expect(third).toEqual(second)
})

describe('no reasoning', () => {
  it('is asked for as an effort of none, and no more where that is refused; other efforts are', async () => {
    const upstream = await start(({ reasoning_effort: effort }) =>
      effort === 'none' ? "Unsupported value: 'reasoning_effort' does not support 'none' with this model." : undefined,
    )
    for (const _ of [1, 2]) await generateAll(upstream, ask({ reasoning: { enabled: false, effort: 'high' } }))
    await generateAll(upstream, ask({ reasoning: { enabled: true, effort: 'high' } }))
    expect(sent().map(({ reasoning_effort }) => reasoning_effort)).toEqual(['none', undefined, undefined, 'high'])
  })

  it.each([undefined, 'high'])('goes with tools where a model wants it so (gpt-5.6): %s', async (effort) => {
    const upstream = await start(({ tools, reasoning_effort: said }) =>
      tools !== undefined && said !== 'none'
        ? "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
        : undefined,
    )
    const reasoning = effort === undefined ? {} : { reasoning: { enabled: true, effort } }
    for (const _ of [1, 2]) await generateAll(upstream, ask(reasoning))
    await generateAll(upstream, ask(reasoning, { tools: [] }))
    expect(sent().map(({ reasoning_effort }) => reasoning_effort)).toEqual([effort, 'none', 'none', effort])
  })
})
