import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { gatewayForTest, upstreamName } from '../support/gateway-fixture.ts'
import { playedModel } from './played-model.ts'
import { settings } from './settings.ts'

const text = 'print("é😀")\n\tif a < b & c:\n'
const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'Run it.' }
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'custom', custom: { name: 'run_code', description: 'Runs Python.' } },
]

describe.each(settings)('a custom tool, by $name', (setting) => {
  const playing = async () => {
    const played = playedModel(setting, (calls, _request, index) =>
      index === 0 ? calls({ name: 'run_code', input: { input: text } }) : 'It ran.',
    )
    const gateway = await gatewayForTest({ upstream: played.upstream, ...setting.rule })
    const client = new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
    return { ...played, completions: client.chat.completions }
  }

  test('is called with a text, and its result goes back', async () => {
    const { completions, prompts } = await playing()
    const choice: OpenAI.ChatCompletionToolChoiceOption = { type: 'custom', custom: { name: 'run_code' } }
    const first = await completions.create({ model: 'm', messages: [question], tools, tool_choice: choice })
    const message = first.choices[0]?.message
    const [call] = message?.tool_calls ?? []
    expect(call).toEqual({ id: expect.any(String), type: 'custom', custom: { name: 'run_code', input: text } })
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    if (!message || !call) throw new Error('there is no call')
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'it printed' }
    const second = await completions.create({ model: 'm', messages: [question, message, result], tools })
    expect(second.choices[0]?.message.content).toBe('It ran.')
    expect(prompts()[1]).toContain('it printed')
  })

  test('is streamed', async () => {
    const { completions } = await playing()
    const pieces: unknown[] = []
    for await (const { choices } of await completions.create({
      model: 'm',
      messages: [question],
      tools,
      stream: true,
    })) {
      pieces.push(...(choices[0]?.delta.tool_calls ?? []))
    }
    const [start, ...rest] = pieces
    expect(start).toEqual({
      index: 0,
      id: expect.any(String),
      type: 'custom',
      custom: { name: 'run_code', input: '' },
    })
    expect(rest.length).toBeGreaterThan(1)
    expect(rest.map((piece) => Object(piece).custom.input).join('')).toBe(text)
  })

  test('is sent back if its input does not follow its grammar', async () => {
    const grammar = { syntax: 'lark' as const, definition: 'start: "print(" /[a-z]+/ ")" start?' }
    const inputs = ['print(1)', 'print(a)print(b)']
    const played = playedModel(setting, (calls, _request, index) =>
      calls({ name: 'run_code', input: { input: inputs[index] ?? '' } }),
    )
    const models = [{ match: '*', upstream: upstreamName, ...setting.rule, corrections: 1 }]
    const gateway = await gatewayForTest({ upstream: played.upstream, config: { models } })
    const client = new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
    const { choices } = await client.chat.completions.create({
      model: 'm',
      messages: [question],
      tools: [{ type: 'custom', custom: { name: 'run_code', format: { type: 'grammar', grammar } } }],
    })
    expect(choices[0]?.message.tool_calls).toEqual([
      { id: expect.any(String), type: 'custom', custom: { name: 'run_code', input: 'print(a)print(b)' } },
    ])
    expect(played.prompts()[1]).toContain('"1)" at offset 6 does not fit')
  })
})
