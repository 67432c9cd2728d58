// The AI SDK over a model that only writes text: several steps, a repaired call, an object, a demanded call and an abort.
import { generateText, Output, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { toolCallMiddleware } from '../../src/ai-sdk.ts'
import { type Said, textModel } from '../support/ai-sdk/model.ts'

const call = (input: object) => `<tool_call>${JSON.stringify({ name: 'get_weather', arguments: input })}</tool_call>`
const prompt = 'Weather in Paris?'
const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  }),
}

function model(...replies: (string | Said)[]) {
  return wrapLanguageModel({ model: textModel(...replies), middleware: toolCallMiddleware({ dialect: 'hermes' }) })
}

test('several steps: the tool runs, and the answer comes from its result', async () => {
  const { text, steps } = await generateText({
    model: model(call({ city: 'Paris' }), 'It is sunny.'),
    tools,
    prompt,
    stopWhen: stepCountIs(3),
  })
  expect(text).toBe('It is sunny.')
  expect(steps.map(({ toolResults }) => toolResults.map(({ output }) => output))).toEqual([['sunny in Paris'], []])
})

test('a call that the schema refuses goes to the repair of the program', async () => {
  const asked: string[] = []
  const { toolCalls } = await generateText({
    model: model(call({ town: 'Paris' })),
    tools,
    prompt,
    experimental_repairToolCall: async ({ toolCall }) => {
      asked.push(toolCall.input)
      return { ...toolCall, input: JSON.stringify({ city: JSON.parse(toolCall.input).town }) }
    },
  })
  expect(asked.map((input) => JSON.parse(input))).toEqual([{ town: 'Paris' }])
  expect(toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Paris' } }])
})

test('an object of a schema', async () => {
  const { output } = await generateText({
    model: model('{"city": "Paris", "degrees": 18}'),
    output: Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) }),
    prompt,
  })
  expect(output).toEqual({ city: 'Paris', degrees: 18 })
})

test('a demanded call: a model that writes none is asked once more', async () => {
  const { toolCalls } = await generateText({
    model: model('I would rather not.', call({ city: 'Paris' })),
    tools,
    prompt,
    toolChoice: 'required',
  })
  expect(toolCalls).toMatchObject([{ toolName: 'get_weather', input: { city: 'Paris' } }])
})

test('a stream gives the input as it is written, and ends at an abort', async () => {
  const abort = new AbortController()
  const { fullStream } = streamText({
    model: model({ text: call({ city: 'Paris' }), size: 5 }),
    tools,
    prompt,
    abortSignal: abort.signal,
  })
  const types: string[] = []
  for await (const { type } of fullStream) {
    types.push(type)
    if (type === 'tool-input-delta') abort.abort()
  }
  expect(types).toContain('tool-input-start')
  expect(types.at(-1)).toBe('abort')
  expect(types).not.toContain('finish')
})
