import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import { gatewayForTest, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { responseMisfits } from '../support/protocols/responses-schema.ts'
import { objectOf } from './json.ts'
import { playedModel, type Script, scripted, type Writing } from './played-model.ts'
import { messageText, settings, toolify } from './settings.ts'
import { openaiTools, runTool } from './travel-tools.ts'

type Input = OpenAI.Responses.ResponseInput
type Item = OpenAI.Responses.ResponseOutputItem

const model = 'gpt-test'
const tools: OpenAI.Responses.Tool[] = openaiTools.map(({ function: { name, description, parameters } }) => ({
  type: 'function',
  name,
  description: description ?? '',
  parameters: parameters ?? {},
  strict: false,
}))

const weatherIn = (...cities: string[]) => cities.map((city) => ({ name: 'get_weather', input: { city } }))

/** The settings that both of OpenAI's APIs have under one name. */
const shared = { prompt_cache_key: 'k', service_tier: 'flex', safety_identifier: 'u' }

function callsIn(output: readonly Item[]): OpenAI.Responses.ResponseFunctionToolCall[] {
  return output.filter((item) => item.type === 'function_call')
}

/** Returns the next items, as a client's program does after a response. */
function answered(output: readonly Item[]): Input {
  const results = callsIn(output).map(({ call_id, name, arguments: json }) => ({
    type: 'function_call_output' as const,
    call_id,
    output: runTool(name, objectOf(JSON.parse(json))),
  }))
  return [...output, ...results] as Input
}

async function playing(write: Writing, setting = toolify, config: JsonObject = {}) {
  const { upstream, ...played } = playedModel(setting, write)
  const gateway = await gatewayForTest({ upstream, ...setting.rule, config })
  const client = new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
  return { ...played, client, gateway }
}

describe.each(settings)('by $name', (setting) => {
  const script: Script = [weatherIn('Paris', 'Tokyo'), [{ name: 'get_time', input: { city: 'Rome' } }], 'It is 14:05.']

  test.each([false, true])('calls in three turns, streamed: %s', async (isStreamed) => {
    const { client, requests } = await playing(scripted(script), setting)
    const respond = async (input: Input): Promise<OpenAI.Responses.Response> => {
      const request = { model, input, tools, instructions: 'Be brief.', store: false }
      if (!isStreamed) return client.responses.create(request)
      return client.responses.stream(request).finalResponse()
    }
    let input: Input = [{ role: 'user', content: 'How is the weather?' }]
    const outputs: Item[][] = []
    for (let turn = 0; turn < 3; turn++) {
      const { output } = await respond(input)
      outputs.push(output)
      input = [...input, ...answered(output)]
    }
    const [first = [], second = [], third = []] = outputs
    expect(callsIn(first).map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_weather', { city: 'Tokyo' }],
    ])
    expect(callsIn(second)).toHaveLength(1)
    expect(third).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: 'It is 14:05.' }] }])
    const last = requests[2]
    expect(last && setting.prompt(last)).toContain('Rome: 14:05')
  })
})

test('each prompt begins with the one before it', async () => {
  const { client, messages } = await playing(scripted([weatherIn('Paris'), weatherIn('Rome'), 'Done.']))
  let input: Input = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Go.' },
  ]
  for (let turn = 0; turn < 3; turn++) {
    const { output } = await client.responses.create({ model, input, tools })
    input = [...input, ...answered(output)]
  }
  const prompts = [0, 1, 2].map((at) => messages(at).map(messageText))
  expect(prompts[1]?.slice(0, prompts[0]?.length)).toEqual(prompts[0])
  expect(prompts[2]?.slice(0, prompts[1]?.length)).toEqual(prompts[1])
})

test('reasoning that is sealed comes back to the model, and that of another server does not', async () => {
  const play: Writing = (_calls, _request, index) => ({
    pieces: index === 0 ? [{ reasoning: 'A secret thought.' }, 'Yes.'] : ['Done.'],
  })
  // The gateway itself remembers no reply, so that only the envelope can bring the reasoning back.
  const { client, messages } = await playing(play, toolify, { limits: { repliesMegabytes: 0 } })
  const request = { model, include: ['reasoning.encrypted_content' as const], store: false }
  const { output } = await client.responses.create({ ...request, input: 'Think.' })
  const sealed = output.map((item) => (item.type === 'reasoning' ? { ...item, content: [], summary: [] } : item))
  expect(JSON.stringify(sealed)).not.toContain('A secret thought.')
  const input = [{ role: 'user', content: 'Think.' }, ...sealed, { role: 'user', content: 'And?' }] as Input
  await client.responses.create({ ...request, input })
  expect(messages(1)).toContainEqual(expect.objectContaining({ role: 'assistant', reasoning: 'A secret thought.' }))
  const foreign = input.map((item) => ('encrypted_content' in item ? { ...item, encrypted_content: 'gAAAA' } : item))
  const { response } = await client.responses.create({ ...request, input: foreign }).withResponse()
  expect(response.headers.get('x-anycall-notices')).toContain('reasoning-dropped')
  expect(messages(2).every(({ reasoning }) => reasoning === undefined)).toBe(true)
})

