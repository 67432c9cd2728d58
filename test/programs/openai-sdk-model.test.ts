// A model that only writes text, accessed by OpenAI's SDK: its stream is read as it arrives.
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { expect, test } from 'vitest'
import { createReader, type ReplyEvent, writePrompt } from '../../src/index.ts'

const pieces = ['Let me look. <tool', '_call>{"name": "get_weather", "argu', 'ments": {"city": "Paris"}}</tool_call>']

/** Answers like a server of Chat Completions without tool calling; `asked` gets the requests. */
function server(asked: unknown[]) {
  return async (_: unknown, init?: RequestInit): Promise<Response> => {
    asked.push(JSON.parse(String(init?.body)))
    const chunks = pieces.map((content) => ({ id: 'c', choices: [{ index: 0, delta: { content } }] }))
    const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`)
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }
}

test('text and call come while the model writes', async () => {
  const asked: unknown[] = []
  const client = new OpenAI({ baseURL: 'http://model.test/v1', apiKey: 'none', fetch: server(asked) })
  const tools = [{ name: 'get_weather', schema: { type: 'object', properties: { city: { type: 'string' } } } }]
  const dialect = 'hermes'
  const turns = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Weather in Paris?' }] }]
  const prompt = writePrompt({ turns, tools }, { dialect })
  const messages = prompt.map(({ role, parts }): ChatCompletionMessageParam => {
    const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return { role, content }
  })

  const stream = await client.chat.completions.create({ model: 'text-only', messages, stream: true })
  const reader = createReader({ tools, dialect })
  const batches: ReplyEvent['type'][][] = []
  const events: ReplyEvent[] = []
  for await (const chunk of stream) {
    const read = reader.push(chunk.choices[0]?.delta.content ?? '')
    batches.push(read.map(({ type }) => type))
    events.push(...read)
  }
  events.push(...reader.end())

  expect(asked).toMatchObject([{ stream: true, messages: [{ role: 'system' }, { role: 'user' }] }])
  expect(JSON.stringify(asked)).toContain('get_weather')
  expect(batches[0]).toEqual(['text'])
  expect(batches[1]).toEqual(['call-start'])
  const json = events.map((event) => (event.type === 'call-arguments' ? event.json : '')).join('')
  expect(JSON.parse(json)).toEqual({ city: 'Paris' })
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'calls' })
})
