import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { responseMisfits } from '../../../test/support/protocols/responses-schema.ts'
import { itemsOfDeltas, readResponseEvents } from '../../../test/support/protocols/responses-stream.ts'
import {
  AnycallError,
  isJsonObject,
  type JsonObject,
  ReplyCollector,
  type ReplyEvent,
} from '../../conversation/index.ts'
import { jsonText } from '../../json/index.ts'
import { createSeals } from '../seals.ts'
import { encodeReply } from './encode.ts'
import type { ResponsesContext } from './response.ts'
import { echoOf } from './response.ts'
import { createEncoder } from './stream.ts'
import { decodeTools } from './tools/tools.ts'

const declared = [
  { type: 'function', name: 'f', parameters: { type: 'object' } },
  { type: 'custom', name: 'patch' },
  { type: 'shell' },
  { type: 'local_shell' },
  { type: 'apply_patch' },
  { type: 'tool_search', execution: 'client' },
  { type: 'namespace', name: 'agents', description: 'Agents.', tools: [{ type: 'function', name: 'wait' }] },
]

const seals = createSeals('secret')

function contextOf(options: Partial<ResponsesContext['options']> = {}): ResponsesContext {
  return {
    id: 'resp_1',
    model: 'a "quoted" model',
    requestId: 'req_1',
    created: 1_700_000_000,
    estimateInputTokens: () => 12,
    options: {
      tools: decodeTools({ tools: declared }, [], []).table,
      reasoningForm: 'content',
      echo: echoOf({ tools: declared }, false),
      made: () => {},
      ...options,
    },
  }
}

async function streamOf(batches: readonly ReplyEvent[][], context = contextOf()): Promise<JsonObject[]> {
  const encoder = createEncoder(context)
  let text = encoder.start()
  for (const batch of batches) text += await encoder.encode(batch)
  return readResponseEvents(text)
}

function responseIn(event: JsonObject | undefined): JsonObject {
  if (!isJsonObject(event?.response)) throw new Error('no response in the event')
  return event.response
}

async function wholeOf(events: readonly ReplyEvent[], context = contextOf()): Promise<JsonObject> {
  const collector = new ReplyCollector()
  collector.push(events)
  const response: unknown = JSON.parse(jsonText(await encodeReply(collector.reply, context)))
  if (!isJsonObject(response)) throw new Error('no response')
  expect(responseMisfits(response)).toEqual([])
  return response
}

/** Items without the parts that differ each time: ids, and envelopes, which are encrypted anew. */
function comparable(items: unknown): unknown {
  return JSON.parse(
    JSON.stringify(items, (key, value: unknown) =>
      key === 'id' || (key === 'encrypted_content' && value !== null) ? 'ANY' : value,
    ),
  )
}

const finish = (reason: 'stop' | 'calls' | 'length' | 'content-filter' = 'stop'): ReplyEvent => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 9, outputTokens: 5, cachedTokens: 4, reasoningTokens: 2 },
})
const called = (index: number, name: string, json: string, complete = true): ReplyEvent[] => [
  { type: 'call-start', index, id: `call_${index}`, name },
  ...[...json].map((character): ReplyEvent => ({ type: 'call-arguments', index, json: character })),
  { type: 'call-end', index, complete },
]

