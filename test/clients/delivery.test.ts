import { describe, expect } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { type Play, playText } from '../../src/upstreams/scripted/scripted.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { itemsOfDeltas, readResponseEvents } from '../support/protocols/responses-stream.ts'
import * as anthropicForm from './anthropic-stream.ts'
import { objectOf } from './json.ts'
import { trainedForms, type WrittenCall } from './model-writing.ts'
import * as openaiForm from './openai-stream.ts'
import { playedModel } from './played-model.ts'
import { native, type Setting, templated, toolCallJson } from './settings.ts'
import { post, readSse } from './sse.ts'
import { anthropicTools, openaiTools } from './travel-tools.ts'

/**
 * The content that a client of either protocol receives: all text, the calls with their JSON, and the reason for the
 * end.
 */
interface ReceivedContent {
  text: string
  calls: { name: string; json: JsonValue | undefined }[]
  end: JsonValue | undefined
}

/** One way for a client to ask. */
interface Client {
  name: string
  ask(url: string): Promise<ReceivedContent>
}

const question = [{ role: 'user', content: 'Weather in Paris?' }]
const anthropicRequest = { model: 'm', max_tokens: 1000, messages: question, tools: anthropicTools }
const openaiRequest = { model: 'm', messages: question, tools: openaiTools }

const responsesRequest = {
  model: 'm',
  input: question,
  tools: openaiTools.map(({ function: { name, parameters } }) => ({ type: 'function', name, parameters })),
}

const clients: readonly Client[] = [
  {
    name: 'Anthropic Messages, streamed',
    ask: async (url) => {
      const response = await post(`${url}/v1/messages`, { ...anthropicRequest, stream: true })
      return contentOfMessage(
        anthropicForm.receivedFromStream(anthropicForm.readAnthropicStream(await readSse(response))),
      )
    },
  },
  {
    name: 'Anthropic Messages, at once',
    ask: async (url) =>
      contentOfMessage(
        anthropicForm.receivedFromMessage(await (await post(`${url}/v1/messages`, anthropicRequest)).json()),
      ),
  },
  {
    name: 'OpenAI Chat Completions, streamed',
    ask: async (url) => {
      const response = await post(`${url}/v1/chat/completions`, { ...openaiRequest, stream: true })
      return contentOfCompletion(openaiForm.receivedFromStream(openaiForm.readOpenAIStream(await readSse(response))))
    },
  },
  {
    name: 'OpenAI Responses, streamed',
    ask: async (url) => {
      const response = await post(`${url}/v1/responses`, { ...responsesRequest, stream: true })
      const events = readResponseEvents(await readSse(response))
      const last = objectOf(events.at(-1)?.response ?? null)
      expect(last.output).toEqual(itemsOfDeltas(events))
      return contentOfResponse(last)
    },
  },
  {
    name: 'OpenAI Responses, at once',
    ask: async (url) => contentOfResponse(objectOf(await (await post(`${url}/v1/responses`, responsesRequest)).json())),
  },
  {
    name: 'OpenAI Chat Completions, at once',
    ask: async (url) =>
      contentOfCompletion(
        openaiForm.receivedFromCompletion(await (await post(`${url}/v1/chat/completions`, openaiRequest)).json()),
      ),
  },
]

function contentOfMessage({ content, stopReason }: anthropicForm.ReceivedMessage): ReceivedContent {
  const blocks: readonly JsonObject[] = content.map(objectOf)
  return {
    text: blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool_use' || block.type === 'cut'
        ? [{ name: String(block.name), json: block.input ?? block.json }]
        : [],
    ),
    end: stopReason === 'tool_use' ? 'calls' : stopReason === 'end_turn' ? 'stop' : stopReason,
  }
}

