import { describe, expect, onTestFinished, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { ResponseStream, startResponsesServer } from '../stand-ins/responses-server.ts'
import { gatewayForTest, type RunningGateway } from '../support/gateway-fixture.ts'

const tool = { name: 'look', parameters: { type: 'object', properties: {} } }

/** A client's way to keep what the model said, as its API has it. */
interface Client {
  name: string
  path: string
  ask(said: JsonObject[], stream: boolean): JsonObject
  streamPath?: string
  /** Returns what the client adds to its history, from a whole reply or from the events of a stream. */
  kept(reply: JsonObject[]): JsonObject[]
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

const clients: Client[] = [
  {
    name: 'responses',
    path: '/v1/responses',
    ask: (said, stream) => ({
      model: 'm',
      stream,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
      tools: [{ type: 'function', ...tool }],
      input: [{ role: 'user', content: 'Look.' }, ...said],
    }),
    kept(reply) {
      const last = object(reply.at(-1))
      const output = objects((isJsonObject(last.response) ? last.response : last).output)
      const id = output.find(({ type }) => type === 'function_call')?.call_id ?? null
      return [...output, { type: 'function_call_output', call_id: id, output: 'seen' }]
    },
  },
  {
    name: 'messages',
    path: '/v1/messages',
    ask: (said, stream) => ({
      model: 'm',
      stream,
      max_tokens: 100,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: tool.name, input_schema: tool.parameters }],
      messages: [{ role: 'user', content: 'Look.' }, ...said],
    }),
    kept(reply) {
      const content = reply.length === 1 ? objects(reply[0]?.content) : blocksOf(reply)
      const id = content.find(({ type }) => type === 'tool_use')?.id ?? null
      return [
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }] },
      ]
    },
  },
  {
    name: 'chat',
    path: '/v1/chat/completions',
    ask: (said, stream) => ({
      model: 'm',
      stream,
      reasoning_effort: 'high',
      tools: [{ type: 'function', function: tool }],
      messages: [{ role: 'user', content: 'Look.' }, ...said],
    }),
    kept(reply) {
      const whole = object(objects(reply[0]?.choices)[0]?.message)
      const message = Object.keys(whole).length > 0 ? whole : messageOf(reply)
      const id = objects(message.tool_calls)[0]?.id ?? null
      return [message, { role: 'tool', tool_call_id: id, content: 'seen' }]
    },
  },
  {
    name: 'gemini',
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    ask: (said) => ({
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } },
      tools: [{ functionDeclarations: [tool] }],
      contents: [{ role: 'user', parts: [{ text: 'Look.' }] }, ...said],
    }),
    kept(reply) {
      const parts = reply.flatMap(({ candidates }) => objects(object(objects(candidates)[0]?.content).parts))
      return [
        { role: 'model', parts },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'seen' } } }] },
      ]
    },
  },
]

/** The blocks of a streamed message. */
function blocksOf(events: readonly JsonObject[]): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[Number(index)] = { ...object(block) }
    const open = blocks[Number(index)]
    const { thinking, signature } = object(delta)
    if (open && typeof thinking === 'string') open.thinking = `${open.thinking}${thinking}`
    if (open && typeof signature === 'string') open.signature = signature
  }
  return blocks
}

/** The message of a streamed completion. */
function messageOf(chunks: readonly JsonObject[]): JsonObject {
  const message = { role: 'assistant', content: null as string | null, reasoning_content: '' }
  const details: JsonValue[] = []
  const calls: JsonObject[] = []
  for (const { choices } of chunks) {
    const delta = object(objects(choices)[0]?.delta)
    message.reasoning_content += delta.reasoning_content ?? ''
    details.push(...objects(delta.reasoning_details))
    for (const call of objects(delta.tool_calls))
      if (call.id !== undefined) calls.push({ ...call, function: { name: 'look', arguments: '{}' } })
  }
  return { ...message, reasoning_details: details, tool_calls: calls }
}