describe('the events of a stream', () => {
  it('come in the order of the API', async () => {
    const events = await streamOf([
      [{ type: 'reasoning', text: 'Hm.' }],
      [{ type: 'text', text: 'I ' }],
      [{ type: 'text', text: 'call.' }],
      called(0, 'f', '{}'),
      [finish('calls')],
    ])
    expect(events.map(({ type }) => String(type).replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'reasoning_text.delta',
      'reasoning_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
    const response = responseIn(events.at(-1))
    expect(response.output).toEqual(itemsOfDeltas(events))
    expect(response.usage).toEqual({
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 14,
    })
  })

  it('hold reasoning as a summary if the client asked for one', async () => {
    const events = await streamOf(
      [[{ type: 'reasoning', text: 'Hm.' }, finish()]],
      contextOf({ reasoningForm: 'summary' }),
    )
    expect(events.slice(2, -1).map(({ type }) => String(type).replace('response.', ''))).toEqual([
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
    ])
  })

  it.each([
    ['stop', 'completed', null],
    ['calls', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content-filter', 'incomplete', { reason: 'content_filter' }],
  ] as const)('end after %s as %s', async (reason, status, details) => {
    const last = (await streamOf([[{ type: 'text', text: 'a' }, finish(reason)]])).at(-1)
    expect(last).toMatchObject({ type: `response.${status}`, response: { status, incomplete_details: details } })
  })

  it('end with the error, and a response that failed with what was whole', async () => {
    const encoder = createEncoder(contextOf())
    let text = encoder.start()
    text += await encoder.encode([
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'b' },
    ])
    text += encoder.fail(new AnycallError('context-length', 'Too long.'))
    const events = readResponseEvents(text)
    expect(events.at(-2)).toMatchObject({ type: 'error', code: 'context_length_exceeded', message: 'Too long.' })
    const response = responseIn(events.at(-1))
    expect(response).toMatchObject({ status: 'failed', error: { code: 'context_length_exceeded' } })
    expect(response.output).toMatchObject([{ type: 'reasoning' }])
    expect(encoder.fail(new AnycallError('internal', 'Again.'))).toBe('')
  })
})

it('a refusal is a message of its own, whole and streamed', async () => {
  const said: ReplyEvent[] = [
    { type: 'text', text: 'Well. ' },
    { type: 'text', text: 'I will ', refusal: true },
    { type: 'text', text: 'not.', refusal: true },
    finish(),
  ]
  const { output } = await wholeOf(said)
  expect(output).toMatchObject([
    { type: 'message', content: [{ type: 'output_text', text: 'Well. ' }] },
    { type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] },
  ])
  const events = await streamOf([said])
  expect(comparable(responseIn(events.at(-1)).output)).toEqual(comparable(output))
  expect(itemsOfDeltas(events)).toEqual(responseIn(events.at(-1)).output)
  expect(
    events
      .filter(({ type }) => String(type).includes('refusal'))
      .map(({ type, delta, refusal }) => [type, delta ?? refusal]),
  ).toEqual([
    ['response.refusal.delta', 'I will '],
    ['response.refusal.delta', 'not.'],
    ['response.refusal.done', 'I will not.'],
  ])
})

describe('a reply that is cut', () => {
  const text: ReplyEvent = { type: 'text', text: 'Hello wor' }
  const thought: ReplyEvent = { type: 'reasoning', text: 'Hm' }

  it.each<['length' | 'content-filter' | 'stop', ReplyEvent[], (string | undefined)[]]>([
    ['length', [thought, text], [undefined, 'incomplete']],
    ['content-filter', [thought, text], [undefined, 'incomplete']],
    ['length', [text, thought], ['completed', 'incomplete']],
    ['length', [text, ...called(0, 'f', '{}')], ['completed', 'completed']],
    ['length', [text, ...called(0, 'f', '{"a":', false)], ['completed', 'incomplete']],
    ['length', [text, ...called(0, 'shell', '{', false)], ['incomplete']],
    ['stop', [thought, text], [undefined, 'completed']],
  ])('by %s after %j has items with the states %j, whole and streamed', async (reason, parts, states) => {
    const events = [...parts, finish(reason)]
    const whole = await wholeOf(events)
    const streamed = await streamOf(events.map((event) => [event]))
    const { output } = responseIn(streamed.at(-1))
    expect(itemsOfDeltas(streamed)).toEqual(output)
    expect(comparable(output)).toEqual(comparable(whole.output))
    expect((output as JsonObject[]).map(({ status }) => status)).toEqual(states)
  })
})

describe('the item of a call', () => {
  it.each<[string, string, JsonObject]>([
    ['f', '{"a":1}', { type: 'function_call', name: 'f', arguments: '{"a":1}' }],
    ['agents__wait', '{}', { type: 'function_call', name: 'wait', namespace: 'agents', arguments: '{}' }],
    ['patch', '{"input":"*** a\\nb"}', { type: 'custom_tool_call', name: 'patch', input: '*** a\nb' }],
    [
      'shell',
      '{"commands":["ls"],"timeout_ms":10}',
      { type: 'shell_call', action: { commands: ['ls'], timeout_ms: 10, max_output_length: null } },
    ],
    [
      'local_shell',
      '{"command":["ls","-l"],"env":{"A":"b"}}',
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls', '-l'], env: { A: 'b' } } },
    ],
    [
      'apply_patch',
      '{"type":"create_file","path":"a","diff":"+b"}',
      { type: 'apply_patch_call', operation: { type: 'create_file', path: 'a', diff: '+b' } },
    ],
    ['tool_search', '{"query":"x"}', { type: 'tool_search_call', execution: 'client', arguments: { query: 'x' } }],
  ])('of %s has its own type, whole and streamed', async (name, json, item) => {
    const events = [...called(0, name, json), finish('calls')]
    const { output } = await wholeOf(events)
    expect(output).toMatchObject([{ call_id: 'call_0', status: 'completed', ...item }])
    const streamed = await streamOf(events.map((event) => [event]))
    expect(comparable(responseIn(streamed.at(-1)).output)).toEqual(comparable(output))
  })

  it.each([
    ['shell', '{"commands":"ls"}'],
    ['apply_patch', '{"type":"move","path":"a"}'],
    ['local_shell', '[]'],
  ])('of %s with arguments that do not fit is text', async (name, json) => {
    const { output } = await wholeOf([...called(0, name, json), finish('calls')])
    expect(output).toMatchObject([{ type: 'message', content: [{ text: expect.stringContaining(json) }] }])
  })

  it('that broke off is incomplete, and its JSON stays open', async () => {
    const { output, status } = await wholeOf([...called(0, 'f', '{"a":', false), finish('length')])
    expect(output).toMatchObject([{ type: 'function_call', status: 'incomplete', arguments: '{"a":' }])
    expect(status).toBe('incomplete')
  })
})

describe('sealed reasoning', () => {
  it('is in the item, whole and streamed, and can be opened', async () => {
    const options = { sealing: { isIncluded: true, seal: (text: string) => seals.seal(text) } }
    const events: ReplyEvent[] = [{ type: 'reasoning', text: 'Hm 😀.' }, { type: 'text', text: 'a' }, finish()]
    const envelopes = [
      (await wholeOf(events, contextOf(options))).output,
      responseIn((await streamOf([events], contextOf(options))).at(-1)).output,
      responseIn(
        (
          await streamOf(
            events.map((event) => [event]),
            contextOf(options),
          )
        ).at(-1),
      ).output,
    ].map((output) => Object((output as JsonObject[])[0]).encrypted_content)
    for (const envelope of envelopes) expect(await seals.open(envelope)).toBe('Hm 😀.')
  })
})

const replyEvent = (index: number): fc.Arbitrary<ReplyEvent[]> =>
  fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }).map((text): ReplyEvent[] => [{ type: 'text', text }]),
    fc.string({ minLength: 1 }).map((text): ReplyEvent[] => [{ type: 'reasoning', text }]),
    fc
      .tuple(
        fc.constantFrom('f', 'patch', 'shell', 'agents__wait', 'unknown'),
        fc.constantFrom('{"a":"é😀"}', '{"input":"x\\ud83d\\ude00\\n"}', '{"commands":["ls"]}', '{"', '', '{'),
        fc.boolean(),
      )
      .map(([name, json, complete]) => called(index, name, json, complete)),
    fc.constant<ReplyEvent[]>([{ type: 'notice', notice: { code: 'x', message: 'y' } }]),
  )