function contentOfResponse({ output, status }: JsonObject): ReceivedContent {
  const items = Array.isArray(output) ? output.map(objectOf) : []
  const calls = items.filter(({ type }) => type === 'function_call')
  const messages = items.filter(({ type }) => type === 'message')
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(objectOf) : []))
  return {
    text: parts.map(({ text }) => String(text)).join(''),
    calls: calls.map(({ name, arguments: json }) => ({ name: String(name), json: parsed(String(json)) })),
    end: status !== 'completed' ? status : calls.length > 0 ? 'calls' : 'stop',
  }
}

function contentOfCompletion({ content, calls, finishReason }: openaiForm.ReceivedCompletion): ReceivedContent {
  return {
    text: content,
    calls: calls.map(({ name, arguments: json }) => ({ name, json: parsed(json) })),
    end: finishReason === 'tool_calls' ? 'calls' : finishReason,
  }
}

function parsed(json: string): JsonValue {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

async function gatewayFor(play: Play, rule: JsonObject, setting: Setting = toolCallJson): Promise<string> {
  const { upstream } = playedModel(setting, () => play)
  const served = { match: '*', upstream: 'test', ...setting.rule, ...rule }
  const gateway = await gatewayForTest({ upstream, config: { models: [served] } })
  return gateway.url
}

const paris: WrittenCall = { name: 'get_weather', input: { city: 'Paris', unit: 'celsius' } }
const rome: WrittenCall = {
  name: 'plan_trip',
  input: { title: 'To "Rome"\nand back', days: 3, stops: [{ city: 'Rome' }] },
}

const testsOf = coveringTests(clients)

describe.each(clients)('$name', (client) => {
  const test = testsOf(client)
  const { ask } = client
  describe.each([toolCallJson, native, templated])('delivery by $name', (setting) => {
    const whole = setting.write([{ name: 'get_weather', input: { city: 'Paris' } }], '')
    const time = setting.write([{ name: 'get_time', input: { city: 'Paris' } }], '')
    const broken = time.slice(0, time.indexOf('ris"'))
    const gatewayWith = (written: string, delivery: string) => gatewayFor(playText(written, 3), { delivery }, setting)

    test.each(['live', 'whole'])('%s: a whole call is a call', async (delivery) => {
      expect(await ask(await gatewayWith(`I look.\n${whole}`, delivery))).toEqual({
        text: 'I look.',
        calls: [{ name: 'get_weather', json: { city: 'Paris' } }],
        end: 'calls',
      })
    })

    test('whole: a broken call is text', async () => {
      const { text, ...received } = await ask(await gatewayWith(`I look.\n${broken}`, 'whole'))
      expect(received).toEqual({ calls: [], end: 'stop' })
      // Calls that a server sent beside its text have no text of their own.
      if (setting === native) expect(text).toMatch(/^I look\..*get_time.*"Pa/s)
      else expect(text).toBe(`I look.\n${broken}`)
    })

    test('whole: a broken call after a whole one leaves that as it is', async () => {
      const received = await ask(await gatewayWith(`${whole}\n${broken}`, 'whole'))
      expect(received.calls).toEqual([{ name: 'get_weather', json: { city: 'Paris' } }])
      if (setting === native) expect(received.text).toMatch(/get_time.*"Pa/s)
      else expect(received.text.trim()).toBe(broken)
    })

    test('live: of a broken call the beginning arrives, as an incomplete call', async () => {
      const received = await ask(await gatewayWith(`I look.\n${broken}`, 'live'))
      expect(received.text).not.toMatch(/<tool_call>/i)
      expect(JSON.stringify(received)).toContain('get_time')
      expect(received.calls.filter(({ json }) => typeof json === 'object')).toEqual([])
    })
  })

  test.each(trainedForms.map((form) => [form([paris]).slice(0, 24), form] as const))(
    'universal reads a model that writes %j',
    async (_, form) => {
      const url = await gatewayFor(playText(`I look.\n${form([paris, rome])}`, 3), { dialect: 'universal' })
      expect(await ask(url)).toEqual({
        text: 'I look.',
        calls: [
          { name: paris.name, json: paris.input },
          { name: rome.name, json: rome.input },
        ],
        end: 'calls',
      })
    },
  )
})
