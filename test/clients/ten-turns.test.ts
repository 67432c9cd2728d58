import { describe, expect, test } from 'vitest'
import {
  type AssistantPart,
  type Conversation,
  completeConversation,
  type JsonObject,
  type Tool,
  type Turn,
} from '../../src/conversation/index.ts'
import { someOf } from '../support/draws.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { type ProtocolForm, protocolForms } from '../support/protocols/forms.ts'
import type { ReadReply } from '../support/protocols/read-reply.ts'
import { itemsOfDeltas, readResponseEvents } from '../support/protocols/responses-stream.ts'
import { objectOf } from './json.ts'
import { playedModel } from './played-model.ts'
import { type Setting, templated, toolify } from './settings.ts'
import { post, readSse } from './sse.ts'

/**
 * Long sessions, with clients that change what they send back: in each of ten turns the prompt begins with the one before it and
 * with the reply to it, as the model wrote it, so that an engine has all of it in its cache.
 */

const turns = 10

const tools: Tool[] = [
  {
    name: 'edit',
    description: 'Edits a file.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        lines: { type: 'array', items: { type: 'string' } },
        all: { type: 'boolean', default: false },
      },
      required: ['path', 'lines'],
    },
  },
]

const thoughtOf = (turn: number): string => `Which of ${turn}?`

/** Returns what such a client keeps of a reply: no reasoning, trimmed text, arguments in another order and with a default. */
function kept({ text, calls }: ReadReply): AssistantPart[] {
  const said = text.trim()
  return [
    ...(said === '' ? [] : [{ type: 'text', text: said } as const]),
    ...calls.map(({ id, name, input }) => {
      const members = Object.entries(objectOf(input)).reverse()
      return {
        type: 'call',
        id,
        name,
        arguments: JSON.stringify({ all: false, ...Object.fromEntries(members) }),
      } as const
    }),
  ]
}

/** Plays the session, and returns the prompts and what the model wrote to each. */
async function played(form: ProtocolForm, setting: Setting) {
  const written: string[] = []
  const model = playedModel(setting, (calls, _, index) => {
    const lines = ['\t"a"', `<b> & 'c' ${index}`, 'é 🗼']
    // By a template, blank space at the beginning of a reply belongs to the turn.
    const lead = setting.rule.plan === 'prompted' ? '\n' : ''
    const text = `${lead}Step ${index}.\n${calls({ name: 'edit', input: { path: `f${index}.ts`, lines } })}`
    written.push(text)
    return { pieces: [{ reasoning: thoughtOf(index) }, ...(text.match(/.{1,7}/gsu) ?? [])] }
  })
  const gateway = await gatewayForTest({ upstream: model.upstream, ...setting.rule })
  const history: Turn[] = [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }]
  const notices: (string | null)[] = []
  for (let turn = 0; turn < turns; turn++) {
    const conversation: Conversation = completeConversation({ model: 'm', system: 'Be brief.', tools, turns: history })
    const body = { ...form.write(conversation), ...(form.name === 'ollama' && { stream: false }) }
    const response = await post(gateway.url + form.path, body)
    const answer: unknown = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(200)
    notices.push(response.headers.get('x-anycall-notices'))
    const reply = form.readWhole(objectOf(answer))
    expect(reply.calls).toHaveLength(1)
    history.push(
      { role: 'assistant', parts: kept(reply) },
      {
        role: 'user',
        parts: reply.calls.map(({ id, name }) => ({
          type: 'result',
          callId: id,
          name,
          content: [{ type: 'text', text: `done ${turn}` }],
          isError: false,
        })),
      },
    )
  }
  return { prompts: model.prompts(), written, notices }
}

describe.each([toolify, templated])('by $name', (setting) => {
  test.each(someOf(protocolForms, 2))(
    '$name: each prompt begins with the last one and the reply to it',
    async (form) => {
      const { prompts, written } = await played(form, setting)
      expect(prompts).toHaveLength(turns)
      for (const [index, prompt] of prompts.slice(1).entries()) {
        const before = prompts[index] + setting.turn(written[index] ?? '', thoughtOf(index))
        expect(prompt.slice(0, before.length)).toBe(before)
      }
    },
  )
})

/** The fields of a request of Codex: nothing is stored, and reasoning comes back encrypted. */
const codex: JsonObject = {
  model: 'gpt-codex',
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  reasoning: { summary: 'auto' },
  parallel_tool_calls: true,
  prompt_cache_key: 'session-1',
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      description: 'Runs a command.',
      parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
      strict: false,
    },
    { type: 'custom', name: 'apply_patch', description: 'Patches files.', format: { type: 'text' } },
    {
      type: 'namespace',
      name: 'agents',
      description: 'Sub-agents.',
      tools: [{ type: 'function', name: 'spawn', parameters: { type: 'object', properties: {} }, strict: false }],
    },
  ],
}

/** Items as Codex sends them back: without their state, and with the reasoning in its encrypted form alone. */
function sentBack({ status: _, ...item }: JsonObject): JsonObject {
  return item.type === 'reasoning' ? { ...item, id: '' } : item
}

describe.each([toolify, templated])('ten turns of Codex by $name', (setting) => {
  test.each<[memory: string, limits: JsonObject]>([
    ['with replies remembered', {}],
    ['by the items alone', { repliesMegabytes: 0 }],
  ])('%s: each prompt begins with the last one', async (_, limits) => {
    const written: string[] = []
    const model = playedModel(setting, (calls, _request, index) => {
      const patch = `*** Begin Patch\n*** Add File: f${index}\n+\t"a" <b>\n*** End Patch`
      const made = [
        { name: 'exec_command', input: { cmd: `cat "f${index}" | grep '<b>'` } },
        { name: 'apply_patch', input: { input: patch } },
        { name: 'agents__spawn', input: {} },
      ][index % 3]
      const text = `Step ${index}.\n${made ? calls(made) : ''}`
      written.push(text)
      return { pieces: [{ reasoning: thoughtOf(index) }, ...(text.match(/.{1,7}/gsu) ?? [])] }
    })
    const gateway = await gatewayForTest({ upstream: model.upstream, ...setting.rule, config: { limits } })
    const input: JsonObject[] = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: none.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
    ]
    for (let turn = 0; turn < turns; turn++) {
      const response = await post(`${gateway.openaiUrl}/responses`, { ...codex, input })
      expect(response.headers.get('x-anycall-notices')).toBeNull()
      const items = itemsOfDeltas(readResponseEvents(await readSse(response)))
      const made = items.filter(({ call_id: id }) => id !== undefined)
      expect(made).toHaveLength(1)
      const results = made.map(({ type, call_id: id }) => ({
        type: `${type}_output`,
        call_id: id ?? null,
        output: 'ok',
      }))
      input.push(...items.map(sentBack), ...results)
    }
    const prompts = model.prompts()
    expect(prompts).toHaveLength(turns)
    for (const [index, prompt] of prompts.slice(1).entries()) {
      const reply = setting.turn(written[index] ?? '', thoughtOf(index))
      const before = prompts[index] + (limits.repliesMegabytes === 0 ? '' : reply)
      expect(prompt.slice(0, before.length)).toBe(before)
    }
    if (setting.rule.plan === 'prompted') {
      const thoughts = model.messages(-1).flatMap(({ reasoning }) => reasoning ?? [])
      expect(thoughts).toEqual(Array.from({ length: turns - 1 }, (_, turn) => thoughtOf(turn)))
    }
  })
})
