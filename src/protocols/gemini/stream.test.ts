import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { readGeminiReply, readGeminiStream } from '../../../test/support/protocols/gemini-reply.ts'
import { AnycallError, ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import { createSeals } from '../seals.ts'
import type { GeminiContext } from './encode.ts'
import { encodeReply } from './encode.ts'
import { createEncoder } from './stream.ts'

const seals = createSeals('secret')

function contextOf(options: Partial<GeminiContext['options']> = {}): GeminiContext {
  return {
    id: 'abc',
    model: 'a "quoted" model',
    requestId: 'req_1',
    created: 1_700_000_000,
    estimateInputTokens: () => 12,
    options: { includeThoughts: true, stream: 'events', seal: (text) => seals.seal(text), ...options },
  }
}

async function textOf(batches: readonly ReplyEvent[][], context = contextOf()): Promise<string> {
  const encoder = createEncoder(context)
  let text = encoder.start()
  for (const batch of batches) text += (await encoder.encode(batch)) + encoder.ping()
  return text
}

function wholeOf(events: readonly ReplyEvent[], context = contextOf()) {
  const collector = new ReplyCollector()
  collector.push(events)
  return encodeReply(collector.reply, context)
}

const text = (text: string): ReplyEvent => ({ type: 'text', text })
const reasoning = (text: string): ReplyEvent => ({ type: 'reasoning', text })
const finish = (reason: 'stop' | 'calls' | 'length' | 'content-filter' = 'stop'): ReplyEvent => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 9, outputTokens: 5, cachedTokens: 4, reasoningTokens: 2 },
})
const called = (index: number, json: string, complete = true): ReplyEvent[] => [
  { type: 'call-start', index, id: `call_${index}`, name: 'f' },
  ...[...json].map((character): ReplyEvent => ({ type: 'call-arguments', index, json: character })),
  { type: 'call-end', index, complete },
]

describe('a stream', () => {
  it('has a part in each chunk, and the usage in the last', async () => {
    const events = [[reasoning('Hm.')], [text('I ')], [text('call.')], called(0, '{"a":1}'), [finish('calls')]]
    const chunks = (await textOf(events))
      .split('\n\n')
      .filter((block) => block !== '')
      .map((block) => JSON.parse(block.slice('data: '.length)))
    const ends = { modelVersion: 'a "quoted" model', responseId: 'abc' }
    const chunkOf = (part: object) => ({
      candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }],
      ...ends,
    })
    const signature = chunks[1]?.candidates[0].content.parts[0].thoughtSignature
    expect(chunks).toEqual([
      chunkOf({ text: 'Hm.', thought: true }),
      chunkOf({ text: 'I ', thoughtSignature: signature }),
      chunkOf({ text: 'call.' }),
      chunkOf({ functionCall: { id: 'call_0', name: 'f', args: { a: 1 } } }),
      {
        candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
        usageMetadata: {
          promptTokenCount: 9,
          candidatesTokenCount: 3,
          totalTokenCount: 14,
          cachedContentTokenCount: 4,
          thoughtsTokenCount: 2,
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
        },
        ...ends,
      },
    ])
    expect(await seals.open(signature)).toBe('Hm.')
  })

  it.each([
    ['shown', true, 'Hm.'],
    ['not shown', false, ''],
  ])('seals thoughts that are %s', async (_, includeThoughts, shown) => {
    const context = contextOf({ includeThoughts })
    for (const last of [[text('a')], called(0, '{}'), []]) {
      const events = [reasoning('H'), reasoning('m.'), ...last, finish()]
      const read = readGeminiStream(await textOf([events.slice(0, 1), events.slice(1)], context))
      const whole = readGeminiReply([await wholeOf(events, context)])
      for (const { reasoning: thoughts, signatures = [] } of [read, whole]) {
        expect(thoughts).toBe(shown)
        expect(await Promise.all(signatures.map((one) => seals.open(one)))).toEqual(['Hm.'])
      }
    }
  })

  it('is one array of JSON if events were not asked for', async () => {
    const context = contextOf({ stream: 'array' })
    const read = readGeminiStream((await textOf([[text('a')], [text('b')], [finish()]], context)).replace(/^\n+/, ''))
    expect(read).toMatchObject({ text: 'ab', finish: 'STOP' })
    const encoder = createEncoder(context)
    expect(JSON.parse(encoder.fail(new AnycallError('timeout', 'Late.')))).toMatchObject([{ error: { code: 504 } }])
  })

  it.each(['events', 'array'] as const)('of %s ends with an error in its form, and with nothing after it', (stream) => {
    const encoder = createEncoder(contextOf({ stream }))
    const begun = encoder.encode([text('a')])
    const failed = encoder.fail(new AnycallError('overloaded', 'Busy.', { retryAfter: 3 }))
    expect(readGeminiStream(`${begun}${failed}`)).toMatchObject({ text: 'a', error: 'Busy.' })
    expect(failed).toContain('"status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo"')
    expect([encoder.fail(new AnycallError('internal', 'x')), encoder.ping(), encoder.encode([finish()])]).toEqual([
      '',
      '',
      '',
    ])
  })

  it.each<[Parameters<typeof finish>[0], boolean, string]>([
    ['stop', true, 'STOP'],
    ['calls', true, 'STOP'],
    ['calls', false, 'MALFORMED_FUNCTION_CALL'],
    ['length', false, 'MAX_TOKENS'],
    ['content-filter', true, 'SAFETY'],
  ])('that ended with %s, its call complete: %s, says %s', async (reason, complete, said) => {
    const events = [...called(0, complete ? '{}' : '{"a', complete), finish(reason)]
    expect(readGeminiStream(await textOf([events])).finish).toBe(said)
    expect(readGeminiReply([await wholeOf(events)]).finish).toBe(said)
  })
})

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
const anyEvents = fc
  .array(
    fc.oneof(
      anyText.map((one): ReplyEvent[] => [...one].map((half) => text(half))),
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

it('says in pieces what a whole reply says', async () => {
  await fc.assert(
    fc.asyncProperty(anyEvents, fc.boolean(), async (events, includeThoughts) => {
      const context = contextOf({ includeThoughts })
      const all = [...events, finish()]
      const streamed = readGeminiStream(
        await textOf(
          all.map((event) => [event]),
          context,
        ),
      )
      const whole = readGeminiReply([await wholeOf(all, context)])
      const opened = async (signatures: string[] = []) => Promise.all(signatures.map((one) => seals.open(one)))
      expect({ ...streamed, signatures: await opened(streamed.signatures) }).toEqual({
        ...whole,
        signatures: await opened(whole.signatures),
      })
      expect(streamed.text).not.toMatch(/\p{Surrogate}/u)
    }),
    { numRuns: lawRuns * 5 },
  )
})
