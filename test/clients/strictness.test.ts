import Anthropic, { APIError as AnthropicAPIError } from '@anthropic-ai/sdk'
import OpenAI, { APIError as OpenAIAPIError } from 'openai'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { JsonValue } from '../../src/conversation/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { type RunningGateway, startGateway } from '../support/gateway-fixture.ts'
import { errorMisfits, messageMisfits } from '../support/protocols/anthropic-schema.ts'
import { completionMisfits } from '../support/protocols/openai-chat-schema.ts'
import * as anthropicForm from './anthropic-stream.ts'
import { objectOf } from './json.ts'
import * as openaiForm from './openai-stream.ts'
import { playedModel } from './played-model.ts'
import { type ReplyShape, replyShapes, type SeenPart } from './reply-shapes.ts'
import { settings } from './settings.ts'
import { post, readSse } from './sse.ts'
import { anthropicTools, openaiTools } from './travel-tools.ts'

const whole = replyShapes.filter((shape) => shape.end !== 'error')
const uncut = whole.filter((shape) => shape.seen.every((part) => part.type !== 'cut-call'))
const cutInCall = whole.filter((shape) => !uncut.includes(shape))
const failed = replyShapes.filter((shape) => shape.end === 'error')

const testsOf = coveringTests(settings)

describe.each(settings)('by $name', (setting) => {
  const test = testsOf(setting)
  let gateway: RunningGateway
  beforeAll(async () => {
    // The name of the model selects its reply.
    const { upstream } = playedModel(setting, (calls, request) => shapeNamed(request.model).play(calls))
    gateway = await startGateway({ upstream, ...setting.rule })
  })
  afterAll(() => gateway.close())

  describe('Anthropic Messages', () => {
    const request = (shape: ReplyShape) => ({
      model: shape.name,
      max_tokens: 2000,
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      messages: [{ role: 'user' as const, content: 'Plan a trip to Paris.' }],
      tools: anthropicTools,
    })
    const sdk = () => new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 })
    const streamed = async (shape: ReplyShape) => {
      const response = await post(`${gateway.url}/v1/messages`, { ...request(shape), stream: true })
      return anthropicForm.readAnthropicStream(await readSse(response))
    }
    const asked = async (shape: ReplyShape) => {
      const response = await post(`${gateway.url}/v1/messages`, request(shape))
      const body = objectOf(await response.json())
      expect(response.ok ? messageMisfits(body) : errorMisfits(body)).toEqual([])
      return { status: response.status, body }
    }

    test.each(whole)('$name: the stream is one that every client reads', async (shape) => {
      const message = await streamed(shape)
      expect(message).toMatchObject({ model: shape.name })
      expect(anthropicForm.receivedFromStream(message)).toMatchObject({
        content: shape.seen.map(inAnthropic),
        stopReason: { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', error: 'never' }[shape.end],
      })
      expect(new Set(message.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))).size).toBe(
        message.blocks.filter((block) => block.type === 'tool_use').length,
      )
    })

    test.each(uncut)('$name: whole, streamed, and put together by the SDK it is one', async (shape) => {
      const received = anthropicForm.receivedFromStream(await streamed(shape))
      expect(anthropicForm.receivedFromMessage((await asked(shape)).body)).toEqual(received)
      expect(anthropicForm.receivedFromMessage(await sdk().messages.create(request(shape)))).toEqual(received)
      expect(
        anthropicForm.receivedFromMessage(await sdk().messages.stream(request(shape)).finalMessage()),
      ).toMatchObject(received)
    })

    test.each(cutInCall)('$name: nothing that came whole could be run as the call that was cut', async (shape) => {
      const received = anthropicForm.receivedFromMessage((await asked(shape)).body)
      expect(received).toMatchObject({ content: shape.seen.map(inWholeMessage), stopReason: 'max_tokens' })
      const message = await sdk().messages.stream(request(shape)).finalMessage()
      expect(message.stop_reason).toBe('max_tokens')
    })

    test.each(failed)('$name: is received in the stream, as a status, and by the SDK', async (shape) => {
      const message = await streamed(shape)
      expect(message.stop).toBeUndefined()
      expect(anthropicForm.contentOf(message)).toEqual(shape.seen.map(inAnthropic))
      expect(message.error).toEqual({ type: 'api_error', message: expect.stringContaining('broke off') })
      expect(await asked(shape)).toMatchObject({ status: 502, body: { type: 'error', error: { type: 'api_error' } } })
      await expect(sdk().messages.stream(request(shape)).finalMessage()).rejects.toThrow(AnthropicAPIError)
    })
  })

  describe('OpenAI Chat Completions', () => {
    const request = (shape: ReplyShape) => ({
      model: shape.name,
      messages: [{ role: 'user' as const, content: 'Plan a trip to Paris.' }],
      tools: openaiTools,
    })
    const includeUsage = { stream_options: { include_usage: true } }
    const sdk = () => new OpenAI({ baseURL: gateway.openaiUrl, apiKey: 'any', maxRetries: 0 })
    const streamed = async (shape: ReplyShape, options: { includeUsage?: boolean } = {}) => {
      const more = options.includeUsage ? includeUsage : {}
      const response = await post(`${gateway.openaiUrl}/chat/completions`, { ...request(shape), ...more, stream: true })
      return openaiForm.readOpenAIStream(await readSse(response), options)
    }
    const asked = async (shape: ReplyShape) => {
      const response = await post(`${gateway.openaiUrl}/chat/completions`, request(shape))
      const body = objectOf(await response.json())
      if (response.ok) expect(completionMisfits(body)).toEqual([])
      return { status: response.status, body }
    }

    test.each(whole)('$name: the stream is one that every client reads', async (shape) => {
      const completion = await streamed(shape)
      expect(inOpenAI(openaiForm.receivedFromStream(completion))).toMatchObject({
        content: expect.stringContaining(textOf(shape, 'text')),
        reasoning: textOf(shape, 'reasoning'),
        calls: shape.seen.flatMap(callOf),
        finishReason: { stop: 'stop', calls: 'tool_calls', length: 'length', error: 'never' }[shape.end],
      })
      expect(new Set(completion.calls.map((call) => call.id)).size).toBe(completion.calls.length)
    })

    test.each(whole)('$name: whole, streamed, and put together by the SDK it is one', async (shape) => {
      const received = openaiForm.receivedFromStream(await streamed(shape, { includeUsage: true }))
      expect(openaiForm.receivedFromCompletion((await asked(shape)).body)).toEqual(received)
      expect(openaiForm.receivedFromCompletion(await sdk().chat.completions.create(request(shape)))).toEqual(received)
      const helped = sdk().chat.completions.stream({ ...request(shape), ...includeUsage })
      // The helper keeps only the last piece of a field that it does not know.
      const reasoning = expect.any(String)
      expect(openaiForm.receivedFromCompletion(await helped.finalChatCompletion())).toEqual({ ...received, reasoning })
    })

    test.each(failed)('$name: is received in the stream, as a status, and by the SDK', async (shape) => {
      const completion = await streamed(shape)
      expect(completion.finishReason).toBeUndefined()
      expect({ content: completion.content, calls: completion.calls }).toMatchObject({
        content: textOf(shape, 'text'),
        calls: shape.seen.flatMap(callOf),
      })
      expect(completion.error).toMatchObject({ type: 'server_error', message: expect.stringContaining('broke off') })
      expect(await asked(shape)).toMatchObject({ status: 502, body: { error: { type: 'server_error' } } })
      const helped = sdk().chat.completions.stream(request(shape))
      await expect(helped.finalChatCompletion()).rejects.toThrow(OpenAIAPIError)
    })
  })
})

