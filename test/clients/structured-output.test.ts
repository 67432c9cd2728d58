import { createOpenAI } from '@ai-sdk/openai'
import Anthropic, { AnthropicError } from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { generateText, NoObjectGeneratedError, Output, streamText } from 'ai'
import OpenAI from 'openai'
import { LengthFinishReasonError } from 'openai/error'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { coveringTests } from '../support/covering-tests.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { playedModel, type Writing } from './played-model.ts'
import { type Setting, settings } from './settings.ts'
import { openaiTools as tools } from './travel-tools.ts'

const Person = z.object({ name: z.string(), age: z.number().int(), tags: z.array(z.string()) })
const anne = { name: 'Anne', age: 3, tags: ['a', 'b'] }
const json = '{"name": "Anne", "age": 3, "tags": ["a", "b"]}'
const prose = 'Anne is three years old.'

/** Replies that have the value, as models write them. */
const withValue: [how: string, text: string][] = [
  ['bare', json],
  ['pretty', JSON.stringify(anne, undefined, 2)],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['after words', `Sure! Here is the person:\n\n${json}\n\nIs there anything else?`],
  ['with wrong types', '{"name": "Anne", "age": "3", "tags": "[\\"a\\", \\"b\\"]"}'],
  ['in the syntax of Python', "{'name': 'Anne', 'age': 3, 'tags': ['a', 'b'],}"],
  ['without its last bracket', json.slice(0, -1)],
  ['in an object around it', `{"person": ${json}}`],
]

/** Replies that do not have it. */
const withoutValue: [how: string, text: string][] = [
  ['words', prose],
  ['a value that breaks off', '{"name": "Anne", "age": 3, "tags": ["a'],
  ['a value that does not fit', '{"name": "Anne", "age": "three"}'],
]

const base = { model: 'test', messages: [{ role: 'user' as const, content: 'Who is there?' }] }

async function playing(setting: Setting, write: Writing) {
  const played = playedModel(setting, write)
  const gateway = await gatewayForTest({ upstream: played.upstream, ...setting.rule })
  return {
    ...played,
    openai: new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 }),
    ai: createOpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any' }).chat('test'),
  }
}

/** Says one after the other, and the last again. */
function saying(...texts: string[]): Writing {
  return (_, __, index) => texts[Math.min(index, texts.length - 1)] ?? ''
}

const testsOf = coveringTests(settings)