describe('any reply', () => {
  it('has the same items whole, streamed and in the deltas of the stream, however it is split', async () => {
    const replies = fc
      .array(fc.nat(), { maxLength: 6 })
      .chain((places) => fc.tuple(...places.map((_, index) => replyEvent(index))))
    await fc.assert(
      fc.asyncProperty(
        replies,
        fc.array(fc.integer({ min: 1, max: 9 })),
        fc.constantFrom('summary' as const, 'content' as const),
        fc.boolean(),
        fc.constantFrom('stop' as const, 'length' as const),
        async (parts, cuts, reasoningForm, isSealed, reason) => {
          const context = contextOf({
            reasoningForm,
            ...(isSealed && { sealing: { isIncluded: true, seal: (text: string) => seals.seal(text) } }),
          })
          const events = [...parts.flat(), finish(reason)]
          const whole = await wholeOf(events, context)
          const batches: ReplyEvent[][] = []
          for (let at = 0, cut = 0; at < events.length; cut++) {
            const size = cuts[cut % Math.max(1, cuts.length)] ?? 1
            batches.push(events.slice(at, at + size))
            at += size
          }
          const streamed = await streamOf(batches, context)
          const { output, status } = responseIn(streamed.at(-1))
          expect(itemsOfDeltas(streamed)).toEqual(output)
          expect(comparable(output)).toEqual(comparable(whole.output))
          expect(status).toBe(whole.status)
        },
      ),
      { numRuns: lawRuns },
    )
  })
})
