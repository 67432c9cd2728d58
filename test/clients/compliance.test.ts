import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { errorMisfits, messageMisfits } from '../support/protocols/anthropic-schema.ts'
import { openResponsesCompactionMisfits } from '../support/protocols/open-responses-schema.ts'
import { responseMisfits } from '../support/protocols/responses-schema.ts'
import { readResponseEvents } from '../support/protocols/responses-stream.ts'
import { readAnthropicStream } from './anthropic-stream.ts'
import { arrayOf, objectOf } from './json.ts'
import { playedModel } from './played-model.ts'
import { messageText, toolify } from './settings.ts'
import { post, readSse } from './sse.ts'

/**
 * The cases of the public compliance suites for Open Responses (openresponses/openresponses, bin/compliance-test.ts, and
 * Oaklight/llm-comply) and for Anthropic's Messages (Oaklight/llm-comply), by their names there: requests of the same kind, and
 * the same conditions for the answers, which are also compared with the published schemas. Not here are the cases that need
 * tools of the server: `file-search` and `offline-web-search`.
 */

const model = 'any-model'
const schema: JsonObject = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=='
const pdf = 'JVBERi0xLjEKJSVFT0Y='

/** A model that calls a tool if it has one and no result yet, and else says something. */
async function server() {
  const played = playedModel(toolify, (calls, request) => {
    const prompt = toolify.prompt(request)
    const isOffered = prompt.includes('get_weather') && !prompt.includes('64 degrees')
    return isOffered ? calls({ name: 'get_weather', input: { location: 'San Francisco' } }) : 'One, two, three.'
  })
  const gateway = await gatewayForTest({ upstream: played.upstream, ...toolify.rule })
  return { ...gateway, lastPrompt: () => played.messages(-1).map(messageText).join('\n') }
}

type Server = Awaited<ReturnType<typeof server>>

describe('Open Responses', () => {
  const said = (role: string, content: JsonValue, more: JsonObject = {}): JsonObject => ({
    type: 'message',
    role,
    content,
    ...more,
  })
  const tools: JsonObject[] = [
    { type: 'function', name: 'get_weather', description: 'The weather.', parameters: schema },
  ]
  const ask = async ({ openaiUrl }: Server, body: JsonObject): Promise<JsonObject> => {
    const response = await post(`${openaiUrl}/responses`, { model, ...body })
    const answer = objectOf(await response.json())
    expect(response.status, JSON.stringify(answer)).toBe(200)
    expect(responseMisfits(answer)).toEqual([])
    expect(arrayOf(answer.output)).not.toEqual([])
    return answer
  }
  const isComplete = (answer: JsonObject): void => {
    expect(answer).toMatchObject({ status: 'completed', id: expect.stringMatching(/./), usage: expect.any(Object) })
  }

  const requests: [name: string, request: JsonObject, inPrompt: string][] = [
    ['basic-response', { input: [said('user', 'Say hello in exactly 3 words.')] }, 'exactly 3 words'],
    ['system-prompt', { input: [said('system', 'You are a pirate.'), said('user', 'Say hello.')] }, 'pirate'],
    ['system-prompt, developer', { input: [said('developer', 'One word.'), said('user', 'Say hello.')] }, 'One word.'],
    [
      'multi-turn',
      {
        input: [said('user', 'My name is Alice.'), said('assistant', 'Hello Alice!'), said('user', 'What is my name?')],
      },
      'Hello Alice!',
    ],
    [
      'assistant-phase',
      {
        input: [
          said('assistant', 'I look it up.', { phase: 'commentary' }),
          said('assistant', 'It is four.', { phase: 'final_answer' }),
          said('user', 'Repeat it.'),
        ],
      },
      'It is four.',
    ],
    [
      'image-input',
      {
        input: [
          said('user', [
            { type: 'input_text', text: 'What do you see?' },
            { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
          ]),
        ],
      },
      '[image]',
    ],
    [
      'file-input',
      {
        input: [
          said('user', [
            { type: 'input_text', text: 'Read the file.' },
            { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
          ]),
        ],
      },
      'Read the file.',
    ],
  ]

  test.each(requests)('%s', async (_, request, inPrompt) => {
    const gateway = await server()
    isComplete(await ask(gateway, request))
    expect(gateway.lastPrompt()).toContain(inPrompt)
  })

  test.each<[name: string, choice: JsonObject]>([
    ['tool-calling', {}],
    ['tool-calling, required', { tool_choice: 'required' }],
  ])('%s', async (_, choice) => {
    const answer = await ask(await server(), { input: [said('user', 'How is the weather?')], tools, ...choice })
    expect(answer.output).toContainEqual(expect.objectContaining({ type: 'function_call', name: 'get_weather' }))
  })

  test('function-call-roundtrip', async () => {
    const gateway = await server()
    const choice = { type: 'function', name: 'get_weather' }
    const first = await ask(gateway, { input: 'Use the weather tool.', tools, tool_choice: choice })
    const call = arrayOf(first.output).find((item) => isJsonObject(item) && item.type === 'function_call')
    const result = { type: 'function_call_output', call_id: objectOf(call).call_id ?? null, output: '64 degrees' }
    isComplete(await ask(gateway, { previous_response_id: first.id ?? null, input: [result] }))
  })

  test('previous-response-id', async () => {
    const gateway = await server()
    const first = await ask(gateway, { input: 'Remember this word: papaya.' })
    isComplete(await ask(gateway, { previous_response_id: first.id ?? null, input: 'Which word?' }))
    expect(gateway.lastPrompt()).toContain('papaya')
  })

  test.each<[name: string, request: JsonObject, types: string[]]>([
    ['streaming-response', { input: [said('user', 'Count.')] }, ['response.output_text.delta']],
    ['streaming-usage', { input: [said('user', 'One word.')] }, ['response.output_text.done']],
    [
      'tool-calling-streaming',
      { input: [said('user', 'How is the weather?')], tools },
      ['response.function_call_arguments.delta', 'response.function_call_arguments.done', 'response.output_item.done'],
    ],
  ])('%s', async (_, request, types) => {
    const { openaiUrl } = await server()
    const response = await post(`${openaiUrl}/responses`, { model, ...request, stream: true })
    const events = readResponseEvents(await readSse(response))
    const seen = events.map(({ type }) => type)
    expect(seen.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
    expect(seen).toEqual(expect.arrayContaining(types))
    expect(seen.at(-1)).toBe('response.completed')
    isComplete(objectOf(events.at(-1)?.response))
  })

  const dialogue = [said('user', 'We launch on Tuesday.'), said('assistant', 'Understood.')]

  test('compact-response', async () => {
    const { openaiUrl } = await server()
    const response = await post(`${openaiUrl}/responses/compact`, { model, input: dialogue, prompt_cache_key: 'a' })
    const answer = objectOf(await response.json())
    expect(openResponsesCompactionMisfits(answer)).toEqual([])
    expect(answer.output).toContainEqual(expect.objectContaining({ type: 'compaction' }))
  })

  test.each<[name: string, path: string]>([
    ['error-handling', '/responses'],
    ['compact-missing-model', '/responses/compact'],
  ])('%s', async (_, path) => {
    const { openaiUrl } = await server()
    const response = await post(openaiUrl + path, { input: dialogue })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: 'model' } })
  })
})