describe.each(settings)('by $name', (setting) => {
  const test = testsOf(setting)
  const response_format = zodResponseFormat(Person, 'person')
  const format = { output_config: { format: zodOutputFormat(Person) } }

  test.each(withValue)('openai: chat.completions.parse of JSON %s', async (_, text) => {
    const { openai, prompts } = await playing(setting, saying(text))
    const completion = await openai.chat.completions.parse({ ...base, response_format })
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { parsed: anne, refusal: null } })
    expect(prompts()).toHaveLength(1)
    expect(prompts()[0]).toContain('"tags"')
  })

  test.each(withValue)('openai: the stream of JSON %s', async (how, text) => {
    const { openai } = await playing(setting, saying(text))
    const pieces: string[] = []
    const completion = await openai.chat.completions
      .stream({ ...base, response_format })
      .on('content', (piece) => pieces.push(piece))
      .finalChatCompletion()
    expect(completion.choices[0]?.message.parsed).toEqual(anne)
    // A fence may hide a call, and an object with other keys may have the value in it: both are held until they end.
    if (how !== 'in a fence' && how !== 'in an object around it') expect(pieces.length).toBeGreaterThan(3)
    expect(JSON.parse(pieces.join(''))).toEqual(anne)
  })

  test.each(withoutValue)('openai: %s is sent back once', async (_, text) => {
    const { openai, prompts } = await playing(setting, saying(text, json))
    const completion = await openai.chat.completions.parse({ ...base, response_format })
    expect(completion.choices[0]?.message.parsed).toEqual(anne)
    expect(prompts()).toHaveLength(2)
  })

  test('openai: words alone are a refusal', async () => {
    const { openai, prompts } = await playing(setting, saying(prose))
    const { choices } = await openai.chat.completions.parse({ ...base, response_format })
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: null, refusal: prose, parsed: null },
    })
    expect(prompts()).toHaveLength(2)
    const streamed = await openai.chat.completions.stream({ ...base, response_format }).finalChatCompletion()
    expect(streamed.choices[0]?.message).toMatchObject({ refusal: prose, parsed: null })
  })

  test('openai: responses.parse has the value, whole and streamed, and else a refusal', async () => {
    const { openai, prompts } = await playing(setting, saying(`Here it is:\n${json}`, json, prose))
    const asked = { model: 'test', input: 'Who is there?', text: { format: zodTextFormat(Person, 'person') } }
    const whole = await openai.responses.parse(asked)
    expect([whole.output_parsed, whole.output_text]).toEqual([anne, JSON.stringify(anne)])
    expect(prompts()[0]).toContain('"tags"')
    const streamed = await openai.responses.stream(asked).finalResponse()
    expect(streamed.output_parsed).toEqual(anne)
    const refused = await openai.responses.parse(asked)
    expect(refused.output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', refusal: prose }] }])
    expect(refused.output_parsed).toBeNull()
  })

  test('openai: a value that breaks off twice has the finish reason of one that was cut', async () => {
    const { openai } = await playing(setting, saying('{"name": "An'))
    await expect(openai.chat.completions.parse({ ...base, response_format })).rejects.toThrow(LengthFinishReasonError)
  })

  test('openai: JSON of any kind', async () => {
    const { openai, prompts } = await playing(setting, saying('Here: {"a": [1]}'))
    const { choices } = await openai.chat.completions.create({ ...base, response_format: { type: 'json_object' } })
    expect(choices[0]?.message.content).toBe('{"a":[1]}')
    expect(prompts()[0]).toContain('JSON object')
  })

  test.each(['whole', 'streamed'])('openai: calls beside a format, and then the value, %s', async (form) => {
    const { openai } = await playing(setting, (calls, _, index) =>
      index === 0 ? `I will look.\n${calls({ name: 'get_weather', input: { city: 'Paris' } })}` : json,
    )
    const strict = tools.map((tool) =>
      tool.type === 'function' ? { ...tool, function: { ...tool.function, strict: true } } : tool,
    )
    const ask = { ...base, tools: strict, response_format }
    const turn = async () =>
      form === 'whole' ? openai.chat.completions.parse(ask) : openai.chat.completions.stream(ask).finalChatCompletion()
    const called = (await turn()).choices[0]
    expect(called).toMatchObject({ finish_reason: 'tool_calls', message: { parsed: null } })
    expect(called?.message.tool_calls?.map(({ function: { name } }) => name)).toEqual(['get_weather'])
    expect((await turn()).choices[0]?.message.parsed).toEqual(anne)
  })

  test.each(withValue)('anthropic: messages.parse of JSON %s', async (_, text) => {
    const { anthropic } = await playing(setting, saying(text))
    const message = await anthropic.messages.parse({ ...base, max_tokens: 100, ...format })
    expect(message.parsed_output).toEqual(anne)
    expect(message.stop_reason).toBe('end_turn')
  })

  test('anthropic: words alone are a refusal', async () => {
    const { anthropic } = await playing(setting, saying(prose))
    const message = await anthropic.messages.create({ ...base, max_tokens: 100, ...format })
    expect(message).toMatchObject({ stop_reason: 'refusal', content: [{ type: 'text', text: prose }] })
    const streamed = await anthropic.messages
      .stream({ ...base, max_tokens: 100, ...format })
      .finalMessage()
      .catch((error: unknown) => error)
    // The helper parses any text.
    expect(streamed).toBeInstanceOf(AnthropicError)
  })

  test('Claude Code: the title of a session', async () => {
    const { anthropic } = await playing(setting, saying('I would call it: {"title": "Fix login"}.'))
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    }
    const message = await anthropic.beta.messages
      .stream({
        ...base,
        max_tokens: 32_000,
        system: [{ type: 'text', text: 'Write a title for this session.' }],
        thinking: { type: 'disabled' },
        output_config: { format: { type: 'json_schema', schema } },
        betas: ['structured-outputs-2025-12-15'],
      })
      .finalMessage()
    expect(message).toMatchObject({
      content: [{ type: 'text', text: '{"title":"Fix login"}' }],
      stop_reason: 'end_turn',
    })
  })

  test('anthropic: the format of the beta', async () => {
    const { anthropic } = await playing(setting, saying(`So:\n${json}`))
    const message = await anthropic.beta.messages.create({
      ...base,
      max_tokens: 100,
      output_format: { type: 'json_schema', schema: z.toJSONSchema(Person) },
      betas: ['structured-outputs-2025-11-13'],
    })
    expect(message.content).toEqual([{ type: 'text', text: JSON.stringify(anne), citations: [] }])
  })

  test.each(withValue)('AI SDK: Output.object of JSON %s', async (_, text) => {
    const { ai: model } = await playing(setting, saying(text))
    const whole = await generateText({ model, prompt: 'Who?', output: Output.object({ schema: Person }) })
    expect(whole.output).toEqual(anne)
    const streamed = streamText({ model, prompt: 'Who?', output: Output.object({ schema: Person }) })
    expect(await streamed.output).toEqual(anne)
  })

  test('AI SDK: Output.array and Output.choice', async () => {
    const { ai: model } = await playing(setting, (_, request) =>
      JSON.stringify(request).includes('elements')
        ? `\`\`\`\n{"elements": [${json}, ${json}]}\n\`\`\``
        : 'I take {"result": "sunny"}.',
    )
    const list = await generateText({ model, prompt: 'Who?', output: Output.array({ element: Person }) })
    expect(list.output).toEqual([anne, anne])
    const choice = await generateText({ model, prompt: 'Sky?', output: Output.choice({ options: ['sunny', 'rainy'] }) })
    expect(choice.output).toBe('sunny')
  })

  test('AI SDK: words alone are no object', async () => {
    const { ai: model } = await playing(setting, saying(prose))
    const asked = generateText({ model, prompt: 'Who?', output: Output.object({ schema: Person }), maxRetries: 0 })
    await expect(asked.then(({ output }) => output)).rejects.toThrow(NoObjectGeneratedError)
  })
})
