import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { readAnthropicStream, receivedFromStream, type StreamedMessage } from './anthropic-stream.ts'
import {
  billingLine,
  claudeCodeHeaders,
  claudeCodeTools,
  firstMessages,
  mainRequest,
  resultMessage,
} from './claude-code.ts'
import { objectOf } from './json.ts'
import type { CallWriter, WrittenCall } from './model-writing.ts'
import { playedModel, replayedCalls, scripted, type Writing } from './played-model.ts'
import { messageText, type Setting, settings, toolify } from './settings.ts'
import { post, readSse } from './sse.ts'

const start = async (setting: Setting, write: Writing) => {
  const { upstream, ...model } = playedModel(setting, write)
  const gateway = await gatewayForTest({ upstream, ...setting.rule })
  return {
    ...model,
    gateway,
    send: (body: JsonObject, path = '/v1/messages?beta=true') => post(gateway.url + path, body, claudeCodeHeaders),
  }
}

/** A block as Claude Code stores it and sends it back. */
function blockOf(block: StreamedMessage['blocks'][number]): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature }
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: objectOf(JSON.parse(block.json || '{}')) }
  }
}

const contentOf = (message: StreamedMessage) => message.blocks.map(blockOf)
const callIds = (message: StreamedMessage) =>
  message.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))

const testsOf = coveringTests(settings, 2)

describe.each(settings)('a session by $name', (setting) => {
  const test = testsOf(setting)
  const list: WrittenCall = { name: 'Bash', input: { command: 'ls -la', description: 'Lists "all"\nfiles' } }
  const read: WrittenCall = { name: 'Read', input: { file_path: '/tmp/project/a.ts', limit: 20 } }
  const edit: WrittenCall = {
    name: 'Edit',
    input: { file_path: '/tmp/a.ts', old_string: 'a < b && "c"', new_string: '\td > e\n  && \\n', replace_all: true },
  }

  test('of three turns: each prompt begins with the one before it, and goes on with what the model wrote', async () => {
    const written: string[] = []
    const {
      send,
      prompts,
      messages: shownMessages,
    } = await start(setting, (calls, request, index) => {
      const write = (form: CallWriter) => [`I look.\n${form(list, read)}`, form(edit), 'Done.'][index] ?? ''
      const reply = write(calls)
      // Plan prompted shows the model its reply as it wrote it; the others write it anew.
      written.push(setting.rule.plan === 'prompted' ? reply : write(replayedCalls(setting, request)))
      return { pieces: [{ reasoning: `Thought ${index}.` }, ...(reply.match(/.{1,5}/gs) ?? [])] }
    })
    const messages = firstMessages('Look at the project, then change it.')
    const turn = async (n: number): Promise<StreamedMessage> => {
      const message = readAnthropicStream(await readSse(await send(mainRequest(messages, n))))
      messages.push({ role: 'assistant', content: contentOf(message) })
      return message
    }

    const first = await turn(0)
    expect(receivedFromStream(first).content).toEqual([
      { type: 'thinking', thinking: 'Thought 0.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', ...list },
      { type: 'tool_use', ...read },
    ])
    const [listed = '', gotten = ''] = callIds(first)
    messages.push(
      resultMessage(
        { id: listed, content: 'a.ts\nb.ts', failed: false },
        { id: gotten, content: [{ type: 'text', text: '1\tconst a = "<invoke name="Bash">"' }] },
      ),
      { role: 'system', content: 'The agent Explore is ready now.' },
    )
    const second = await turn(1)
    expect(receivedFromStream(second).content).toEqual([
      { type: 'thinking', thinking: 'Thought 1.' },
      { type: 'tool_use', ...edit },
    ])
    messages.push(resultMessage({ id: callIds(second)[0] ?? '', content: 'File not read yet', failed: true }))
    const third = await turn(2)
    expect(receivedFromStream(third)).toMatchObject({ stopReason: 'end_turn' })

    const shown = prompts()
    expect(shown).toHaveLength(3)
    for (const [index, prompt] of shown.slice(1).entries()) {
      const before = shown[index] + setting.turn(written[index] ?? '', `Thought ${index}.`)
      expect(prompt.slice(0, before.length)).toBe(before)
    }
    const whole = shown.at(-1) ?? ''
    expect(whole).not.toContain('billing-header')
    expect(whole).toContain('Available agent types')
    expect(whole).toContain('The agent Explore is ready now.')
    // Reasoning goes beside the text, of each turn its own.
    const thoughts = shownMessages(2).flatMap(({ reasoning }) => reasoning ?? [])
    expect(thoughts).toEqual(['Thought 0.', 'Thought 1.'])
  })

  test('tells the model each of the 24 tools whole', async () => {
    const { send, requests, messages } = await start(setting, scripted(['Hello!']))
    await readSse(await send(mainRequest(firstMessages('Hello!'))))
    const system = messageText(messages(0)[0] ?? { role: 'system', parts: [] })
    expect(claudeCodeTools).toHaveLength(24)
    for (const { name, input_schema: schema } of claudeCodeTools) {
      expect(system).toContain(String(name))
      for (const key of Object.keys(objectOf(objectOf(schema).properties))) expect(system).toContain(key)
    }
    for (const said of ['exclusiveMinimum', 'propertyNames', 'anyOf', '"uri"', '600000', 'additionalProperties']) {
      expect(system).toContain(said)
    }
    expect(requests[0]).toMatchObject({ maxTokens: 64_000, reasoning: { enabled: true, effort: 'high' } })
  })

  test('a command that the model asks for, and its output', async () => {
    const bash = [{ name: 'Bash', input: { command: 'echo marker-7' } }]
    const { send, messages: shownMessages } = await start(setting, scripted([bash, 'It printed its marker.']))
    const messages = firstMessages('Run the shell command `echo marker-7` and tell me its output.')
    const first = readAnthropicStream(await readSse(await send(mainRequest(messages))))
    expect(receivedFromStream(first)).toMatchObject({
      content: [{ type: 'text' }, { type: 'tool_use', name: 'Bash', input: { command: 'echo marker-7' } }],
      stopReason: 'tool_use',
    })
    messages.push(
      { role: 'assistant', content: contentOf(first) },
      resultMessage({ id: callIds(first)[0] ?? '', content: 'marker-7' }),
    )
    const second = readAnthropicStream(await readSse(await send(mainRequest(messages, 1))))
    expect(receivedFromStream(second)).toMatchObject({
      content: [{ type: 'text', text: 'It printed its marker.' }],
      stopReason: 'end_turn',
    })
    expect(shownMessages(1).slice(-1).map(messageText).join('')).toContain('marker-7')
  })
})

