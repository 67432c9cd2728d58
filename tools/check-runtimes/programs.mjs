// @ts-check
// The programs that every runtime runs, from the packed package. They use Web standards only.
import { collectReply, createReader, normalizeTools, parseToolCalls } from 'anycall'
import { toolCallMiddleware } from 'anycall/ai-sdk'
import { createGateway } from 'anycall/gateway'
import { analyzeTemplate, loadTemplate, renderTemplate, templateDialect } from 'anycall/templates'
import { demand, gatewayChecks } from './gateway-client.mjs'

const pieces = ['Let me look. <TOOL_', 'CALL>{"name": "get_weather", "inp', 'ut": {"city": "Par', 'is"}}</TOOL_CALL>']
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = normalizeTools([{ name: 'get_weather', description: 'The weather in a city', schema }])

/** @param {unknown} value @param {unknown} expected */
const same = (value, expected) =>
  demand(
    JSON.stringify(value) === JSON.stringify(expected),
    `${JSON.stringify(value)} is not ${JSON.stringify(expected)}`,
  )

/** @type {Record<string, () => Promise<void>>} */
export const libraryPrograms = {
  'library, whole': async () => {
    const { calls, text } = parseToolCalls(pieces.join(''), { tools })
    same(
      [calls.map(({ name, json }) => [name, json]), text.trim()],
      [[['get_weather', '{"city":"Paris"}']], 'Let me look.'],
    )
  },
  'library, streamed': async () => {
    let next = 0
    const source = new ReadableStream({
      pull: (controller) => (next < pieces.length ? controller.enqueue(pieces[next++]) : controller.close()),
    })
    const reader = createReader({ tools, dialect: 'tool-call-json' })
    const { parts, finish } = await collectReply(source.pipeThrough(reader.stream()))
    const [, call] = parts
    same([call?.type === 'call' && call.arguments, finish.reason], ['{"city":"Paris"}', 'calls'])
  },
  templates: async () => {
    const template = loadTemplate(
      '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ {"name": c.function.name, "arguments": c.function.arguments} | tojson }}</tool_call>{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
    )
    const rendered = renderTemplate(template, {
      messages: [{ role: 'user', content: 'Hi' }],
      add_generation_prompt: true,
    })
    same(rendered.text, '<|user|>Hi<|end|><|assistant|>')
    const dialect = templateDialect(analyzeTemplate(template))
    const { calls } = parseToolCalls('<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', {
      tools,
      dialect,
    })
    same(
      calls.map(({ json }) => json),
      ['{"city":"Paris"}'],
    )
  },
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finishReason = { unified: 'stop', raw: 'stop' }

/** A model that only writes text, as a provider for the AI SDK: first nothing but text, then a call, then its answer. @param {string} specificationVersion */
function textModel(specificationVersion) {
  const replies = [['I would rather talk.'], pieces, ['It is sunny in Paris.']]
  const say = () => replies.shift() ?? []
  return {
    specificationVersion,
    provider: 'check',
    modelId: 'text-model',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text: say().join('') }], finishReason, usage, warnings: [] }),
    doStream: async () => {
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        ...say().map((delta) => ({ type: 'text-delta', id: '0', delta })),
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage },
      ]
      return {
        stream: new ReadableStream({
          pull: (controller) => (parts.length > 0 ? controller.enqueue(parts.shift()) : controller.close()),
        }),
      }
    },
  }
}

/**
 * generateText and streamText over several steps, the first of which demands a call that the model has to be asked for twice.
 * @param {any} ai the package `ai` of some version @param {string} version its specification of models
 */
export async function aiSdkProgram(ai, version) {
  const settings = () => ({
    model: ai.wrapLanguageModel({
      model: textModel(version),
      middleware: toolCallMiddleware({ dialect: 'tool-call-json' }),
    }),
    tools: {
      get_weather: ai.tool({
        description: 'The weather in a city',
        inputSchema: ai.jsonSchema(schema),
        execute: async (/** @type {any} */ { city }) => `sunny in ${city}`,
      }),
    },
    prompt: 'What is the weather in Paris?',
    prepareStep: (/** @type {any} */ { stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'auto' }),
    stopWhen: ai.stepCountIs(5),
  })
  const whole = await ai.generateText(settings())
  same(
    [whole.text, whole.steps.length, whole.steps[0].toolResults[0].output],
    ['It is sunny in Paris.', 2, 'sunny in Paris'],
  )
  const streamed = ai.streamText(settings())
  let json = ''
  for await (const part of streamed.fullStream) {
    if (part.type === 'tool-input-delta') json += part.delta ?? part.inputTextDelta
    if (part.type === 'error') throw part.error
  }
  same([json, await streamed.text, (await streamed.steps).length], ['{"city":"Paris"}', 'It is sunny in Paris.', 2])
}

/** A gateway in the program, with the HTTP upstream at `upstream`. @param {string} upstream @param {typeof createGateway} [create] */
export function makeGateway(upstream, create = createGateway) {
  return create({
    upstreams: {
      local: { type: 'openai-chat', url: `${upstream}/v1`, retries: 0 },
      gone: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1', retries: 0 },
    },
    models: [
      { match: 'gone', upstream: 'gone' },
      { match: '*', upstream: 'local', plan: 'prompted', dialect: 'tool-call-json' },
    ],
  })
}

/** The checks of a gateway's client, on `gateway.fetch` itself. @param {string} upstream @returns {Record<string, () => Promise<void>>} */
export function gatewayPrograms(upstream) {
  const gateway = makeGateway(upstream)
  const ask = (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) =>
    gateway.fetch(new Request(`http://gateway${path}`, init))
  const checks = gatewayChecks(ask, upstream)
  /** @param {string} model */
  const errorOf = async (model) => {
    const response = await ask('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    const body = await response.json()
    return `${response.status} ${body.error?.message ?? JSON.stringify(body)}`
  }
  return {
    ...Object.fromEntries(Object.entries(checks).map(([name, check]) => [`gateway.fetch, ${name}`, check])),
    'errors say what is wrong': async () => {
      const gone = await errorOf('gone')
      demand(/^50[234] .*"gone".*127\.0\.0\.1:9/.test(gone), gone)
      let thrown = ''
      try {
        createGateway({ upstreams: { file: { type: 'gguf', file: 'model.gguf' } } })
      } catch (error) {
        thrown = String(error)
      }
      demand(/"file" is of type gguf.*anycall\/node/.test(thrown), thrown)
    },
  }
}
