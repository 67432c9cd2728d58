// @ts-check
import { citySchema, personSchema, question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = { '@google/genai': '3.3.0', zod: '4.6.7' }

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { GoogleGenAI } = await load('@google/genai')
  const { z } = await load('zod')
  const { Person } = zodShapes(z)
  const clientOf = (/** @type {string} */ baseUrl) => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl } })
  const declarations = toolTexts.map(([name, description]) => ({ name, description, parametersJsonSchema: citySchema }))
  const config = { tools: [{ functionDeclarations: declarations }] }

  /** @type {(send: (chat: any, message: any) => Promise<{ text: string, calls: any[] }>) => import('../checks.mjs').Mode['tools']} */
  const chat =
    (send) =>
    async ({ url, model, runTool }) => {
      const conversation = clientOf(url).chats.create({ model, config })
      let said = await send(conversation, question)
      while (said.calls.length > 0) {
        const results = said.calls.map(({ id, name, args }) => ({
          functionResponse: { id, name, response: { output: runTool(name, args) } },
        }))
        said = await send(conversation, results)
      }
      return { text: said.text }
    }
  /** @type {(more: object) => import('../checks.mjs').Helper['ask']} */
  const ask =
    (more) =>
    async ({ url, model }) => {
      const format = { responseMimeType: 'application/json', ...more }
      const { text } = await clientOf(url).models.generateContent({
        model,
        contents: structuredQuestion,
        config: format,
      })
      return JSON.parse(text)
    }
  const { additionalProperties: _, ...googleSchema } = personSchema
  return [
    {
      protocol: 'Gemini',
      tools: chat(async (conversation, message) => {
        const { text, functionCalls = [] } = await conversation.sendMessage({ message })
        return { text, calls: functionCalls }
      }),
      structured: {
        responseSchema: { ask: ask({ responseSchema: googleSchema }) },
        responseJsonSchema: { ask: ask({ responseJsonSchema: z.toJSONSchema(Person) }) },
        'JSON alone': { isFree: true, ask: ask({}) },
      },
    },
    {
      protocol: 'Gemini, streamed',
      tools: chat(async (conversation, message) => {
        let text = ''
        const calls = []
        for await (const chunk of await conversation.sendMessageStream({ message })) {
          text += chunk.text ?? ''
          calls.push(...(chunk.functionCalls ?? []))
        }
        return { text, calls }
      }),
    },
  ]
}