describe('requests besides', () => {
  const usual = mainRequest(firstMessages('Hello!'))
  const without = (...fields: string[]): JsonObject =>
    Object.fromEntries(Object.entries(usual).filter(([field]) => !fields.includes(field)))
  const history = (...messages: JsonObject[]): JsonObject => mainRequest([...firstMessages('Hello!'), ...messages])
  const called = (name: string, input: JsonValue): JsonObject => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name, input }],
  })
  const webSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }

  test.each<[string, JsonObject]>([
    ['of a subagent: no thinking', without('thinking', 'context_management')],
    ['to Haiku: a budget of thinking', { ...usual, thinking: { type: 'enabled', budget_tokens: 31_999 } }],
    ['without experimental betas', without('thinking', 'context_management', 'output_config')],
    [
      'a nested search: a tool of the server',
      {
        ...without('thinking'),
        tools: [webSearch],
        tool_choice: { type: 'auto' },
      },
    ],
    [
      'a nested search that must be made',
      { ...usual, tools: [webSearch], tool_choice: { type: 'tool', name: 'web_search' } },
    ],
    [
      'tools of the server beside others',
      { ...usual, tools: [...claudeCodeTools, webSearch, { type: 'mcp_toolset', mcp_server_name: 'x' }] },
    ],
    [
      'a structured answer as a tool',
      {
        ...usual,
        tools: [
          ...claudeCodeTools,
          {
            name: 'StructuredOutput',
            description: 'The answer.',
            input_schema: { type: 'object', properties: {} },
          },
        ],
      },
    ],
    [
      'fields and betas of tomorrow',
      { ...usual, speed: 'fast', mcp_servers: [], container: { skills: [] }, fallbacks: [] },
    ],
    [
      'a history with arguments that were no JSON',
      history(
        called('Bash', { __unparsedToolInput: { raw: '{"command": "ls', len: 15 } }),
        resultMessage({ id: 'toolu_1', content: 'InputValidationError: not JSON', failed: true }),
      ),
    ],
    [
      'a history with a tool that there is not',
      history(
        called('Bosh', { x: 1 }),
        resultMessage({ id: 'toolu_1', content: 'No such tool available: Bosh', failed: true }),
      ),
    ],
    [
      'a history with thinking that has no signature',
      history(
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: '' },
            { type: 'text', text: 'Hi.' },
          ],
        },
        { role: 'user', content: 'And?' },
      ),
    ],
    [
      'a history with thinking of the real API',
      history(
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
            { type: 'text', text: 'Hi.' },
          ],
        },
        { role: 'user', content: 'And?' },
      ),
    ],
    [
      'a history with a search of the real API',
      history(
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
            { type: 'text', text: 'Found.' },
          ],
        },
        { role: 'user', content: 'And?' },
      ),
    ],
    [
      'a result with a picture',
      history(
        called('Read', { file_path: '/tmp/a.png' }),
        resultMessage({
          id: 'toolu_1',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }],
        }),
      ),
    ],
    [
      'a result with references to tools',
      history(
        called('Skill', { id: 'x' }),
        resultMessage({ id: 'toolu_1', content: [{ type: 'tool_reference', tool_name: 'Bash' }] }),
      ),
    ],
    [
      'a result that is empty',
      history(called('Bash', { command: 'true' }), resultMessage({ id: 'toolu_1', content: '' })),
    ],
    [
      'a message that the user broke off',
      history(
        { role: 'assistant', content: [{ type: 'text', text: 'I w' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: '[Request interrupted by user]' },
            { type: 'text', text: 'Go on' },
          ],
        },
      ),
    ],
    ['a beginning of the answer', history({ role: 'assistant', content: 'The answer is' })],
  ])('%s', async (_, body) => {
    const { send } = await start(toolify, () => 'Good.')
    const message = readAnthropicStream(await readSse(await send(body)))
    expect(receivedFromStream(message)).toMatchObject({
      content: [{ type: 'text', text: 'Good.' }],
      stopReason: 'end_turn',
    })
    // After a failed stream, it sends the same request again without streaming.
    const whole = await send({ ...body, stream: false })
    expect(await whole.json()).toMatchObject({ content: [{ type: 'text', text: 'Good.' }] })
  })

  test('the title of a session: no tools, a format wished for, and a model that writes no JSON', async () => {
    const body = {
      ...without('tools', 'thinking'),
      tools: [],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    }
    const { send } = await start(toolify, () => 'Good.')
    const message = readAnthropicStream(await readSse(await send(body)))
    // Words in the place of the value are a refusal in this API.
    expect(receivedFromStream(message)).toMatchObject({
      content: [{ type: 'text', text: 'Good.' }],
      stopReason: 'refusal',
    })
  })

  test.each<[string, JsonObject]>([
    ['tools alone', { tools: claudeCodeTools, messages: [] }],
    ['tools alone, without messages', { tools: claudeCodeTools }],
    ['system text alone', { system: usual.system ?? null, messages: [] }],
    ['a message', { messages: [{ role: 'user', content: 'Hello!' }] }],
    ['all but the limit', without('max_tokens', 'stream')],
    [
      'a message for the tools to be counted with',
      { messages: [{ role: 'user', content: 'foo' }], tools: [webSearch] },
    ],
  ])('counting %s', async (_, body) => {
    const { send, requests } = await start(toolify, scripted([]))
    const response = await send({ model: 'claude-opus-4-8', ...body }, '/v1/messages/count_tokens?beta=true')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) })
    expect(requests).toEqual([])
  })

  test('counting 15 at a time: the parts are less than the whole', async () => {
    const { send } = await start(toolify, scripted([]))
    const count = async (body: JsonObject) => {
      const response = await send({ model: 'm', ...body }, '/v1/messages/count_tokens?beta=true')
      return Number(objectOf(await response.json()).input_tokens)
    }
    const bodies = Array.from({ length: 15 }, (_, n) => ({ tools: claudeCodeTools.slice(0, n + 1) }))
    const counts = await Promise.all(bodies.map(count))
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(new Set(counts).size).toBe(15)
  })

  test('the knock at the door', async () => {
    const { gateway } = await start(toolify, scripted([]))
    const response = await fetch(`${gateway.url}/`, { method: 'HEAD', headers: { 'user-agent': 'Bun/1.4.0' } })
    expect(response.status).toBe(200)
  })

  test.each<[string, Record<string, string>]>([
    ['ANTHROPIC_API_KEY', { 'x-api-key': 'key-1' }],
    ['ANTHROPIC_AUTH_TOKEN', { authorization: 'Bearer key-1' }],
  ])('with the key of %s', async (_, key) => {
    const gateway = await gatewayForTest({ config: { keys: ['key-1'] } })
    const response = await post(`${gateway.url}/v1/messages?beta=true`, usual, { ...claudeCodeHeaders, ...key })
    expect(receivedFromStream(readAnthropicStream(await readSse(response))).stopReason).toBe('tool_use')
  })

  test('the billing line is in no prompt, wherever the client puts it', async () => {
    const { send, prompts } = await start(toolify, () => 'Good.')
    const blocks = Array.isArray(usual.system) ? usual.system.filter(isJsonObject) : []
    const systems: JsonValue[] = [
      usual.system ?? null,
      `${billingLine(1)}\nBe brief.`,
      [{ type: 'text', text: billingLine(2) }],
      [{ type: 'text', text: `${billingLine(3)}\n\nBe brief.` }, ...blocks.slice(1)],
    ]
    for (const system of systems) await readSse(await send({ ...usual, system }))
    expect(prompts()).toHaveLength(4)
    for (const prompt of prompts()) expect(prompt).not.toContain('billing')
    expect(prompts()[1]).toContain('Be brief.')
  })
})
