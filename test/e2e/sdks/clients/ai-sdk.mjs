// @ts-check
import { question, structuredQuestion, toolTexts, zodShapes } from './travel.mjs'

/** Two majors are in use. */
export const packages = {
  6: {
    ai: '6.0.326',
    '@ai-sdk/openai': '3.0.141',
    '@ai-sdk/anthropic': '3.0.140',
    '@ai-sdk/google': '3.0.141',
    '@ai-sdk/openai-compatible': '2.0.92',
    zod: '4.6.7',
  },
  7: {
    ai: '7.0.173',
    '@ai-sdk/openai': '4.0.118',
    '@ai-sdk/anthropic': '4.0.105',
    '@ai-sdk/google': '4.0.121',
    '@ai-sdk/openai-compatible': '3.0.92',
    zod: '4.6.7',
  },
}

/** @type {import('../sdks.mjs').Sdk['modes']} */
export async function modes(load) {
  const { generateText, Output, stepCountIs, isStepCount = stepCountIs, streamText, tool } = await load('ai')
  const { createOpenAI } = await load('@ai-sdk/openai')
  const { createAnthropic } = await load('@ai-sdk/anthropic')
  const { createGoogleGenerativeAI, createGoogle = createGoogleGenerativeAI } = await load('@ai-sdk/google')
  const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible')
  const { z } = await load('zod')
  const { City, Person } = zodShapes(z)
  const forms = [
    { form: 'whole', generate: generateText },
    { form: 'streamed', generate: streamText },
  ]

  /** @type {(generate: any, modelOf: (options: any) => any, more: any) => import('../checks.mjs').Mode['tools']} */
  const loop =
    (generate, modelOf, { thinks, providerOptions }) =>
    async (options) => {
      const tools = Object.fromEntries(
        toolTexts.map(([name, description]) => [
          name,
          tool({
            description,
            inputSchema: City,
            execute: async (/** @type {any} */ input) => options.runTool(name, input),
          }),
        ]),
      )
      const limit = isStepCount(5)
      const asked = {
        model: modelOf(options),
        prompt: question,
        tools,
        stopWhen: limit,
        providerOptions,
        maxRetries: 0,
      }
      const result = await generate({ ...asked, onError: () => {} })
      const steps = await result.steps
      const text = await result.text
      return thinks
        ? { text, reasoning: steps.map((/** @type {any} */ step) => step.reasoningText ?? '').join('') }
        : { text }
    }
  /** @type {(generate: any, modelOf: (options: any) => any, output: () => any, more: Partial<import('../checks.mjs').Helper>) => import('../checks.mjs').Helper} */
  const helper = (generate, modelOf, output, more) => ({
    ...more,
    ask: async (options) => {
      const asked = { model: modelOf(options), prompt: structuredQuestion, output: output(), maxRetries: 0 }
      return (await generate({ ...asked, onError: () => {} })).output
    },
  })
  /** @type {(generate: any, modelOf: (options: any) => any, more: { tool?: string | undefined, isStreamed: boolean }) => Record<string, import('../checks.mjs').Helper>} */
  const helpers = (generate, modelOf, { tool, isStreamed }) => {
    /** @type {Partial<import('../checks.mjs').Helper>} */
    const more = { ...(tool !== undefined && { tool }), ...(isStreamed && { isStreamed }) }
    return {
      'Output.object': helper(generate, modelOf, () => Output.object({ schema: Person }), more),
      'Output.array': helper(generate, modelOf, () => Output.array({ element: Person }), {
        ...more,
        wants: 'persons',
        within: 'elements',
      }),
      'Output.choice': helper(generate, modelOf, () => Output.choice({ options: ['sunny', 'rainy'] }), {
        ...more,
        wants: 'weather',
        within: 'result',
      }),
    }
  }

  const providers = [
    {
      protocol: 'Responses',
      modelOf: (/** @type {any} */ { url, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' })(model),
    },
    {
      protocol: 'Chat',
      modelOf: (/** @type {any} */ { url, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat(model),
    },
    {
      protocol: 'Chat, openai-compatible',
      thinks: true,
      modelOf: (/** @type {any} */ { url, model }) =>
        createOpenAICompatible({ name: 'any', baseURL: `${url}/v1`, supportsStructuredOutputs: true })(model),
    },
    {
      protocol: 'Messages',
      thinks: true,
      tool: 'json',
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
      modelOf: (/** @type {any} */ { url, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })(model),
    },
    {
      protocol: 'Gemini',
      thinks: true,
      providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
      modelOf: (/** @type {any} */ { url, model }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: 'any' })(model),
    },
  ]
  return providers.flatMap(({ protocol, modelOf, tool, ...more }) =>
    forms.map(({ form, generate }) => ({
      protocol: `${protocol}, ${form}`,
      tools: loop(generate, modelOf, more),
      structured: helpers(generate, modelOf, { tool, isStreamed: form === 'streamed' }),
    })),
  )
}
