// @ts-check
import { citySchema, question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { openai: '7.57.0', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { default: OpenAI } = await load('openai')
  const { zodResponseFormat, zodTextFormat } = await load('openai/helpers/zod')
  const { z } = await load('zod')
  const { Person } = zodShapes(z)
  const clientOf = (/** @type {string} */ url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const messages = [{ role: 'user', content: structuredQuestion }]

  /** @type {(stream: boolean) => import('../checks.mjs').Mode['tools']} */
  const runTools =
    (stream) =>
    async ({ url, model, runTool }) => {
      const tools = toolTexts.map(([name, description]) => ({
        type: 'function',
        function: {
          name,
          description,
          parameters: citySchema,
          parse: JSON.parse,
          function: (/** @type {any} */ input) => runTool(name, input),
        },
      }))
      const asked = { model, messages: [{ role: 'user', content: question }], tools, stream }
      return { text: await clientOf(url).chat.completions.runTools(asked).finalContent() }
    }
  const chat = (/** @type {any} */ { url, model }) => ({
    completions: clientOf(url).chat.completions,
    asked: { model, messages, response_format: zodResponseFormat(Person, 'person') },
  })
  const responses = (/** @type {any} */ { url, model }) => ({
    responses: clientOf(url).responses,
    asked: { model, input: structuredQuestion, text: { format: zodTextFormat(Person, 'person') } },
  })

  return [
    {
      protocol: 'Chat',
      tools: runTools(false),
      structured: {
        parse: {
          ask: async (options) => {
            const { completions, asked } = chat(options)
            return (await completions.parse(asked)).choices[0].message.parsed
          },
        },
        'stream with a format': {
          isStreamed: true,
          ask: async (options) => {
            const { completions, asked } = chat(options)
            return (await completions.stream(asked).finalChatCompletion()).choices[0].message.parsed
          },
        },
        json_object: {
          isFree: true,
          ask: async (options) => {
            const { completions, asked } = chat(options)
            const format = { type: 'json_object' }
            const { choices } = await completions.create({ ...asked, response_format: format })
            return JSON.parse(choices[0].message.content)
          },
        },
      },
    },
    { protocol: 'Chat, streamed', tools: runTools(true) },
    {
      protocol: 'Responses',
      tools: async ({ url, model, runTool }) => {
        const tools = toolTexts.map(([name, description]) => ({
          type: 'function',
          name,
          description,
          parameters: citySchema,
          strict: false,
        }))
        let input = /** @type {any[]} */ ([{ role: 'user', content: question }])
        for (;;) {
          const { output, output_text } = await clientOf(url).responses.create({ model, input, tools })
          const calls = output.filter((/** @type {any} */ item) => item.type === 'function_call')
          if (calls.length === 0) return { text: output_text }
          const results = calls.map((/** @type {any} */ { call_id, name, arguments: json }) => ({
            type: 'function_call_output',
            call_id,
            output: runTool(name, JSON.parse(json)),
          }))
          input = [...input, ...output, ...results]
        }
      },
      structured: {
        parse: {
          ask: async (options) => {
            const { responses: api, asked } = responses(options)
            return (await api.parse(asked)).output_parsed
          },
        },
        'stream with a format': {
          isStreamed: true,
          ask: async (options) => {
            const { responses: api, asked } = responses(options)
            return (await api.stream(asked).finalResponse()).output_parsed
          },
        },
      },
    },
  ]
}
