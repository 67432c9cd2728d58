import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Conversation,
  completeConversation,
  ReplyCollector,
  type ReplyEvent,
  type Tool,
  type Turn,
} from '../../src/conversation/index.ts'
import { lawRuns } from '../support/draws.ts'
import { type ProtocolForm, protocolForms } from '../support/protocols/forms.ts'
import type { ReadReply } from '../support/protocols/read-reply.ts'

/** Every conversation says the same in every protocol, and every reply is read as the same. */

const tools: Tool[] = [
  {
    name: 'get_weather',
    description: 'The weather.',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'now', description: '', schema: { type: 'object', properties: {} } },
]
const text = (text: string) => ({ type: 'text', text }) as const
const user = (...parts: Extract<Turn, { role: 'user' }>['parts']): Turn => ({ role: 'user', parts })
const assistant = (...parts: Extract<Turn, { role: 'assistant' }>['parts']): Turn => ({ role: 'assistant', parts })
const call = (id: string, name: string, json: string) => ({ type: 'call', id, name, arguments: json }) as const
const result = (callId: string, name: string, said: string, isError = false) => ({
  type: 'result' as const,
  callId,
  name,
  content: [text(said)],
  isError,
})
const image = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' } as const

type Need = ProtocolForm['lacks'][number]

const conversations: [what: string, needs: Need[], conversation: Partial<Conversation>][] = [
  ['a question', [], { turns: [user(text('Hi «𝒳».\n\n<invoke>"x"</invoke>'))] }],
  [
    'a system prompt',
    [],
    { system: 'Be brief.', turns: [user(text('Hi')), assistant(text('Yes?')), user(text('Go on.'))] },
  ],
  [
    'system text between the turns',
    ['system-turn'],
    { turns: [user(text('a')), { role: 'system', text: 'S' }, user(text('b'))] },
  ],
  [
    'parallel calls and their results',
    [],
    {
      tools,
      turns: [
        user(text('Compare.')),
        assistant(
          { type: 'reasoning', text: 'Two\nlookups.' },
          text('I look.'),
          call('call_a', 'get_weather', '{"city":"Paris \\"1\\"\\n"}'),
          call('call_b', 'get_weather', '{"city":"Rome"}'),
          call('call_c', 'now', '{}'),
        ),
        user(
          result('call_a', 'get_weather', 'Sunny.'),
          result('call_b', 'get_weather', '{"t":1}'),
          result('call_c', 'now', '12'),
        ),
        assistant(text('Sunny in Paris.')),
        user(text('Thanks.')),
      ],
    },
  ],
  [
    'a tool that failed',
    ['is-error'],
    {
      tools,
      turns: [user(text('a')), assistant(call('call_a', 'now', '{}')), user(result('call_a', 'now', 'no clock', true))],
    },
  ],
  ['an image', [], { turns: [user(text('What is it?'), image)] }],
  ...(['auto', 'none', 'required'] as const).map((type): [string, Need[], Partial<Conversation>] => [
    `the choice ${type}`,
    ['tool-choice'],
    { tools, toolChoice: { type }, turns: [user(text('a'))] },
  ]),
  ['one call at a time', ['serial-calls'], { tools, parallelCalls: false, turns: [user(text('a'))] }],
  ['limits', [], { maxTokens: 100, sampling: { temperature: 0.5 }, turns: [user(text('a'))] }],
  ['stop sequences', ['stop-sequences'], { stopSequences: ['END'], turns: [user(text('a'))] }],
  [
    'a format',
    [],
    {
      responseFormat: { type: 'json-schema', schema: { type: 'object', properties: { a: { type: 'string' } } } },
      turns: [user(text('a'))],
    },
  ],
]

/**
 * A conversation without the properties that have different defaults in protocols, and with parts joined that may be
 * split without a difference to a model.
 */
