import { expect, test } from 'vitest'
import type { Conversation, JsonObject, Reply } from '../../conversation/index.ts'
import type { ChatMessage } from '../../upstreams/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { createGateway } from '../gateway.ts'
import { beginningOf } from './beginning.ts'
import { KnownReplies } from './known-replies.ts'
import { isRememberedReply } from './same-reply.ts'

const tools = [
  {
    name: 'edit',
    description: 'Edits.',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'array' }, all: { type: 'boolean', default: false } },
      required: ['path'],
    },
  },
]

interface Block extends JsonObject {
  type: string
}

/** Returns a client's version of a reply: trimmed text, arguments in another order, and the defaults of the schema. */
function changed(block: Block): Block[] {
  if (block.type === 'text') {
    const text = String(block.text).trim()
    return text === '' ? [] : [{ type: 'text', text }]
  }
  const input = Object.entries(Object(block.input)).reverse()
  return [{ ...block, input: { all: false, ...Object.fromEntries(input) } }]
}

/** The reasoning of each reply: in the text, or sent apart from it by the server. */
type Reasoning = 'text' | 'apart'

/** The text of a message that the upstream got. */
function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Plays ten turns with such a client, and returns the prompts and what the model wrote to each. */
async function tenTurns(
  limits: JsonObject,
  edited: (block: Block) => Block[] = changed,
  reasoning: Reasoning = 'text',
) {
  const prompts: ChatMessage[][] = []
  const written: string[] = []
  const play = (_: number, request: { type: string; messages?: ChatMessage[] }) => {
    const messages = request.messages ?? []
    prompts.push(messages)
    const trigger = /<<CALL_\w+>>/.exec(messages.map(textOf).join('\n'))?.[0]
    const n = prompts.length
    const thought = reasoning === 'text' ? `<think>\nThink ${n}.\n</think>` : ''
    const call = `${thought}\n\n  Step ${n}.  \n\n${trigger}\n<invoke name="edit">\n<parameter name="path">f${n}</parameter>\n<parameter name="lines">[ 1,  {"a" : ${n}} ]</parameter>\n</invoke>\n`
    written.push(call)
    const apart = reasoning === 'apart' ? [{ reasoning: `Think ${n}.` }] : []
    return { pieces: [...apart, ...(call.match(/.{1,7}/gs) ?? [])] }
  }
  const gateway = createGateway({
    upstreams: { test: createScriptedUpstream({ name: 'test', play }) },
    models: [{ match: '*', upstream: 'test', plan: 'prompted', dialect: 'toolify' }],
    limits,
  })
  const messages: JsonObject[] = [{ role: 'user', content: 'Go on.' }]
  for (let turn = 0; turn < 10; turn++) {
    const request = new Request('http://localhost/v1/messages', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 1000, tools, messages }),
    })
    const { content }: { content: Block[] } = await (await gateway.fetch(request)).json()
    const results = content.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: String(id), content: `done ${turn}` }] : [],
    )
    expect(results).toHaveLength(1)
    messages.push({ role: 'assistant', content: content.flatMap(edited) }, { role: 'user', content: results })
  }
  return { prompts, written }
}

test.each<Reasoning>(['text', 'apart'])(
  'each prompt begins with the last one and what the model wrote, though the client changes white space and order; reasoning: %s',
  async (reasoning) => {
    const { prompts, written } = await tenTurns({}, changed, reasoning)
    for (const [index, prompt] of prompts.slice(0, -1).entries()) {
      const thought = reasoning === 'apart' && { reasoning: `Think ${index + 1}.` }
      const reply = { role: 'assistant', parts: [{ type: 'text', text: written[index] }], ...thought }
      expect(prompts[index + 1]?.slice(0, prompt.length + 1)).toEqual([...prompt, reply])
    }
    expect(prompts).toHaveLength(10)
  },
)

