import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { readResponseEvents } from '../support/protocols/responses-stream.ts'
import { playedModel, type Writing } from './played-model.ts'
import { messageText, toolify } from './settings.ts'

type Input = OpenAI.Responses.ResponseInput

const model = 'gpt-test'
const trigger = { type: 'compaction_trigger' as const }
const written = { type: 'output_text' as const, text: 'Painted.', annotations: [] }
const history: Input = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'Paint the boat.' },
  { type: 'function_call', call_id: 'c1', name: 'paint', arguments: '{"colour":"red"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'It is red now.' },
  { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [written] },
]
const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'paint', parameters: { type: 'object' }, strict: false },
]

async function playing(write: Writing) {
  const { upstream, ...played } = playedModel(toolify, write)
  const gateway = await gatewayForTest({ upstream, ...toolify.rule })
  const client = new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
  const texts = (at: number) => played.messages(at).map(messageText)
  return { client, gateway, texts }
}

const summarises: Writing = (_calls, _request, index) =>
  index === 0 ? { pieces: [{ reasoning: 'What was it?' }, 'The boat ', 'is red.'] } : 'Done.'

test('a trigger is answered by one item, which says nothing, and later stands for what it replaced', async () => {
  const { client, texts } = await playing(summarises)
  const { output, status, usage } = await client.responses.create({ model, input: [...history, trigger], tools })
  expect({ status, output }).toEqual({
    status: 'completed',
    output: [{ id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: expect.any(String) }],
  })
  expect(usage?.output_tokens).toBeGreaterThan(0)
  expect(JSON.stringify(output)).not.toContain('red')
  await client.responses.create({
    model,
    input: [...history, ...(output as Input), { role: 'user', content: 'And now?' }],
    tools,
  })
  const [, first = '', second = '', third] = texts(1)
  expect([first, second, third].join('\n')).toMatch(/Paint the boat\.[\s\S]*The boat is red\.[\s\S]*And now\?/)
  // The call was replaced by the summary.
  expect(texts(1).join('\n')).not.toContain('It is red now.')
})

test('the prompt for a summary begins with the one before, tools included', async () => {
  const { client, texts } = await playing(() => 'Red.')
  await client.responses.create({ model, input: history, tools })
  await client.responses.create({ model, input: [...history, trigger], tools, tool_choice: 'required' })
  expect(texts(1).slice(0, texts(0).length)).toEqual(texts(0))
  expect(texts(1)).toHaveLength(texts(0).length + 1)
  expect(texts(1).at(-1)).toMatch(/^Write a summary/)
})

test('a stream has the one item, whole', async () => {
  const { gateway } = await playing(summarises)
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: [...history, trigger], tools, stream: true, store: false }),
  })
  const events = readResponseEvents(await response.text())
  expect(events.map(({ type }) => String(type).replace('response.', ''))).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'output_item.done',
    'completed',
  ])
  expect(events.at(-1)).toMatchObject({ response: { output: [{ type: 'compaction' }] } })
})

test('the endpoint for it answers with the messages that stay, and the item', async () => {
  const { client, texts } = await playing(summarises)
  const { id, object, output, usage } = await client.responses.compact({ model, input: history, instructions: 'Help.' })
  expect({ object, isUsage: (usage.total_tokens ?? 0) > 0 }).toEqual({ object: 'response.compaction', isUsage: true })
  expect(id).toMatch(/^resp_/)
  expect(output).toMatchObject([
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Paint the boat.' }] },
    { type: 'compaction' },
  ])
  await client.responses.create({ model, input: [...(output as Input), { role: 'user', content: 'And now?' }] })
  expect(texts(1).join('\n')).toContain('The boat is red.')
})

test('a stored response is continued from its compaction', async () => {
  const { client, texts } = await playing(summarises)
  const { id } = await client.responses.create({ model, input: [...history, trigger], tools })
  await client.responses.create({ model, input: 'And now?', previous_response_id: id, tools })
  expect(texts(1).join('\n')).toContain('The boat is red.')
  expect(texts(1).join('\n')).not.toContain('It is red now.')
})

test('an item of another server is left out with a notice, and replaces nothing', async () => {
  const { client, texts } = await playing(() => 'Done.')
  const foreign = { type: 'compaction' as const, encrypted_content: 'gAAAA' }
  const { response } = await client.responses.create({ model, input: [...history, foreign], tools }).withResponse()
  expect(response.headers.get('x-anycall-notices')).toContain('compaction-dropped')
  expect(texts(0).join('\n')).toContain('It is red now.')
})

test('a model that writes no summary is an error, whole and streamed', async () => {
  const { client } = await playing((calls) => calls({ name: 'paint', input: { colour: 'blue' } }))
  const request = { model, input: [...history, trigger], tools }
  await expect(client.responses.create(request)).rejects.toMatchObject({ status: 502 })
  const seen: string[] = []
  const all = async () => {
    for await (const event of await client.responses.create({ ...request, stream: true })) seen.push(event.type)
  }
  await expect(all()).rejects.toThrow('The model wrote no summary of the conversation')
  expect(seen).toEqual(['response.created', 'response.in_progress'])
})

test('a summary that the token limit cuts is one that is incomplete', async () => {
  const { client } = await playing(() => ({ pieces: ['The boat'], finish: 'length' }))
  const { status, output } = await client.responses.create({ model, input: [...history, trigger] })
  expect({ status, types: output.map(({ type }) => type) }).toEqual({ status: 'incomplete', types: ['compaction'] })
})
