import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import { Ollama } from 'ollama'
import { describe, expect, test } from 'vitest'
import { gatewayForTest, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'

const call = (city: string): string =>
  `<TOOL_CALL>\n${JSON.stringify({ name: 'get_weather', input: { city } })}\n</TOOL_CALL>`

/** A gateway before a model that calls twice, and answers when it has the results. */
async function gatewayUrl(): Promise<string> {
  const upstream = await upstreamServerForTest((_, n) =>
    n % 2 === 0 ? says('I look.\n', call('Paris "1"'), '\n', call('東京')) : says('Sunny in both.'),
  )
  return (await gatewayForTest({ upstream: upstream.url, dialect: 'tool-call-json' })).url
}

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const cities = [{ city: 'Paris "1"' }, { city: '東京' }]

describe.each(['v1', 'v1beta'])('@google/genai, %s', (apiVersion) => {
  const declaration = { name: 'get_weather', description: 'The weather', parametersJsonSchema: schema }
  const config = {
    tools: [{ functionDeclarations: [declaration] }],
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
  }

  test('a chat with two calls', async () => {
    const ai = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: await gatewayUrl(), apiVersion } })
    const chat = ai.chats.create({ model: 'm', config })
    const asked = await chat.sendMessage({ message: 'Weather?' })
    expect(asked.functionCalls?.map(({ args }) => args)).toEqual(cities)
    const results = (asked.functionCalls ?? []).map(({ id = '', name = '' }) => ({
      functionResponse: { id, name, response: { output: 'Sunny.' } },
    }))
    expect((await chat.sendMessage({ message: results })).text).toBe('Sunny in both.')
  })

  test('a stream, models and tokens', async () => {
    const ai = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: await gatewayUrl(), apiVersion } })
    const args: unknown[] = []
    for await (const chunk of await ai.models.generateContentStream({ model: 'm', contents: 'Weather?', config })) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? [])
        if (part.functionCall) args.push(part.functionCall.args)
    }
    expect(args).toEqual(cities)
    expect((await ai.models.countTokens({ model: 'm', contents: 'hi' })).totalTokens).toBeGreaterThan(0)
    expect((await ai.models.get({ model: 'm' })).name).toBe('models/m')
    await expect(ai.models.embedContent({ model: 'm', contents: 'x' })).rejects.toThrow('is not served')
  })
})

test('ollama: a chat with two calls, and a stream', async () => {
  const ollama = new Ollama({ host: await gatewayUrl() })
  const tools = [
    { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: { type: 'object' } } },
  ]
  const question = { role: 'user', content: 'Weather?' }
  const { message } = await ollama.chat({ model: 'm', messages: [question], tools })
  expect(message.tool_calls?.map((made) => made.function.arguments)).toEqual(cities)
  const results = cities.map(() => ({ role: 'tool', tool_name: 'get_weather', content: 'Sunny.' }))
  let text = ''
  const stream = await ollama.chat({ model: 'm', messages: [question, message, ...results], tools, stream: true })
  for await (const part of stream) text += part.message.content
  expect(text).toBe('Sunny in both.')
  expect((await ollama.show({ model: 'm' })).capabilities).toContain('tools')
})
