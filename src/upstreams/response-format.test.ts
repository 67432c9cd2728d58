import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  type ServerScript,
  says,
  startUpstreamServer,
  type UpstreamServer,
} from '../../test/support/upstream-server.ts'
import { generateAll, toolsRequest } from '../../test/support/upstreams/conversation.ts'
import type { Conversation, JsonObject, ResponseFormat, Tool } from '../conversation/index.ts'
import { hasPart as hasMessagesPart } from './anthropic/parts.ts'
import { encodeMessagesRequest } from './anthropic/request.ts'
import { createVllmUpstream } from './completions/vllm.ts'
import { encodeChatBody } from './ollama/request.ts'
import { createOpenAIChatUpstream } from './openai-chat/openai-chat.ts'
import { hasPart as hasChatPart } from './openai-chat/parts.ts'
import { type MessagesPart, refusedPart } from './refusals/refusals.ts'
import { createNodeTransport } from './transport/node-transport.ts'
import type { Upstream } from './upstream.ts'

const schema: JsonObject = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
const person: ResponseFormat = { type: 'json-schema', schema, name: 'person', strict: true }
const anyObject: ResponseFormat = { type: 'json' }
const tool: Tool = { name: 'now', description: '', schema: {}, strict: true }

const asked = (responseFormat: ResponseFormat, tools: Tool[] = []): Partial<Conversation> => ({
  system: 'Be brief.',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Who?' }] }],
  tools,
  toolChoice: { type: 'auto' },
  responseFormat,
})

const transport = createNodeTransport()
afterAll(() => transport.close())
let server: UpstreamServer
afterEach(() => server?.close())

async function start(script: ServerScript, create: typeof createVllmUpstream = createOpenAIChatUpstream) {
  server = await startUpstreamServer(script)
  return create({ name: 'local', url: server.url, transport })
}

const generate = (upstream: Upstream, ...more: Parameters<typeof toolsRequest>) =>
  generateAll(upstream, toolsRequest(...more))
const bodies = () => server.requests.map(({ body }) => body)
const saysFormat = (body: JsonObject | undefined) => JSON.stringify(body).includes('# Response format')

describe('a server with the Chat Completions API', () => {
  const json_schema = { name: 'person', schema, strict: true }

  test.each<[string, ResponseFormat, JsonObject]>([
    ['a schema', person, { type: 'json_schema', json_schema }],
    [
      'a schema without a name, which the API requires',
      { type: 'json-schema', schema },
      { type: 'json_schema', json_schema: { name: 'response', schema } },
    ],
    ['any object', anyObject, { type: 'json_object' }],
  ])('is asked for %s in its own form', async (_, format, sent) => {
    await generate(await start(() => says('{}')), asked(format))
    expect(bodies()).toMatchObject([{ response_format: sent }])
    expect(saysFormat(bodies()[0])).toBe(false)
  })

  test.each([
    ['DeepSeek', 'This response_format type is unavailable now'],
    ['Groq', "'response_format.type' : value is not one of the allowed values ['text','json_object']"],
    ['DeepInfra', 'json_object response format is not supported for model: m'],
    ['OpenAI', "Invalid schema for response_format 'person': In context=(), 'required' is required to be supplied"],
    ['a strict server', 'body.response_format: Extra inputs are not permitted'],
  ])('%s refuses it: it is said in the prompt, now and later', async (_, message) => {
    const upstream = await start((body) =>
      body.response_format === undefined ? says('{}') : { type: 'status', status: 400, body: { error: { message } } },
    )
    await generate(upstream, asked(person))
    await generate(upstream, asked(person))
    expect(bodies().map((body) => [body.response_format !== undefined, saysFormat(body)])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  test('beside tools it is sent; an engine that could then make no call has it in the prompt', async () => {
    await generate(await start(() => says('{}')), asked(person, [tool]))
    expect(bodies()).toMatchObject([{ response_format: { type: 'json_schema' }, tools: [{ type: 'function' }] }])
    await server.close()
    const engine = await start(() => says('{}'), createVllmUpstream)
    await generate(engine, asked(person, [tool]))
    await generate(engine, asked(person))
    expect(bodies().map((body) => [body.response_format !== undefined, saysFormat(body)])).toEqual([
      [false, true],
      [true, false],
    ])
  })

  test('a strict tool is strict for the server, unless it refuses that', async () => {
    const message = "property 'strict' is unsupported"
    const upstream = await start((body) =>
      JSON.stringify(body).includes('"strict"')
        ? { type: 'status', status: 400, body: { error: { message } } }
        : says('a'),
    )
    await generate(upstream, { ...asked(anyObject, [tool]) })
    expect(bodies().map(({ tools }) => JSON.stringify(tools).includes('"strict":true'))).toEqual([true, false])
  })
})

describe('a server with the Messages API', () => {
  const encode = (conversation: Partial<Conversation>, refused: MessagesPart[] = [], effort?: string): JsonObject =>
    encodeMessagesRequest(
      toolsRequest(conversation, effort === undefined ? {} : { reasoning: { enabled: false, effort } }),
      { maxTokens: 100, promptCaching: false, refused: new Set(refused) },
    )

  test('is asked for a schema beside the effort; any object is said in the prompt', () => {
    const format = { type: 'json_schema', schema }
    expect(encode(asked(person)).output_config).toEqual({ format })
    expect(encode(asked(person), [], 'low').output_config).toEqual({ effort: 'low', format })
    expect(saysFormat(encode(asked(person)))).toBe(false)
    expect(encode(asked(anyObject))).not.toHaveProperty('output_config')
    expect(saysFormat(encode(asked(anyObject)))).toBe(true)
  })

  test('strict tools', () => {
    expect(encode(asked(person, [tool])).tools).toMatchObject([{ name: 'now', strict: true }])
    expect(JSON.stringify(encode(asked(person, [tool]), ['strict']).tools)).not.toContain('strict')
  })

  test.each<[string, MessagesPart]>([
    ['output_config.format: Extra inputs are not permitted', 'format'],
    [
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
      'format',
    ],
    ['This model does not support the output format parameter.', 'format'],
    ['tools.0.custom.strict: Extra inputs are not permitted', 'strict'],
    ['This model does not support the effort parameter.', 'effort'],
  ])('refuses: %s', (said, part) => {
    const body = encode(asked(person, [tool]), [], 'low')
    expect(refusedPart('messages', 400, said, (one) => hasMessagesPart(body, one))).toBe(part)
    const without = encode(asked(person, [tool]), ['format', 'strict', 'effort'], 'low')
    expect(refusedPart('messages', 400, said, (one) => hasMessagesPart(without, one))).toBeUndefined()
    if (part === 'format') expect(saysFormat(without)).toBe(true)
  })
})

test('Ollama is told the format, and is held to it if no call can be made', () => {
  const encode = (conversation: Partial<Conversation>) =>
    encodeChatBody(toolsRequest(conversation), { thinking: 'levels' })
  expect(encode(asked(person)).format).toEqual(schema)
  expect(encode(asked(anyObject)).format).toBe('json')
  expect(encode(asked(person, [tool]))).not.toHaveProperty('format')
  for (const tools of [[], [tool]]) expect(saysFormat(encode(asked(person, tools)))).toBe(true)
})

test('a field is refused only if it was sent', () => {
  expect(hasChatPart({ response_format: { type: 'json_object' } }, 'response_format')).toBe(true)
  expect(refusedPart('chat', 400, 'json_schema is unknown', (part) => hasChatPart({}, part))).toBeUndefined()
})
