// An agent's loop over a model that only writes text, and a history in OpenAI's form: nothing but the library.
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { parseToolCalls, validateCall, writePrompt } from '../../src/index.ts'
import { fromOpenAI, toOpenAIMessage } from '../../src/messages.ts'

const city = z.object({ city: z.string() })
const tools: ChatCompletionTool[] = [
  { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters: z.toJSONSchema(city) } },
]

/** A model that calls first, and answers from the result. */
async function model(prompt: string): Promise<string> {
  return prompt.includes('sunny')
    ? 'It is sunny in Paris.'
    : '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
}

test('the loop ends with an answer, and the history is what the API takes', async () => {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Weather in Paris?' }]
  let calls = 0
  for (let step = 0; step < 5; step++) {
    const conversation = fromOpenAI({ messages, tools })
    const prompt = writePrompt(conversation, { dialect: 'hermes' })
    const reply = parseToolCalls(await model(JSON.stringify(prompt)), { tools: conversation.tools, dialect: 'hermes' })
    messages.push(toOpenAIMessage(reply))
    if (reply.calls.length === 0) break
    for (const call of reply.calls) {
      const verdict = validateCall(call, conversation.tools)
      if (verdict.type === 'invalid') throw new Error(verdict.faults.map(({ message }) => message).join())
      calls++
      messages.push({ role: 'tool', tool_call_id: call.id, content: `sunny in ${city.parse(verdict.arguments).city}` })
    }
  }
  expect(calls).toBe(1)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(messages.at(-1)).toMatchObject({ content: 'It is sunny in Paris.' })
})
