// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { '@mastra/core': '1.71.0', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { Agent } = await load('@mastra/core/agent')
  const { createTool } = await load('@mastra/core/tools')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)
  /** @type {(options: any, tools?: any) => any} */
  const agentOf = ({ url, model }, tools = {}) =>
    new Agent({
      id: 'traveller',
      name: 'Traveller',
      instructions: 'Be brief.',
      model: { id: `anycall/${model}`, url: `${url}/v1`, apiKey: 'any' },
      tools,
    })
  const toolsOf = (/** @type {any} */ { runTool }) =>
    Object.fromEntries(
      toolTexts.map(([id, description]) => [
        id,
        createTool({
          id,
          description,
          inputSchema: City,
          execute: async (/** @type {any} */ input) => runTool(id, input),
        }),
      ]),
    )
  return [
    {
      protocol: 'Chat',
      tools: async (options) => {
        const { text } = await agentOf(options, toolsOf(options)).generate(question, { maxSteps: 5 })
        return { text }
      },
      structured: {
        structuredOutput: {
          ask: async (options) => {
            const asked = { structuredOutput: { schema: Person }, modelSettings: { maxRetries: 0 } }
            return (await agentOf(options).generate(structuredQuestion, asked)).object
          },
        },
      },
    },
    {
      protocol: 'Chat, streamed',
      tools: async (options) => {
        const stream = await agentOf(options, toolsOf(options)).stream(question, { maxSteps: 5 })
        return { text: await stream.text }
      },
    },
  ]
}
