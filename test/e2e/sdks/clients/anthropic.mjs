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
  /** The request by which Claude Code has a title made for a session. @type {import('../checks.mjs').Helper['ask']} */
  const askTitle = async ({ url, model }) => {
    const properties = { title: { type: 'string' } }
    const schema = { type: 'object', properties, required: ['title'], additionalProperties: false }
    const message = await clientOf(url)
      .beta.messages.stream({
        model,
        max_tokens: 32_000,
        messages: [{ role: 'user', content: 'The login fails on Safari.' }],
        system: [{ type: 'text', text: 'Write a title for this session.' }],
        thinking: { type: 'disabled' },
        output_config: { format: { type: 'json_schema', schema } },
        betas: ['structured-outputs-2025-12-15'],
      })
      .finalMessage()
    return JSON.parse(textOf(message)).title
  }
  return [
    {
      protocol: 'Messages',
      tools: runner(false),
      structured: {
        parse: { ask: async ({ url, model }) => (await clientOf(url).messages.parse(asked(model))).parsed_output },
        'format of the beta': {
          ask: async ({ url, model }) => {
            const { output_config, ...others } = asked(model)
            const { type, schema } = output_config.format
            const betas = ['structured-outputs-2025-11-13']
            const format = { output_format: { type, schema }, betas }
            return JSON.parse(textOf(await clientOf(url).beta.messages.create({ ...others, ...format })))
          },
        },
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
        'title of Claude Code': { isStreamed: true, wants: 'title', within: 'title', ask: askTitle },
      },
    },
  ]
}