function comparable({ turns, reasoning: _, ...conversation }: Conversation): object {
  const format = conversation.responseFormat
  return {
    ...conversation,
    ...(format?.type === 'json-schema' && { responseFormat: { type: format.type, schema: format.schema } }),
    turns: turns.reduce<Turn[]>((joined, turn) => {
      const last = joined.at(-1)
      if (turn.role === 'user' && last?.role === 'user' && !turn.parts.some(({ type }) => type === 'result')) {
        joined[joined.length - 1] = { role: 'user', parts: [...last.parts, ...turn.parts] }
      } else joined.push(turn)
      return joined
    }, []),
  }
}

describe.each(protocolForms)('$name', (form) => {
  const said = conversations.filter(([, needs]) => !needs.some((need) => form.lacks.includes(need)))
  test.each(said)('says %s', async (_, __, partial) => {
    const conversation = completeConversation({ model: 'm', turns: [], ...partial })
    const { conversation: decoded, notices } = await form.decodeWritten(conversation)
    expect(comparable(decoded)).toEqual(comparable(conversation))
    expect(notices).toEqual([])
  })

  test('has the same reply, streamed and whole', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, async (events) => {
        const collector = new ReplyCollector()
        collector.push(events)
        const expected = expectedOf(events)
        const streamed = await form.throughStream(
          events.map((event) => [event]),
          asked,
        )
        expect(neutral(streamed)).toEqual(expected)
        expect(neutral(await form.throughWhole(collector.reply, asked))).toEqual(expected)
      }),
      { numRuns: lawRuns * 3 },
    )
  })
})

const asked = completeConversation({ model: 'm', tools, turns: [user(text('a'))] })

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
const anyValue = fc.constantFrom('{}', '{"city":"São \\"Paulo\\""}', '{ "city" :\n"\\u00e9𝒳" }')

/** Replies whose calls are complete: APIs differ in how they say that one broke off. */
const anyReply = fc
  .array(
    fc.oneof(
      anyText.map((one): ReplyEvent[] => [{ type: 'text', text: one }]),
      anyText.map((one): ReplyEvent[] => [{ type: 'reasoning', text: one }]),
      anyValue.map((json): ReplyEvent[] => [
        { type: 'call-start', index: 0, id: 'call_0', name: 'get_weather' },
        { type: 'call-arguments', index: 0, json: json.slice(0, 9) },
        { type: 'call-arguments', index: 0, json: json.slice(9) },
        { type: 'call-end', index: 0, complete: true },
      ]),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((lists) =>
    fc.constantFrom('stop' as const, 'length' as const).map((end): ReplyEvent[] => {
      const events = lists.flatMap((list, at) =>
        list.map((event) => ({
          ...event,
          ...('index' in event && { index: at }),
          ...('id' in event && { id: `call_${at}` }),
        })),
      )
      const reason = end === 'stop' && events.some(({ type }) => type === 'call-start') ? 'calls' : end
      return [...events, { type: 'finish', reason }]
    }),
  )

interface NeutralReply {
  text: string
  reasoning: string
  calls: { name: string; input: unknown }[]
  isCut: boolean
}

/** The words of all APIs for a reply that was cut. */
const cut: ReadonlySet<unknown> = new Set(['max_tokens', 'length', 'incomplete', 'MAX_TOKENS'])

function neutral({ text: said, reasoning, calls, finish }: ReadReply): NeutralReply {
  return { text: said, reasoning, calls: calls.map(({ name, input }) => ({ name, input })), isCut: cut.has(finish) }
}

function expectedOf(events: readonly ReplyEvent[]): NeutralReply {
  const textOf = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('')
  const json = new Map<number, string>()
  for (const event of events)
    if (event.type === 'call-arguments') json.set(event.index, (json.get(event.index) ?? '') + event.json)
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: [...json.values()].map((one) => ({ name: 'get_weather', input: JSON.parse(one) })),
    isCut: events.some((event) => event.type === 'finish' && event.reason === 'length'),
  }
}
