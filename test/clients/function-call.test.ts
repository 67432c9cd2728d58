import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { playedModel, replayedCalls } from './played-model.ts'
import { settings } from './settings.ts'
import { openaiTools } from './travel-tools.ts'

const functions = openaiTools.map((tool) => {
  if (tool.type !== 'function') throw new Error(`a tool of type ${tool.type}`)
  return { ...tool.function, parameters: tool.function.parameters ?? {} }
})
const input = { city: 'Paris' }
const json = '{"city":"Paris"}'
const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'How is Paris?' }

describe.each(settings)('a client of before there were tools, by $name', (setting) => {
  const playing = async () => {
    const played = playedModel(setting, (calls, _request, index) =>
      index === 0 ? calls({ name: 'get_weather', input }, { name: 'get_time', input }) : 'Clear.',
    )
    const gateway = await gatewayForTest({ upstream: played.upstream, ...setting.rule })
    const client = new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
    return { ...played, completions: client.chat.completions }
  }

  test('gets one call a message as function_call, and sends its result', async () => {
    const { completions, prompts, requests } = await playing()
    const first = await completions.create({ model: 'm', messages: [question], functions })
    const message = first.choices[0]?.message
    expect(first.choices[0]?.finish_reason).toBe('function_call')
    expect(message).toMatchObject({ function_call: { name: 'get_weather', arguments: json } })
    expect(message).not.toHaveProperty('tool_calls')
    if (!message) throw new Error('there is no message')
    const result = { role: 'function' as const, name: 'get_weather', content: 'Paris: clear' }
    const second = await completions.create({ model: 'm', messages: [question, message, result], functions })
    expect(second.choices[0]).toMatchObject({ message: { content: 'Clear.' }, finish_reason: 'stop' })
    expect(prompts()[1]).toContain('Paris: clear')
    const [, request] = requests
    if (!request) throw new Error('there is no second request')
    expect(prompts()[1]).toContain(replayedCalls(setting, request)({ name: 'get_weather', input }))
  })

  test('gets the same streamed', async () => {
    const { completions } = await playing()
    const stream = completions.stream({ model: 'm', messages: [question], functions })
    let pieces = ''
    for await (const { choices } of stream) pieces += choices[0]?.delta.function_call?.arguments ?? ''
    expect(pieces).toBe(json)
    expect((await stream.finalChatCompletion()).choices[0]).toMatchObject({
      message: { function_call: { name: 'get_weather', arguments: json } },
      finish_reason: 'function_call',
    })
  })
})
