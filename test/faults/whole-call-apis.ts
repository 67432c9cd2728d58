import { expect } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { readGeminiReply, readGeminiStream } from '../support/protocols/gemini-reply.ts'
import { readOllamaReply, readOllamaStream } from '../support/protocols/ollama-reply.ts'
import type { ReadReply } from '../support/protocols/read-reply.ts'
import type { Api, SeenReply } from './api.ts'

/** The APIs whose streams have no pieces of calls. */

/** The parts of a request that are in its path and not in its body. */
const targets = new WeakMap<object, { stream: boolean; model: string }>()

function seen({ text, calls, finish, error }: ReadReply, errorType: string, tokens: Partial<SeenReply>): SeenReply {
  return {
    text,
    calls: calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })),
    finish: finish ?? null,
    ended: finish !== undefined,
    inputTokens: tokens.inputTokens,
    outputTokens: tokens.outputTokens,
    ...(error !== undefined && { error: { type: errorType, message: error } }),
  }
}

function numberIn(text: string, name: string): number | undefined {
  const last = text.lastIndexOf(`"${name}":`)
  return last < 0 ? undefined : Number.parseInt(text.slice(last + name.length + 3), 10)
}

const geminiTokens = (text: string): Partial<SeenReply> => ({
  inputTokens: numberIn(text, 'promptTokenCount'),
  outputTokens: numberIn(text, 'candidatesTokenCount'),
})

export const gemini: Api = {
  name: 'gemini',
  path: '/v1beta/models/test-model:generateContent',
  headers: {},
  pathOf(body) {
    const { stream = false, model = 'test-model' } = (isJsonObject(body) && targets.get(body)) || {}
    return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  },
  request({ prompt = 'Hello', stream = false, tools, choice, stop, model = 'test-model' } = {}) {
    const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' }
    const config: JsonObject =
      typeof choice === 'object'
        ? { mode: 'ANY', allowedFunctionNames: [choice.named] }
        : { mode: modes[choice ?? 'auto'] }
    const body: JsonObject = {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      ...(tools && {
        tools: [{ functionDeclarations: tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) }],
      }),
      ...(choice !== undefined && { toolConfig: { functionCallingConfig: config } }),
      ...(stop && { generationConfig: { stopSequences: stop } }),
    }
    targets.set(body, { stream, model })
    return body
  },
  readWhole: (body) => seen(readGeminiReply([body]), '', geminiTokens(JSON.stringify(body))),
  readStream(text) {
    const status = /"status":"([A-Z_]+)"/.exec(text)?.[1] ?? ''
    return seen(readGeminiStream(text), status, geminiTokens(text))
  },
  readFailure(body, type, status) {
    expect(body).toEqual({
      error: { code: status, message: expect.any(String), status: type, details: expect.any(Array) },
    })
    return isJsonObject(body.error) ? body.error : {}
  },
  takesStops: true,
  endings: { calls: 'STOP', stop: 'STOP', length: 'MAX_TOKENS', 'stop-sequence': 'STOP' },
  failures: {
    invalid: [400, 'INVALID_ARGUMENT'],
    unauthenticated: [401, 'UNAUTHENTICATED'],
    forbidden: [403, 'PERMISSION_DENIED'],
    'not-found': [404, 'NOT_FOUND'],
    'wrong-method': [405, 'UNIMPLEMENTED'],
    'too-large': [413, 'INVALID_ARGUMENT'],
    'rate-limit': [429, 'RESOURCE_EXHAUSTED'],
    overloaded: [503, 'UNAVAILABLE'],
    unavailable: [503, 'UNAVAILABLE'],
    timeout: [504, 'DEADLINE_EXCEEDED'],
    upstream: [502, 'UNAVAILABLE'],
  },
}

const ollamaTokens = (text: string): Partial<SeenReply> => ({
  inputTokens: numberIn(text, 'prompt_eval_count'),
  outputTokens: numberIn(text, 'eval_count'),
})

export const ollama: Api = {
  name: 'ollama',
  path: '/api/chat',
  headers: {},
  request({ prompt = 'Hello', stream = false, tools, choice, stop, model = 'test-model' } = {}) {
    return {
      model,
      messages: [{ role: 'user', content: prompt }],
      stream,
      ...(tools && {
        tools: tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
      }),
      // Not of the API, but of clients that were made for Chat Completions.
      ...(choice !== undefined && {
        tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.named } } : choice,
      }),
      ...(stop && { options: { stop } }),
    }
  },
  readWhole: (body: JsonValue) => seen(readOllamaReply([body]), '', ollamaTokens(JSON.stringify(body))),
  readStream: (text) => seen(readOllamaStream(text), '', ollamaTokens(text)),
  readFailure(body) {
    expect(body).toEqual({ error: expect.any(String) })
    return { message: body.error }
  },
  takesStops: true,
  endings: { calls: 'stop', stop: 'stop', length: 'length', 'stop-sequence': 'stop' },
  failures: {
    invalid: [400, ''],
    unauthenticated: [401, ''],
    forbidden: [403, ''],
    'not-found': [404, ''],
    'wrong-method': [405, ''],
    'too-large': [413, ''],
    'rate-limit': [429, ''],
    overloaded: [503, ''],
    unavailable: [503, ''],
    timeout: [504, ''],
    upstream: [502, ''],
  },
}