describe('Anthropic Messages', () => {
  const user = (content: JsonValue): JsonObject => ({ role: 'user', content })
  const hello = { messages: [user('Say hello in exactly 3 words.')] }
  const send = ({ url }: Server, body: JsonObject) => post(`${url}/v1/messages`, { model, max_tokens: 1024, ...body })

  test.each<[name: string, request: JsonObject, stop: string, content: string]>([
    ['anth-basic-response', hello, 'end_turn', 'text'],
    ['anth-system-prompt', { ...hello, system: 'One word.' }, 'end_turn', 'text'],
    [
      'anth-multi-turn',
      { messages: [user('I am Alice.'), { role: 'assistant', content: 'Hello!' }, user('Who am I?')] },
      'end_turn',
      'text',
    ],
    [
      'anth-tool-calling',
      { ...hello, tools: [{ name: 'get_weather', input_schema: schema }], tool_choice: { type: 'any' } },
      'tool_use',
      'tool_use',
    ],
    [
      'anth-image-input',
      { messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }])] },
      'end_turn',
      'text',
    ],
  ])('%s', async (_, request, stop, content) => {
    const response = await send(await server(), request)
    const message = objectOf(await response.json())
    expect(response.status, JSON.stringify(message)).toBe(200)
    expect(messageMisfits(message)).toEqual([])
    expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: stop })
    expect(message.content).toContainEqual(expect.objectContaining({ type: content }))
  })

  test('anth-streaming-response, anth-streaming-usage', async () => {
    const message = readAnthropicStream(await readSse(await send(await server(), { ...hello, stream: true })))
    expect(message.blocks).toMatchObject([{ type: 'text', text: 'One, two, three.' }])
    expect(message.stop?.usage.output_tokens).toBeGreaterThan(0)
  })

  test('anth-error-handling: a request without max_tokens is served, and one without messages is not', async () => {
    const { url } = await server()
    const served = await post(`${url}/v1/messages`, { model, ...hello })
    expect(messageMisfits(await served.json())).toEqual([])
    const refused = await post(`${url}/v1/messages`, { model, max_tokens: 1024 })
    expect(refused.status).toBe(400)
    expect(errorMisfits(await refused.json())).toEqual([])
  })
})