test('reasoning that comes back sealed by another server is the remembered one, without a notice', async () => {
  const play: Writing = (_calls, _request, index) => ({
    pieces: index === 0 ? [{ reasoning: 'A secret thought.' }, 'Yes.'] : ['Done.'],
  })
  const { client, messages } = await playing(play)
  const request = { model, include: ['reasoning.encrypted_content' as const], store: false }
  const { output } = await client.responses.create({ ...request, input: 'Think.' })
  const foreign = output.map((item) =>
    item.type === 'reasoning' ? { ...item, content: [], encrypted_content: 'gAAAA' } : item,
  )
  const again = async (items: typeof foreign) => {
    const input = [{ role: 'user', content: 'Think.' }, ...items, { role: 'user', content: 'And?' }] as Input
    const { response } = await client.responses.create({ ...request, input }).withResponse()
    return response.headers.get('x-anycall-notices')
  }
  expect(await again(foreign)).toBeNull()
  expect(messages(1)).toContainEqual(expect.objectContaining({ role: 'assistant', reasoning: 'A secret thought.' }))
  // A reply that is not the remembered one has lost its reasoning.
  const edited = foreign.map((item) =>
    item.type === 'message' ? { ...item, content: [{ ...item.content[0], text: 'No.' }] } : item,
  )
  expect(await again(edited as typeof foreign)).toContain('reasoning-dropped')
})

test.each<['native' | 'prompted', 'openai-chat' | 'openai-responses', JsonObject, absent: string[]]>([
  ['native', 'openai-chat', { verbosity: 'low', ...shared }, []],
  ['native', 'openai-responses', { text: { verbosity: 'low' }, ...shared }, []],
  ['prompted', 'openai-chat', { prompt_cache_key: 'k' }, ['verbosity', 'service_tier', 'safety_identifier']],
  ['prompted', 'openai-responses', { prompt_cache_key: 'k' }, ['text', 'service_tier', 'safety_identifier']],
])('plan %s, an upstream of type %s: gets the settings of the API', async (plan, type, expected, absent) => {
  const upstream = await upstreamServerForTest(() => ({ type: 'status', status: 400 }))
  const gateway = await gatewayForTest({ upstream: upstream.url, plan, server: { type, retries: 0 } })
  for (const [path, body] of [
    ['responses', { input: 'Hi', text: { verbosity: 'low' } }],
    ['chat/completions', { messages: [{ role: 'user', content: 'Hi' }], verbosity: 'low' }],
  ] as const) {
    const request = JSON.stringify({ model, ...body, ...shared })
    await (await fetch(`${gateway.openaiUrl}/${path}`, { method: 'POST', body: request })).text()
    const sent = upstream.requests.at(-1)?.body
    expect(sent).toMatchObject(expected)
    expect(absent.filter((field) => sent?.[field] !== undefined)).toEqual([])
  }
  expect(upstream.requests).toHaveLength(2)
})

