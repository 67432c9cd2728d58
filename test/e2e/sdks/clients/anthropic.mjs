// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { '@anthropic-ai/sdk': '1.13.0', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { default: Anthropic } = await load('@anthropic-ai/sdk')
  const { betaZodTool } = await load('@anthropic-ai/sdk/helpers/beta/zod')
  const { zodOutputFormat } = await load('@anthropic-ai/sdk/helpers/zod')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)
  const clientOf = (/** @type {string} */ url) => new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
  const textOf = (/** @type {any} */ { content }) => content.map((/** @type {any} */ { text = '' }) => text).join('')

  /** @type {(stream: boolean) => import('../checks.mjs').Mode['tools']} */
  const runner =
    (stream) =>
    async ({ url, model, runTool }) => {
      const tools = toolTexts.map(([name, description]) =>
        betaZodTool({
          name,
          description,
          inputSchema: City,
          run: (/** @type {any} */ input) => runTool(name, input),
        }),
      )
      const asked = { model, max_tokens: 1000, messages: [{ role: 'user', content: question }], tools, stream }
      return { text: textOf(await clientOf(url).beta.messages.toolRunner(asked).runUntilDone()) }
    }
  const asked = (/** @type {string} */ model) => ({
    model,
    max_tokens: 1000,
    messages: [{ role: 'user', content: structuredQuestion }],
    output_config: { format: zodOutputFormat(Person) },
  })
  return [
    {
      protocol: 'Messages',
      tools: runner(false),
      structured: {
        parse: { ask: async ({ url, model }) => (await clientOf(url).messages.parse(asked(model))).parsed_output },
      },
    },
    {
      protocol: 'Messages, streamed',
      tools: runner(true),
      structured: {
        'stream with a format': {
          isStreamed: true,
          ask: async ({ url, model }) =>
            (await clientOf(url).messages.stream(asked(model)).finalMessage()).parsed_output,
        },
      },
    },
  ]
}
