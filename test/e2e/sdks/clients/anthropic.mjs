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

  /** @type {(runTool: (name: string, input: any) => string) => any[]} */
  const toolsOf = (runTool) =>
    toolTexts.map(([name, description]) =>
      betaZodTool({ name, description, inputSchema: City, run: (/** @type {any} */ input) => runTool(name, input) }),
    )
  /** @type {(stream: boolean) => import('../checks.mjs').Mode['tools']} */
  const runner =
    (stream) =>
    async ({ url, model, runTool }) => {
      const tools = toolsOf(runTool)
      const asked = { model, max_tokens: 1000, messages: [{ role: 'user', content: question }], tools, stream }
      return { text: textOf(await clientOf(url).beta.messages.toolRunner(asked).runUntilDone()) }
    }
  /**
   * Adds the second tool after the model's first reply; the model calls it then.
   * @param {import('../checks.mjs').Options} options
   */
  const addTools = async ({ url, model, play }) => {
    play(({ prompt }) => {
      if (prompt.includes('Rome: 14:05')) return { text: 'It is 14:05.' }
      return { calls: [{ name: prompt.includes('Rome: clear') ? 'get_time' : 'get_weather', input: { city: 'Rome' } }] }
    })
    const [weather, time] = toolsOf((name, { city }) => `${city}: ${name === 'get_time' ? '14:05' : 'clear'}`)
    const messages = [{ role: 'user', content: question }]
    const asked = { model, max_tokens: 1000, messages, tools: [weather], betas: ['inline-tools-2026-09-15'] }
    const running = clientOf(url).beta.messages.toolRunner(asked)
    let replies = 0
    let answer = ''
    for await (const message of running) {
      if (replies++ === 0) running.addTools(time)
      answer = textOf(message)
    }
    if (answer !== 'It is 14:05.') throw new Error(`the answer is ${JSON.stringify(answer)}`)
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
      more: { addTools },
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