test('a reply that the client changed in another way is its own, and nothing is restored without memory', async () => {
  const other = (block: Block) => changed(block.type === 'text' ? { ...block, text: 'Something else.' } : block)
  for (const { prompts, written } of [await tenTurns({}, other), await tenTurns({ repliesMegabytes: 0 })]) {
    expect(prompts.at(-1)?.map(textOf)).not.toContain(written[0])
    expect(prompts.at(-1)?.map(textOf).join('\n')).toContain('f1')
  }
})

/** A conversation that has begun, the reply with a text to it, and the turn of it that a client sends back. */
const begun: Conversation = {
  model: 'm',
  system: '',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  stopSequences: [],
  sampling: {},
}

function saying(text: string): Reply {
  return { parts: [{ type: 'text', text }], notices: [], finish: { type: 'finish', reason: 'stop' } }
}

/** Returns the text of the reply as it is remembered, for a client that sends it back trimmed. */
function remembered(replies: KnownReplies, text: string): string | undefined {
  const sent = {
    ...begun,
    turns: [...begun.turns, { role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }],
  }
  const turn = replies.of('c')?.restored(sent).conversation.turns.at(-1)
  return turn?.role === 'assistant' ? turn.written?.text : undefined
}

test('a conversation without a reply has no reasoning that could be restored', () => {
  const own = new KnownReplies(2 ** 20).of('c')
  expect(own?.restored(begun).hasAllReasoning).toBe(false)
})

test('conversations that begin alike, as a sub-agent and its parent, each keep their own reply', () => {
  const replies = new KnownReplies(2 ** 20)
  const own = replies.of('c')
  const keep = (text: string) => own?.keep(begun, saying(text), { written: { dialect: 'toolify', text } })
  for (const text of [' one ', ' two ', ' one ', ' three ']) keep(text)
  expect(['one', 'two', 'three', 'four'].map((text) => remembered(replies, text))).toEqual([
    ' one ',
    ' two ',
    ' three ',
    undefined,
  ])
  const three = replies.bytes
  for (let count = 0; count < 100; count++) keep(` ${count} `)
  // The newest stay, and no number of forks is more.
  expect(['one', '0', '99', '98'].map((text) => remembered(replies, text))).toEqual([
    undefined,
    undefined,
    ' 99 ',
    ' 98 ',
  ])
  expect(replies.bytes).toBeLessThan(2 * three)
})

test('a reply that is too long to be compared in one step is not remembered', () => {
  const replies = new KnownReplies(2 ** 30)
  const keep = (text: string) => replies.of('c')?.keep(begun, saying(text), {})
  keep('x'.repeat(300_000))
  expect(replies.bytes).toBe(0)
  keep('x'.repeat(1000))
  expect(replies.bytes).toBeGreaterThan(2000)
})

test('the beginning that names a conversation is bounded, and tells long texts apart by their length', () => {
  const beginning = (length: number): string => {
    const text = 'x'.repeat(length)
    const turns = [
      { role: 'user' as const, parts: Array.from({ length: 50 }, () => ({ type: 'text' as const, text })) },
    ]
    return JSON.stringify(beginningOf({ model: 'm', system: text, turns }))
  }
  expect(beginning(100_000).length).toBeLessThan(140_000)
  expect(beginning(100_000)).not.toBe(beginning(100_001))
  expect(beginning(10)).not.toBe(beginning(11))
})

test('a turn that is far longer than the reply is another text, and not compared', () => {
  const reply = [{ type: 'text' as const, text: 'Done.' }]
  const turn = (text: string) => ({ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] })
  expect(isRememberedReply(turn(`  Done.${' '.repeat(100)}`), reply, [])).toBe(true)
  expect(isRememberedReply(turn(`Done.${' '.repeat(10_000)}`), reply, [])).toBe(false)
})

test('replies are forgotten when they are too many bytes', async () => {
  const { prompts, written } = await tenTurns({ repliesMegabytes: 0.002 })
  const last = prompts.at(-1)?.map(textOf) ?? []
  expect(last).not.toContain(written[0])
})
