// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

export const packages = {
  langchain: '1.5.14',
  '@langchain/core': '1.4.0',
  '@langchain/openai': '1.6.0',
  '@langchain/anthropic': '1.5.11',
  '@langchain/google-genai': '2.3.2',
  '@langchain/ollama': '1.3.0',
  zod: '4.6.7',
}

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { createAgent, providerStrategy, tool, toolStrategy } = await load('langchain')
  const { ChatOpenAI } = await load('@langchain/openai')
  const { ChatAnthropic } = await load('@langchain/anthropic')
  const { ChatGoogleGenerativeAI } = await load('@langchain/google-genai')
  const { ChatOllama } = await load('@langchain/ollama')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)
  const none = { maxRetries: 0 }

  /** @type {(modelOf: (options: any) => any, isStreamed?: boolean) => import('../checks.mjs').Mode['tools']} */
  const agent = (modelOf, isStreamed) => async (options) => {
    const tools = toolTexts.map(([name, description]) =>
      tool((/** @type {any} */ input) => options.runTool(name, input), { name, description, schema: City }),
    )
    const made = createAgent({ model: modelOf(options), tools })
    const input = { messages: [{ role: 'user', content: question }] }
    if (!isStreamed) return { text: (await made.invoke(input)).messages.at(-1).text }
    /** @type {Map<string, string>} */
    const texts = new Map()
    for await (const [message] of await made.stream(input, { streamMode: 'messages' }))
      if (message.type === 'ai') texts.set(message.id, `${texts.get(message.id) ?? ''}${message.text}`)
    return { text: [...texts.values()].at(-1) ?? '' }
  }
  /** @type {(modelOf: (options: any) => any, strategy: any, tool?: string) => import('../checks.mjs').Helper} */
  const agentFormat = (modelOf, strategy, name) => ({
    ...(name !== undefined && { tool: name }),
    ask: async (options) => {
      const made = createAgent({ model: modelOf(options), tools: [], responseFormat: strategy })
      const state = await made.invoke(
        { messages: [{ role: 'user', content: structuredQuestion }] },
        { recursionLimit: 6 },
      )
      return state.structuredResponse
    },
  })
  /** @type {(modelOf: (options: any) => any, method: string) => import('../checks.mjs').Helper} */
  const helper = (modelOf, method) => ({
    ...(method === 'functionCalling' && { tool: 'person' }),
    ...(method === 'jsonMode' && { isFree: /** @type {const} */ (true) }),
    ask: async (options) =>
      modelOf(options).withStructuredOutput(Person, { name: 'person', method }).invoke(structuredQuestion),
  })
  /** @type {(protocol: string, modelOf: (options: any) => any, methods: readonly string[], more?: Partial<import('../checks.mjs').Helper>) => import('../checks.mjs').Mode} */
  const mode = (protocol, modelOf, methods, more) => ({
    protocol,
    tools: agent(modelOf),
    structured: {
      ...Object.fromEntries(methods.map((method) => [method, { ...helper(modelOf, method), ...more }])),
    },
  })
  const openai =
    (/** @type {object} */ more) =>
    (/** @type {any} */ { url, model }) =>
      new ChatOpenAI({ model, apiKey: 'any', configuration: { baseURL: `${url}/v1` }, ...none, ...more })
  const anthropic = (/** @type {any} */ { url, model }) =>
    new ChatAnthropic({ model, apiKey: 'any', anthropicApiUrl: url, ...none })
  const google = (/** @type {any} */ { url, model }) =>
    new ChatGoogleGenerativeAI({ model, apiKey: 'any', baseUrl: url, ...none })
  const ollama = (/** @type {any} */ { url, model }) => new ChatOllama({ model, baseUrl: url, ...none })

  const chat = mode('Chat', openai({ useResponsesApi: false }), ['jsonSchema', 'functionCalling', 'jsonMode'])
  const responses = mode('Responses', openai({ useResponsesApi: true }), ['jsonSchema', 'functionCalling', 'jsonMode'])
  return [
    {
      ...chat,
      structured: {
        ...chat.structured,
        'agent, provider strategy': agentFormat(openai({}), providerStrategy(Person)),
      },
    },
    { protocol: 'Chat, streamed', tools: agent(openai({}), true) },
    responses,
    { protocol: 'Responses, streamed', tools: agent(openai({ useResponsesApi: true }), true) },
    mode('Messages', anthropic, ['jsonSchema', 'functionCalling']),
    mode('Gemini', google, ['jsonSchema', 'functionCalling']),
    // It streams whatever it is asked, and has no way to demand a call.
    mode('Ollama', ollama, ['jsonSchema', 'functionCalling', 'jsonMode'], { isStreamed: true, mayAnswer: true }),
    {
      protocol: 'agent, tool strategy',
      structured: {
        responseFormat: agentFormat(
          openai({}),
          toolStrategy(z.object({ ...Person.shape }).meta({ title: 'person' })),
          'person',
        ),
      },
    },
  ]
}
