// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { '@openai/agents': '0.20.0', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { Agent, OpenAIProvider, Runner, tool } = await load('@openai/agents')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)

  /** @type {(useResponses: boolean, stream: boolean) => (options: any, agent: any, input: string) => Promise<any>} */
  const running =
    (useResponses, stream) =>
    async ({ url }, agent, input) => {
      const modelProvider = new OpenAIProvider({ apiKey: 'any', baseURL: `${url}/v1`, useResponses })
      const result = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, input, { stream })
      if (stream) await result.completed
      return result
    }
  /** @type {(protocol: string, run: ReturnType<typeof running>, isStreamed?: true) => import('../checks.mjs').Mode} */
  const mode = (protocol, run, isStreamed) => ({
    protocol,
    tools: async (options) => {
      const { model, runTool } = options
      const tools = toolTexts.map(([name, description]) =>
        tool({
          name,
          description,
          parameters: City,
          execute: async (/** @type {any} */ input) => runTool(name, input),
        }),
      )
      const agent = new Agent({ name: 'Traveller', instructions: 'Be brief.', model, tools })
      return { text: (await run(options, agent, question)).finalOutput }
    },
    structured: {
      outputType: {
        ...(isStreamed && { isStreamed }),
        ask: async (options) => {
          const agent = new Agent({ name: 'Reader', model: options.model, outputType: Person })
          return (await run(options, agent, structuredQuestion)).finalOutput
        },
      },
    },
    more: {
      'hand-off': async (options) => {
        const { model } = options
        const expert = new Agent({ name: 'Expert', instructions: 'You know the harbour.', model })
        const desk = new Agent({ name: 'Desk', instructions: 'Hand it off.', model, handoffs: [expert] })
        options.play(({ prompt }) =>
          prompt.includes('You know the harbour.')
            ? { text: 'High tide.' }
            : { calls: [{ name: 'transfer_to_Expert', input: {} }] },
        )
        const { finalOutput, lastAgent } = await run(options, desk, 'How is the tide?')
        if (finalOutput !== 'High tide.' || lastAgent.name !== 'Expert')
          throw new Error(`${lastAgent.name} says ${finalOutput}`)
      },
    },
  })
  return [
    mode('Chat', running(false, false)),
    mode('Chat, streamed', running(false, true), true),
    mode('Responses', running(true, false)),
    mode('Responses, streamed', running(true, true), true),
  ]
}
