// @ts-check
import { citySchema, question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { ollama: '0.6.4', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { Ollama } = await load('ollama')
  const { z } = await load('zod')
  const { Person } = zodShapes(z)
  const clientOf = (/** @type {string} */ host) => new Ollama({ host })
  const tools = toolTexts.map(([name, description]) => ({
    type: 'function',
    function: { name, description, parameters: citySchema },
  }))

  /** @type {(send: (client: any, asked: any) => Promise<any>) => import('../checks.mjs').Mode['tools']} */
  const loop =
    (send) =>
    async ({ url, model, runTool }) => {
      const messages = /** @type {any[]} */ ([{ role: 'user', content: question }])
      for (;;) {
        const message = await send(clientOf(url), { model, messages, tools })
        const calls = message.tool_calls ?? []
        if (calls.length === 0) return { text: message.content }
        messages.push(message)
        for (const { function: called } of calls)
          messages.push({ role: 'tool', tool_name: called.name, content: runTool(called.name, called.arguments) })
      }
    }
  /** @type {(format: unknown) => import('../checks.mjs').Helper['ask']} */
  const ask =
    (format) =>
    async ({ url, model }) => {
      const messages = [{ role: 'user', content: structuredQuestion }]
      const { message } = await clientOf(url).chat({ model, messages, format })
      return JSON.parse(message.content)
    }
  return [
    {
      protocol: 'Ollama',
      tools: loop(async (client, asked) => (await client.chat(asked)).message),
      structured: {
        'format with a schema': { ask: ask(z.toJSONSchema(Person)) },
        'format json': { isFree: true, ask: ask('json') },
        generate: {
          ask: async ({ url, model }) => {
            const asked = { model, prompt: structuredQuestion, format: z.toJSONSchema(Person) }
            return JSON.parse((await clientOf(url).generate(asked)).response)
          },
        },
      },
    },
    {
      protocol: 'Ollama, streamed',
      tools: loop(async (client, asked) => {
        const message = { role: 'assistant', content: '', tool_calls: /** @type {any[]} */ ([]) }
        for await (const part of await client.chat({ ...asked, stream: true })) {
          message.content += part.message.content
          message.tool_calls.push(...(part.message.tool_calls ?? []))
        }
        return message
      }),
    },
  ]
}
