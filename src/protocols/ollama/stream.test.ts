import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { readOllamaReply, readOllamaStream } from '../../../test/support/protocols/ollama-reply.ts'
import { AnycallError, ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import type { OllamaContext } from './encode.ts'
import { encodeReply } from './encode.ts'
import { createEncoder } from './stream.ts'

function contextOf(endpoint: 'chat' | 'generate' = 'chat'): OllamaContext {
  let ms = 0
  return {
    id: '',
    model: 'a "quoted" model',
    requestId: 'req_1',
    created: 1_700_000_000,
    estimateInputTokens: () => 12,
    options: { endpoint, elapsed: () => (ms += 10) },
  }
}

function textOf(batches: readonly ReplyEvent[][], context = contextOf()): string {
  const encoder = createEncoder(context)
  return encoder.start() + batches.map((batch) => encoder.encode(batch) + encoder.ping()).join('')
}

function wholeOf(events: readonly ReplyEvent[], context = contextOf()) {
  const collector = new ReplyCollector()
  collector.push(events)
  return encodeReply(collector.reply, context)
}

const text = (text: string): ReplyEvent => ({ type: 'text', text })
const reasoning = (text: string): ReplyEvent => ({ type: 'reasoning', text })
const finish = (reason: 'stop' | 'calls' | 'length' = 'stop'): ReplyEvent => ({ type: 'finish', reason })
const called = (index: number, json: string, complete = true): ReplyEvent[] => [
  { type: 'call-start', index, id: `call_${index}`, name: 'f' },
  ...[...json].map((character): ReplyEvent => ({ type: 'call-arguments', index, json: character })),
  { type: 'call-end', index, complete },
]

describe('a stream', () => {
  it('has a line for each piece, and counts and durations in the last', () => {
    const encoder = createEncoder(contextOf())
    const events = [[reasoning('Hm.')], [text('I call.')], called(0, '{"a":1}'), [finish('calls')]]
    const lines = events.map((batch) => encoder.encode(batch).trimEnd()).map((line) => JSON.parse(line))
    const head = { model: 'a "quoted" model', created_at: '2023-11-14T22:13:20.000Z' }
    const said = (message: object) => ({ ...head, message: { role: 'assistant', ...message }, done: false })
    expect(lines).toEqual([
      said({ content: '', thinking: 'Hm.' }),
      said({ content: 'I call.' }),
      said({ content: '', tool_calls: [{ id: 'call_0', function: { index: 0, name: 'f', arguments: { a: 1 } } }] }),
      {
        ...head,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        total_duration: 20_000_000,
        load_duration: 0,
        prompt_eval_count: 12,
        prompt_eval_duration: 10_000_000,
        eval_count: 5,
        eval_duration: 10_000_000,
      },
    ])
  })

  it('of a single prompt has its text in `response`', () => {
    const events = [reasoning('Hm.'), text('Yes.'), finish('length')]
    const expected = { text: 'Yes.', reasoning: 'Hm.', calls: [], finish: 'length' }
    expect(readOllamaStream(textOf([events], contextOf('generate')), 'generate')).toEqual(expected)
    expect(readOllamaReply([wholeOf(events, contextOf('generate'))], 'generate')).toEqual(expected)
  })

  it('ends with an error on a line, and with nothing after it', () => {
    const encoder = createEncoder(contextOf())
    const lines = encoder.encode([text('a')]) + encoder.fail(new AnycallError('overloaded', 'Busy.'))
    expect(readOllamaStream(lines)).toMatchObject({ text: 'a', error: 'Busy.' })
    expect([encoder.fail(new AnycallError('internal', 'x')), encoder.ping(), encoder.encode([finish()])]).toEqual([
      '',
      '',
      '',
    ])
  })

  it('says that a call broke off', () => {
    const read = readOllamaStream(textOf([[...called(0, '{"a', false), finish('length')]]))
    expect(read).toMatchObject({ text: expect.stringContaining('broke off'), calls: [], finish: 'length' })
  })
})

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
const anyEvents = fc
  .array(
    fc.oneof(
      anyText.map((one): ReplyEvent[] => one.split('').map((half) => text(half))),
      anyText.map((one): ReplyEvent[] => one.split('').map((half) => reasoning(half))),
      fc
        .constantFrom(['{"a":1}', true], ['{"a":', false], ['{', false], ['[1]', true], ['', true])
        .map(([json, complete]) => called(0, String(json), complete === true)),
    ),
    { maxLength: 6 },
  )
  .map((lists) =>
    lists.flatMap((list, at) => list.map((event) => ('index' in event ? { ...event, index: at } : event))),
  )

it('says in pieces what a whole reply says', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const all = [...events, finish()]
      const streamed = readOllamaStream(textOf(all.map((event) => [event])))
      expect(streamed).toEqual(readOllamaReply([wholeOf(all)]))
      expect(streamed.text + streamed.reasoning).not.toMatch(/\p{Surrogate}/u)
    }),
    { numRuns: lawRuns * 5 },
  )
})