function shapeNamed(name: string): ReplyShape {
  const shape = replyShapes.find((candidate) => candidate.name === name)
  if (!shape) throw new Error(`no shape of a reply is named ${name}`)
  return shape
}

function inAnthropic(part: SeenPart): JsonValue {
  switch (part.type) {
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'text':
      return { type: 'text', text: part.text }
    case 'text-about':
      return { type: 'text', text: expect.stringContaining(part.text) }
    case 'call':
      return { type: 'tool_use', name: part.name, input: part.input }
    case 'cut-call':
      return { type: 'cut', name: part.name, json: part.json }
  }
}

/** A body has no open JSON: the call that was cut is described in words. */
function inWholeMessage(part: SeenPart): JsonValue {
  if (part.type !== 'cut-call') return inAnthropic(part)
  return {
    type: 'text',
    text: expect.stringMatching(new RegExp(`${part.name}.*broke off.*${part.json.slice(2)}`, 's')),
  }
}

function textOf(shape: ReplyShape, type: 'text' | 'reasoning'): string {
  return shape.seen
    .map((part) => (part.type === type || (type === 'text' && part.type === 'text-about') ? part.text : ''))
    .join('')
}

function callOf(part: SeenPart): { name: string; arguments: unknown }[] {
  if (part.type === 'call') return [{ name: part.name, arguments: part.input }]
  return part.type === 'cut-call' ? [{ name: part.name, arguments: part.json }] : []
}

/** With the arguments parsed if they are complete. */
function inOpenAI(received: openaiForm.ReceivedCompletion): unknown {
  const calls = received.calls.map(({ name, arguments: json }) => ({ name, arguments: parsed(json) }))
  return { ...received, calls }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
