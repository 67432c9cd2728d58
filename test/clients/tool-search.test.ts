import { describe, expect, test } from 'vitest'
import {
  type AssistantPart,
  type Conversation,
  completeConversation,
  type JsonObject,
  type Tool,
  type ToolChoice,
  type Turn,
} from '../../src/conversation/index.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { type ProtocolForm, protocolForms } from '../support/protocols/forms.ts'
import type { ReadReply } from '../support/protocols/read-reply.ts'
import { readAnthropicStream } from './anthropic-stream.ts'
import { objectOf } from './json.ts'
import type { CallWriter } from './model-writing.ts'
import { playedModel } from './played-model.ts'
import { messageText, native, type Setting, templated, toolify } from './settings.ts'
import { post, readSse } from './sse.ts'

/** Tools that the model of a client sees by their names, until it searches for them. */

const tools: Tool[] = Array.from({ length: 30 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does thing ${at}. It has a long description of ${at}.`,
  schema: { type: 'object', properties: { [`argument_${at}`]: { type: 'string' } } },
}))

const search = (query: string) => ({ name: 'tool_search', input: { query } })
const tool7 = { name: 'tool_7', input: { argument_7: 'a' } }

type Reply = string | { call: Parameters<CallWriter>[number][]; text?: string }

interface Options {
  replies: readonly Reply[]
  rule?: JsonObject
  limits?: JsonObject
}

/** A client of a model that plays these replies, and that sends every turn with all tools. */
async function client(setting: Setting, form: ProtocolForm, { replies, rule = {}, limits = {} }: Options) {
  const written: string[] = []
  const model = playedModel(setting, (calls, _, index) => {
    const reply = replies[index] ?? 'Nothing more.'
    const text = typeof reply === 'string' ? reply : `${reply.text ?? 'I see.'}\n${calls(...reply.call)}`
    written.push(text)
    return text
  })
  const models = [{ match: '*', upstream: 'test', toolSearch: 10, ...setting.rule, ...rule }]
  const gateway = await gatewayForTest({ upstream: model.upstream, config: { models, limits } })
  const turns: Turn[] = [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]
  const ask = async (toolChoice: ToolChoice = { type: 'auto' }): Promise<ReadReply> => {
    const conversation: Conversation = completeConversation({
      model: 'm',
      system: 'Be brief.',
      tools,
      turns,
      toolChoice,
    })
    const body = { ...form.write(conversation), ...(form.name === 'ollama' && { stream: false }) }
    const response = await post(gateway.url + form.path, body)
    const answer = objectOf(await response.json())
    expect(response.status, JSON.stringify(answer)).toBe(200)
    const reply = form.readWhole(answer)
    turns.push({ role: 'assistant', parts: partsOf(reply) })
    if (reply.calls.length > 0) turns.push({ role: 'user', parts: reply.calls.map(resultOf) })
    return reply
  }
  return { ...model, written, ask, gateway }
}

function partsOf({ text, calls }: ReadReply): AssistantPart[] {
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text', text: text.trim() } as const]),
    ...calls.map(({ id, name, input }) => ({ type: 'call', id, name, arguments: JSON.stringify(input) }) as const),
  ]
}

const resultOf = ({ id, name }: ReadReply['calls'][number]) => ({
  type: 'result' as const,
  callId: id,
  name,
  content: [{ type: 'text' as const, text: 'done' }],
  isError: false,
})

const [anthropic] = protocolForms
if (!anthropic) throw new Error('there are protocols')

describe.each([toolify, templated, native])('by $name', (setting) => {
  test.each(protocolForms)('$name: the client sees the call of a tool that was found, and no search', async (form) => {
    const replies: Reply[] = [
      { call: [search('tool_7')], text: 'I search.' },
      { call: [tool7] },
      { call: [tool7] },
      'Done.',
    ]
    const { ask, prompts, written } = await client(setting, form, { replies })
    const first = await ask()
    expect(first.calls.map(({ name, input }) => ({ name, input }))).toEqual([tool7])
    expect(first.text).toContain('I search.')
    expect(first.text).toContain('I see.')
    await ask()
    expect((await ask()).text).toBe('Done.')

    const shown = prompts()
    expect(shown).toHaveLength(4)
    expect(shown[0]).toContain('tool_29')
    expect(shown[0]).not.toContain('argument_7')
    for (const prompt of shown.slice(1)) {
      expect(prompt).toContain('argument_7')
      expect(prompt).not.toContain('argument_8')
      expect(prompt).not.toContain('long description of 8')
    }
    // A server that calls tools by itself lists those that it got at the beginning of its prompt.
    if (setting !== native) {
      for (const [at, prompt] of shown.slice(1).entries()) {
        const before = shown[at] + setting.turn(written[at] ?? '', '')
        expect(prompt.slice(0, before.length)).toBe(before)
      }
    }
  })
})

describe('a search', () => {
  test('that is not remembered is written as one for the name of the tool that was called', async () => {
    const replies: Reply[] = [{ call: [search('thing 7')] }, { call: [tool7] }, 'Done.']
    const { ask, messages } = await client(toolify, anthropic, { replies, limits: { repliesMegabytes: 0 } })
    await ask()
    await ask()
    const texts = messages(-1).map(messageText)
    expect(texts.findIndex((text) => text.includes('argument_7'))).toBe(3)
    expect(texts[2]).toContain('<parameter name="query">tool_7</parameter>')
  })

  test('is not in a stream: one message has the texts around it, and the calls', async () => {
    const replies: Reply[] = [{ call: [search('tool_7')], text: 'I search.' }, { call: [tool7] }]
    const { gateway } = await client(toolify, anthropic, { replies })
    const body = anthropic.write(
      completeConversation({ model: 'm', tools, turns: [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }] }),
    )
    const response = await post(gateway.url + anthropic.path, { ...body, stream: true })
    const { blocks, stop } = readAnthropicStream(await readSse(response))
    expect(blocks).toMatchObject([
      { type: 'text', text: 'I search.\n\nI see.' },
      { type: 'tool_use', name: 'tool_7', json: '{"argument_7":"a"}' },
    ])
    expect(stop?.reason).toBe('tool_use')
    expect(gateway.log.filter(({ event }) => event === 'tools-searched')).toHaveLength(1)
  })

  test.each<[what: string, replies: Reply[], seen: string[]]>([
    ['beside another call is left out', [{ call: [search('tool_7'), tool7] }], ['tool_7']],
    ['is answered four times, and then left out', Array.from({ length: 9 }, () => ({ call: [search('tool_1')] })), []],
  ])('that %s', async (_, replies, seen) => {
    const { ask, requests, gateway } = await client(toolify, anthropic, { replies })
    const { calls, finish } = await ask()
    expect(calls.map(({ name }) => name)).toEqual(seen)
    expect(finish).toBe(seen.length > 0 ? 'tool_use' : 'end_turn')
    expect(requests.length).toBeLessThanOrEqual(5)
    const codes = gateway.log.filter(({ event }) => event === 'notice').map(({ fields }) => fields.code)
    expect(codes).toEqual(['tool-search-dropped'])
  })

  test('ends when the limit of requests is reached', async () => {
    const replies = Array.from({ length: 9 }, () => ({ call: [search('tool_1')] }))
    const { ask, requests } = await client(toolify, anthropic, { replies, limits: { attempts: 2 } })
    expect((await ask()).finish).toBe('end_turn')
    expect(requests.length).toBeLessThanOrEqual(3)
  })

  test.each<[what: string, rule: JsonObject, choice: ToolChoice, shown: boolean]>([
    ['is not offered by default', { toolSearch: 0 }, { type: 'auto' }, true],
    ['is not offered for as many tools as the rule says', { toolSearch: 30 }, { type: 'auto' }, true],
    ['is not offered if the reply must call a named tool', {}, { type: 'named', name: 'tool_7' }, true],
    ['is offered if the reply must call any tool', {}, { type: 'required' }, false],
  ])('%s', async (_, rule, choice, shown) => {
    const { ask, prompts } = await client(toolify, anthropic, { replies: [{ call: [tool7] }], rule })
    expect((await ask(choice)).calls).toHaveLength(1)
    expect(prompts()[0]?.includes('argument_7')).toBe(shown)
    expect(prompts()[0]?.includes('tool_search')).toBe(!shown)
  })
})
