import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  Output,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import type { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { type Said, textModel, usage } from '../../test/support/ai-sdk/model.ts'
import { toolCallMetadata } from './reply/findings.ts'
import { toolCallMiddleware } from './tool-call-middleware.ts'

const weather = tool({
  description: 'The weather in a city',
  inputSchema: jsonSchema<{ city: string; days?: number }>({
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  }),
  execute: async ({ city }) => ({ city, sky: 'clear' }),
})
const tools = { get_weather: weather }

const call = (city: string) =>
  `<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "${city}", "days": 3}}\n</TOOL_CALL>`
const paris = `Let me look.\n${call('Paris')}`

function wrapped(model: MockLanguageModelV3) {
  return wrapLanguageModel({ model, middleware: toolCallMiddleware({ dialect: 'tool-call-json' }) })
}

/** The prompt of a model's call, as text. */
function promptText(model: MockLanguageModelV3, call: number): string {
  return JSON.stringify((model.doGenerateCalls[call] ?? model.doStreamCalls[call])?.prompt, null, 1)
}

// The SDK prints warnings by default.
globalThis.AI_SDK_LOG_WARNINGS = false

describe('generateText', () => {
  it('makes tool calls of text', async () => {
    const model = textModel(paris)
    const { text, toolCalls, finishReason } = await generateText({ model: wrapped(model), tools, prompt: 'Paris?' })
    expect(text).toBe('Let me look.')
    expect(toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Paris', days: 3 } }])
    expect(toolCalls[0]?.invalid).toBeUndefined()
    expect(finishReason).toBe('tool-calls')
  })

  it('describes the tools in the system message and takes them out of the call', async () => {
    const model = textModel('Hello.')
    await generateText({ model: wrapped(model), tools, system: 'Be brief.', prompt: 'Hi' })
    const sent = model.doGenerateCalls[0]
    expect(sent?.tools).toBeUndefined()
    expect(sent?.toolChoice).toBeUndefined()
    expect(sent?.prompt[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Be brief\.\n\n/) })
    expect(promptText(model, 0)).toContain('get_weather')
    expect(sent?.prompt.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('runs the tool and gives its result back, in two steps whose prompts begin alike', async () => {
    const model = textModel(paris, 'Clear skies.')
    const result = await generateText({ model: wrapped(model), tools, prompt: 'Paris?', stopWhen: stepCountIs(3) })
    expect(result.text).toBe('Clear skies.')
    expect(result.steps).toHaveLength(2)
    const [first, second] = model.doGenerateCalls.map(({ prompt }) => prompt)
    expect(second?.slice(0, 2)).toEqual(first)
    expect(second?.slice(2)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text', text: paris }] },
      { role: 'user', content: [{ type: 'text', text: expect.stringContaining('{"city":"Paris","sky":"clear"}') }] },
    ])
  })

  it('leaves a call without tools alone', async () => {
    const model = textModel(paris)
    const { text } = await generateText({ model: wrapped(model), prompt: 'Paris?' })
    expect(text).toBe(paris)
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([{ role: 'user' }])
  })

  it('makes no call where none is allowed', async () => {
    const model = textModel(paris)
    const result = await generateText({ model: wrapped(model), tools, toolChoice: 'none', prompt: 'Paris?' })
    expect(result.toolCalls).toEqual([])
    expect(result.text).toBe(paris)
    expect(result.providerMetadata?.anycall).toMatchObject({ notices: [{ code: 'call-not-allowed' }] })
  })

  it('makes no call of a tool that was not offered', async () => {
    const text = '<TOOL_CALL>{"name": "launch_rocket", "input": {}}</TOOL_CALL>'
    const result = await generateText({ model: wrapped(textModel(text)), tools, prompt: 'Go' })
    expect(result.toolCalls).toEqual([])
    expect(result.text).toBe(text)
    expect(result.finishReason).toBe('stop')
    expect(result.providerMetadata?.anycall).toMatchObject({ notices: [{ code: 'unknown-tool' }] })
  })

  it('asks once more for a call that is demanded, and counts both', async () => {
    const model = textModel('I would rather talk.', paris)
    const result = await generateText({ model: wrapped(model), tools, toolChoice: 'required', prompt: 'Paris?' })
    expect(result.toolCalls).toHaveLength(1)
    expect(result.usage.outputTokens).toBe(10)
    expect(model.doGenerateCalls[1]?.prompt.slice(-2)).toMatchObject([
      { role: 'assistant', content: [{ text: 'I would rather talk.' }] },
      { role: 'user' },
    ])
  })

  it('asks for JSON in the prompt where tools are offered, since a provider would allow nothing else', async () => {
    const model = textModel('Here it is:\n```json\n{"sky": "clear"}\n```')
    const schema = jsonSchema<{ sky: string }>({ type: 'object', properties: { sky: { type: 'string' } } })
    const result = await generateText({
      model: wrapped(model),
      tools,
      output: Output.object({ schema }),
      prompt: 'Paris?',
    })
    expect(result.output).toEqual({ sky: 'clear' })
    expect(result.warnings).toMatchObject([{ type: 'compatibility', feature: 'responseFormat' }])
    expect(model.doGenerateCalls[0]?.responseFormat).toBeUndefined()
    expect(promptText(model, 0)).toContain('sky')
  })

  it('reads the calls of toolify after the trigger that the conversation keeps', async () => {
    const model = textModel('Hello.', 'Hello.')
    const toolify = wrapLanguageModel({ model, middleware: toolCallMiddleware({ dialect: 'toolify' }) })
    await generateText({ model: toolify, tools, prompt: 'Paris?' })
    const trigger = /<<CALL_[0-9a-f]{12}>>/.exec(promptText(model, 0))?.[0] ?? 'no trigger'
    const spoken = textModel(
      `${trigger}\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>`,
      'Clear.',
    )
    const again = wrapLanguageModel({ model: spoken, middleware: toolCallMiddleware({ dialect: 'toolify' }) })
    const result = await generateText({ model: again, tools, prompt: 'Paris?', stopWhen: stepCountIs(2) })
    expect(result.steps[0]?.toolCalls).toMatchObject([{ input: { city: 'Paris' } }])
    expect(result.text).toBe('Clear.')
    expect(promptText(spoken, 1).split(trigger)).toHaveLength(promptText(spoken, 0).split(trigger).length + 1)
  })
})

describe('tools that are passed to the provider', () => {
  it('gives the provider the tools and reads what turns up in text all the same', async () => {
    const model = textModel(paris)
    const middleware = toolCallMiddleware({ dialect: 'tool-call-json', tools: 'pass' })
    const result = await generateText({ model: wrapLanguageModel({ model, middleware }), tools, prompt: 'Paris?' })
    expect(result.toolCalls).toHaveLength(1)
    expect(model.doGenerateCalls[0]?.tools).toHaveLength(1)
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([{ role: 'user', content: [{ text: 'Paris?' }] }])
  })
})

describe('streamText', () => {
  const long = 'Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson'

  it('streams the arguments while they are written', async () => {
    const model = textModel({ text: `Let me look.\n${call(long)}`, size: 4 })
    const result = streamText({ model: wrapped(model), tools, prompt: 'Where?' })
    const parts = []
    for await (const part of result.fullStream) parts.push(part)
    const deltas = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []))
    expect(deltas.length).toBeGreaterThan(8)
    const made = parts.find((part) => part.type === 'tool-call')
    expect(made).toMatchObject({ toolName: 'get_weather', input: { city: long, days: 3 } })
    expect(JSON.parse(deltas.join(''))).toEqual(made?.input)
    const types = parts.map(({ type }) => type)
    expect(types.indexOf('tool-input-delta')).toBeLessThan(types.indexOf('tool-input-end'))
    expect(types.indexOf('tool-input-end')).toBeLessThan(types.indexOf('tool-call'))
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' })
  })

  it('goes on with the result in the next step', async () => {
    const model = textModel({ text: paris, size: 5 }, { text: 'Clear skies.', size: 5 })
    const result = streamText({ model: wrapped(model), tools, prompt: 'Paris?', stopWhen: stepCountIs(3) })
    expect(await result.text).toBe('Clear skies.')
    expect(await result.steps).toHaveLength(2)
    expect(promptText(model, 1)).toContain('clear')
  })

  it.each([1, 2, 3, 7, 1000])('reads pieces of %i like the whole', async (size) => {
    const text = `<think>Which city?</think>Both:\n${call('Paris')}\n${call('Rome')}`
    const whole = await generateText({ model: wrapped(textModel(text)), tools, prompt: 'Go' })
    const streamed = streamText({ model: wrapped(textModel({ text, size })), tools, prompt: 'Go' })
    expect(await streamed.text).toBe(whole.text)
    expect(await streamed.reasoningText).toBe(whole.reasoningText)
    expect((await streamed.toolCalls).map(({ input }) => input)).toEqual(whole.toolCalls.map(({ input }) => input))
    expect(whole.toolCalls).toHaveLength(2)
    expect(whole.reasoningText).toBe('Which city?')
    expect(await streamed.finishReason).toBe('tool-calls')
    expect((await streamed.usage).outputTokens).toBe(usage.outputTokens.total)
  })

  it('shows a call that was cut, but does not make it', async () => {
    const cut: Said = { text: paris.slice(0, -30), size: 6, finish: 'length' }
    const result = streamText({ model: wrapped(textModel(cut)), tools, prompt: 'Paris?', stopWhen: stepCountIs(3) })
    const parts = []
    for await (const part of result.fullStream) parts.push(part)
    const types = parts.map(({ type }) => type)
    expect(types).toContain('tool-input-start')
    expect(types).not.toContain('tool-input-end')
    expect(types).not.toContain('tool-call')
    expect(await result.finishReason).toBe('length')
    const { incomplete = [] } = toolCallMetadata(await result.providerMetadata) ?? {}
    expect(incomplete).toMatchObject([{ name: 'get_weather', json: expect.stringMatching(/^\{/) }])
  })

  it('leaves a call that was cut out of what a chat sends next', async () => {
    const model = textModel({ text: paris.slice(0, -30), size: 6, finish: 'length' })
    const stream = streamText({ model: wrapped(model), tools, prompt: 'Paris?' }).toUIMessageStream()
    let shown: UIMessage | undefined
    for await (const message of readUIMessageStream({ stream })) shown = message
    expect(shown?.parts.at(-1)).toMatchObject({ type: 'tool-get_weather', state: 'input-streaming' })
    expect(await convertToModelMessages(shown ? [shown] : [])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }] },
    ])
  })

  it('asks once more for a call that is demanded, before any text goes out', async () => {
    const model = textModel('No.', { text: paris, size: 4 })
    const result = streamText({ model: wrapped(model), tools, toolChoice: 'required', prompt: 'Paris?' })
    expect(await result.toolCalls).toHaveLength(1)
    expect(await result.text).toBe('Let me look.')
    expect((await result.usage).outputTokens).toBe(10)
  })
})
