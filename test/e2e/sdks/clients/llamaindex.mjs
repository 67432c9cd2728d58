// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = {
  llamaindex: '0.12.1',
  '@llamaindex/openai': '0.4.22',
  '@llamaindex/workflow': '1.1.24',
  zod: '4.6.7',
}

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { tool } = await load('llamaindex')
  const { openai } = await load('@llamaindex/openai')
  const { agent } = await load('@llamaindex/workflow')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)
  const modelOf = (/** @type {any} */ { url, model }) =>
    openai({ model, apiKey: 'any', baseURL: `${url}/v1`, maxRetries: 0 })
  return [
    {
      protocol: 'Chat',
      tools: async (options) => {
        const tools = toolTexts.map(([name, description]) =>
          tool({
            name,
            description,
            parameters: City,
            execute: (/** @type {any} */ input) => options.runTool(name, input),
          }),
        )
        const { data } = await agent({ llm: modelOf(options), tools }).run(question)
        return { text: data.result }
      },
      structured: {
        responseFormat: {
          ask: async (options) => {
            const messages = [{ role: 'user', content: structuredQuestion }]
            const { message } = await modelOf(options).chat({ messages, responseFormat: Person })
            return JSON.parse(message.content)
          },
        },
      },
    },
  ]
}