async function send(gateway: RunningGateway, { path, streamPath, ask }: Client, said: JsonObject[], stream: boolean) {
  const response = await fetch(gateway.url + (stream ? (streamPath ?? path) : path), {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(ask(said, stream)),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const lines = text.split('\n').flatMap((line) => (/^data: \{/.test(line) ? [line.slice('data: '.length)] : []))
  const notices = response.headers.get('x-anycall-notices') ?? ''
  return { reply: objects((stream ? lines : [text]).map((json): unknown => JSON.parse(json))), notices }
}

/** An upstream that reasons in two encrypted items, the first without words, and calls the tool. */
async function upstreamForTest() {
  const server = await startResponsesServer({
    answer: () => {
      const stream = new ResponseStream('m')
      stream.encryptedReasoning('secret-1')
      stream.encryptedReasoning('secret-2', 'I have to', ' look.')
      stream.call('look', ['{}'])
      return { type: 'stream', pieces: stream.end('completed') }
    },
  })
  onTestFinished(() => server.close())
  return server
}

/** The reasoning items that the upstream got. */
const got = (body: JsonObject | undefined): JsonValue[] =>
  objects(body?.input)
    .filter(({ type }) => type === 'reasoning')
    .map(({ encrypted_content: encrypted = null }) => encrypted)

describe.each(clients.flatMap((client) => [false, true].map((stream) => ({ client, stream, name: client.name }))))(
  'reasoning that the upstream encrypted, $name, stream: $stream',
  ({ client, stream }) => {
    test('comes back to it in the next turn, from no other secret, and to no other upstream', async () => {
      const server = await upstreamForTest()
      const settings = { type: 'openai-responses', url: `${server.url}/v1` }
      const gatewayWith = (secret: string, name = 'hosted') =>
        gatewayForTest({
          upstream: `${server.url}/v1`,
          config: { secret, upstreams: { [name]: settings }, models: [{ match: '*', upstream: name, plan: 'native' }] },
        })
      const gateway = await gatewayWith('the same on both gateways')
      const { reply } = await send(gateway, client, [], stream)
      expect(JSON.stringify(reply)).not.toContain('secret-1')
      const said = client.kept(reply)

      const again = await send(await gatewayWith('the same on both gateways'), client, said, stream)
      expect(got(server.requests.at(-1)?.body)).toEqual(['secret-1', 'secret-2'])
      expect(again.notices).toBe('')

      const foreign = await send(await gatewayWith('another secret of 16'), client, said, stream)
      expect(got(server.requests.at(-1)?.body)).toEqual([])
      // Words that the client shows beside the envelope are used; what has none is reported.
      if (client.name === 'responses' || client.name === 'messages')
        expect(foreign.notices).toContain('reasoning-dropped')

      await send(await gatewayWith('the same on both gateways', 'other'), client, said, stream)
      expect(got(server.requests.at(-1)?.body)).toEqual([])
    })
  },
)

test.each([false, true])(
  'a stored response keeps it for its id, though the client did not include it, stream: %s',
  async (stream) => {
    const server = await upstreamForTest()
    const hosted = { type: 'openai-responses', url: `${server.url}/v1` }
    const gateway = await gatewayForTest({
      upstream: `${server.url}/v1`,
      config: { upstreams: { hosted }, models: [{ match: '*', upstream: 'hosted', plan: 'native' }] },
    })
    const plain = (more: JsonObject): Client => ({
      name: 'stored',
      path: '/v1/responses',
      ask: (said) => ({ model: 'm', stream, tools: [{ type: 'function', ...tool }], input: said, ...more }),
      kept: () => [],
    })
    const { reply } = await send(gateway, plain({}), [{ role: 'user', content: 'Look.' }], stream)
    expect(JSON.stringify(reply)).not.toContain('encrypted_content')
    const last = object(reply.at(-1))
    const response = isJsonObject(last.response) ? last.response : last
    const call = objects(response.output).find(({ type }) => type === 'function_call')
    const result = { type: 'function_call_output', call_id: call?.call_id ?? null, output: 'seen' }
    await send(gateway, plain({ previous_response_id: response.id ?? null }), [result], stream)
    expect(got(server.requests.at(-1)?.body)).toEqual(['secret-1', 'secret-2'])
  },
)