describe('a response that is stored', () => {
  test('is continued by its id, with its reasoning, and by references to its items', async () => {
    const play: Writing = (calls, _request, index) =>
      index === 0
        ? { pieces: [{ reasoning: 'Where?' }, `I look.\n${calls(...weatherIn('Paris'))}`] }
        : { pieces: ['Clear.'] }
    const { client, messages } = await playing(play)
    const first = await client.responses.create({ model, input: 'Weather?', tools })
    expect(first).toMatchObject({ store: true })
    const results = answered(first.output).slice(first.output.length)
    await client.responses.create({ model, input: results, tools, previous_response_id: first.id })
    const references = first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }))
    const input: Input = [{ role: 'user', content: 'Weather?' }, ...references, ...results]
    await client.responses.create({ model, input, tools })
    expect(messages(1)).toEqual(messages(2))
    expect(messages(1)).toContainEqual(expect.objectContaining({ role: 'assistant', reasoning: 'Where?' }))
    expect(messages(1).map(messageText).join()).toContain('Paris: clear')
  })

  test('is kept from a stream as well, shown, and deleted', async () => {
    const { client } = await playing(scripted(['Hello.']))
    const streamed = await client.responses.stream({ model, input: 'Hi' }).finalResponse()
    const shown = await client.responses.retrieve(streamed.id)
    expect(shown.output).toMatchObject([{ type: 'message', content: [{ text: 'Hello.' }] }])
    expect(responseMisfits(JSON.parse(JSON.stringify({ ...shown, output_text: undefined })))).toEqual([])
    const again = client.responses.retrieve(streamed.id, { stream: true })
    await expect(again).rejects.toMatchObject({ status: 400, param: 'stream', message: expect.stringMatching(/kept/) })
    await client.responses.delete(streamed.id)
    await expect(client.responses.retrieve(streamed.id)).rejects.toThrow(/is kept here/)
  })

  test('lists its input in pages, and cannot be cancelled', async () => {
    const { client } = await playing(scripted(['Hello.']))
    const input: Input = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }))
    const { id } = await client.responses.create({ model, input })
    const texts: unknown[] = []
    for await (const item of client.responses.inputItems.list(id, { order: 'asc', limit: 2 })) {
      expect(item).toMatchObject({ id: expect.any(String), type: 'message', role: 'user' })
      texts.push('content' in item && item.content)
    }
    expect(texts).toEqual(['one', 'two', 'three'].map((text) => [{ type: 'input_text', text }]))
    const newest = await client.responses.inputItems.list(id, { limit: 1 })
    expect(newest.data).toMatchObject([{ content: [{ text: 'three' }] }])
    await expect(client.responses.inputItems.list(id, { limit: 101 })).rejects.toMatchObject({
      status: 400,
      param: 'limit',
    })
    await expect(client.responses.cancel(id)).rejects.toThrow(/synchronous/)
    await expect(client.responses.cancel('resp_unknown')).rejects.toMatchObject({ status: 404 })
  })

  test.each<[string, (id: string) => [path: string, body: JsonObject], status: number, param: string | null, RegExp]>([
    [
      'is not made in the background',
      () => ['', { model, input: 'Hi', background: true }],
      400,
      'background',
      /stream/,
    ],
    ['is not cancelled', (id) => [`/${id}/cancel`, {}], 400, null, /^Cannot cancel a synchronous response/],
    ['is not cancelled if it is unknown', () => ['/resp_unknown/cancel', {}], 404, null, /"resp_unknown"/],
  ])('%s: that is an error in the form of the API', async (_, ask, status, param, message) => {
    const { client, gateway, requests } = await playing(scripted(['Hello.']))
    const { id } = await client.responses.create({ model, input: 'Hi' })
    const [path, body] = ask(id)
    const headers = { authorization: 'Bearer any' }
    const response = await fetch(`${gateway.openaiUrl}/responses${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const said = expect.stringMatching(message)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { error: { message: said, type: 'invalid_request_error', param, code: null } },
    })
    expect(requests).toHaveLength(1)
  })

  test('is not one with store: false; an unknown one is an error that names the field', async () => {
    const { client } = await playing(scripted(['Hello.', 'Again.']))
    const first = await client.responses.create({ model, input: 'Hi', store: false })
    expect(first).toMatchObject({ store: false })
    const error = await client.responses
      .create({ model, input: 'And?', previous_response_id: first.id })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringMatching(/send the whole conversation in input/),
    })
    const unknown: Input = [
      { role: 'user', content: 'Hi' },
      { type: 'item_reference', id: 'msg_unknown' },
    ]
    const { response } = await client.responses.create({ model, input: unknown }).withResponse()
    expect(response.headers.get('x-anycall-notices')).toContain('item-unsupported')
  })
})

describe('a conversation', () => {
  test('is continued by each response that names it, streamed or not, and has the items of all', async () => {
    const { client, messages } = await playing(scripted([weatherIn('Paris'), 'It is clear.', 'You are welcome.']))
    const { id: conversation } = await client.conversations.create({
      metadata: { topic: 'weather' },
      items: [{ role: 'developer', content: 'Be brief.' }],
    })
    const first = await client.responses.create({ model, input: 'Weather?', tools, conversation })
    expect(first.conversation).toEqual({ id: conversation })
    const results = answered(first.output).slice(first.output.length)
    await client.responses.stream({ model, input: results, tools, conversation: { id: conversation } }).finalResponse()
    await client.responses.create({ model, input: 'Thanks.', tools, conversation, store: false })
    const texts = messages(-1).map(messageText)
    for (const said of ['Be brief.', 'Weather?', 'Paris: clear', 'It is clear.', 'Thanks.'])
      expect(texts.join()).toContain(said)
    const items: OpenAI.Conversations.ConversationItem[] = []
    for await (const item of client.conversations.items.list(conversation, { order: 'asc', limit: 3 })) items.push(item)
    expect(items.map(({ type }) => type)).toEqual([
      ...['message', 'message', 'message', 'function_call', 'function_call_output', 'message', 'message', 'message'],
    ])
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    expect(await client.conversations.retrieve(conversation)).toMatchObject({ metadata: { topic: 'weather' } })
  })

  test('takes, shows and removes items and metadata', async () => {
    const { client, messages } = await playing(scripted(['Fine.']))
    const { id } = await client.conversations.create({ metadata: { topic: 'weather', city: 'Oslo' } })
    const place = { conversation_id: id }
    const added = await client.conversations.items.create(id, {
      items: [
        { role: 'user', content: 'Forget this.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Keep this.' }] },
      ],
    })
    const [forgotten, rest] = added.data
    expect(added).toMatchObject({ first_id: forgotten?.id, last_id: rest?.id, has_more: false })
    expect(await client.conversations.items.retrieve(forgotten?.id ?? '', place)).toEqual(forgotten)
    const after = await client.conversations.items.delete(forgotten?.id ?? '', place)
    expect(after).toMatchObject({ id, object: 'conversation' })
    const gone = client.conversations.items.retrieve(forgotten?.id ?? '', place)
    await expect(gone).rejects.toMatchObject({ status: 404 })
    expect((await client.conversations.items.list(id)).data).toEqual([rest])
    const reference = { type: 'item_reference' as const, id: rest?.id ?? '' }
    await client.conversations.items.create(id, { items: [reference] })
    await client.responses.create({ model, input: 'How are you?', conversation: id })
    const texts = messages(-1).map(messageText).join()
    expect(texts).not.toContain('Forget')
    expect(texts).toMatch(/Keep this\..*Keep this\..*How are you/s)
    const updated = await client.conversations.update(id, { metadata: { topic: 'snow' } })
    expect(updated).toMatchObject({ id, metadata: { topic: 'snow' } })
    expect(await client.conversations.retrieve(id)).toEqual(updated)
    expect((await client.conversations.update(id, { metadata: null })).metadata).toEqual({})
  })

  test.each([
    ['', {}, 'metadata'],
    ['', { metadata: 'x' }, 'metadata'],
    ['/items', {}, 'items'],
    ['/items', { items: [] }, 'items'],
    ['/items', { items: ['x'] }, 'items[0]'],
  ])('refuses a change (POST %s) of %j', async (path, body, param) => {
    const { client } = await playing(scripted([]))
    const { id } = await client.conversations.create({})
    await expect(client.post(`/conversations/${id}${path}`, { body })).rejects.toMatchObject({ status: 400, param })
  })

  test('that is unknown or deleted is an error that names the field', async () => {
    const { client } = await playing(scripted(['Hello.']))
    const { id } = await client.conversations.create({})
    await expect(client.responses.retrieve(id)).rejects.toThrow(/is kept here/)
    await client.conversations.delete(id)
    const unknown = client.responses.create({ model, input: 'Hi', conversation: id })
    await expect(unknown).rejects.toMatchObject({ status: 404, param: 'conversation' })
    const both = { conversation: id, previous_response_id: 'resp_1' }
    await expect(client.responses.create({ model, input: 'Hi', ...both })).rejects.toMatchObject({ status: 400 })
  })

  test('of another key is not found', async () => {
    const { client } = await playing(scripted(['Hello.']), toolify, { keys: ['key-of-ada', 'key-of-bob'] })
    const [ada, bob] = ['key-of-ada', 'key-of-bob'].map((apiKey) => client.withOptions({ apiKey }))
    const { id = '' } = (await ada?.conversations.create({})) ?? {}
    await expect(bob?.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(bob?.responses.create({ model, input: 'Hi', conversation: id })).rejects.toMatchObject({ status: 404 })
  })
})

test('the tokens of a prompt are counted', async () => {
  const { client } = await playing(scripted([]))
  const counted = await client.responses.inputTokens.count({ model, input: 'Hello there.', tools })
  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) })
  expect(counted.input_tokens).toBeGreaterThan(10)
})

test('a whole response is one by the published types', async () => {
  const { gateway } = await playing(scripted(['Hello.']))
  const response = await fetch(`${gateway.openaiUrl}/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'Hi', tools, text: { verbosity: 'low' } }),
  })
  const body: unknown = await response.json()
  expect(responseMisfits(body)).toEqual([])
  expect(body).toMatchObject({
    id: expect.stringMatching(/^resp_/),
    status: 'completed',
    tools: [{ name: 'get_weather' }, {}, {}, {}],
  })
})
