import Anthropic from '@anthropic-ai/sdk'
import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { AnycallError, type FinishReason, ReplyCollector, type ReplyEvent } from '../../../conversation/index.ts'
import type { ReplyContext } from '../../protocol.ts'
import { encodeReply, thinkingSignature } from './encode.ts'
import { createEncoder } from './stream.ts'

const context: ReplyContext<Record<string, never>> = {
  id: 'msg_1',
  model: 'claude-x',
  requestId: 'req_1',
  created: 0,
  estimateInputTokens: () => 50,
  options: {},
}

type Data = Record<string, unknown> & { type: string }

function parse(sse: string): Data[] {
  const found: Data[] = []
  const parser = createParser({
    onEvent: (message) => {
      const data: Data = JSON.parse(message.data)
      expect(message.event).toBe(data.type)
      found.push(data)
    },
  })
  parser.feed(sse)
  return found
}

/** Members of usage that the API's schema requires, and of which nothing is known here. */
const notCounted = {
  output_tokens_details: null,
  server_tool_use: null,
  cache_creation: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
}

function stream(batches: ReplyEvent[][]): string {
  const encoder = createEncoder(context)
  return encoder.start() + batches.map((batch) => encoder.encode(batch)).join('')
}

const finish = (reason: FinishReason = 'stop'): ReplyEvent => ({ type: 'finish', reason })

function callEvents(index: number, id: string, pieces: string[], complete = true): ReplyEvent[] {
  return [
    { type: 'call-start', index, id, name: 'get_weather' },
    ...pieces.map((json): ReplyEvent => ({ type: 'call-arguments', index, json })),
    { type: 'call-end', index, complete },
  ]
}

/** The message that a strict client puts together; it refuses every event out of order. */
function collect(events: Data[]) {
  const blocks: Record<string, string>[] = []
  const message: Record<string, unknown> = {}
  let open: Record<string, string> | undefined
  let state: 'before' | 'within' | 'delta' | 'after' = 'before'
  for (const event of events) {
    switch (event.type) {
      case 'message_start':
        expect(state).toBe('before')
        state = 'within'
        Object.assign(message, event.message)
        break
      case 'content_block_start': {
        expect([state, open]).toEqual(['within', undefined])
        expect(event.index).toBe(blocks.length)
        open = { ...(event.content_block as Record<string, string>) }
        if (open.type === 'tool_use') {
          expect(open.input).toEqual({})
          open.input = ''
        }
        blocks.push(open)
        break
      }
      case 'content_block_delta': {
        expect([event.index, open === undefined]).toEqual([blocks.length - 1, false])
        const { type, ...delta } = event.delta as Record<string, string>
        const [[field, piece] = ['', '']] = Object.entries(delta)
        expect(`${open?.type} ${type} ${field}`).toMatch(
          /^(text text_delta text|thinking (thinking_delta thinking|signature_delta signature)|tool_use input_json_delta partial_json)$/,
        )
        // The signature is the last thing of its block.
        if (open?.type === 'thinking') expect(open.signature).toBe('')
        expect(piece).not.toBe('')
        const target = field === 'partial_json' ? 'input' : field
        if (open !== undefined) open[target] = (open[target] ?? '') + piece
        break
      }
      case 'content_block_stop':
        expect([event.index, open === undefined]).toEqual([blocks.length - 1, false])
        open = undefined
        break
      case 'message_delta':
        expect([state, open]).toEqual(['within', undefined])
        state = 'delta'
        Object.assign(message, event.delta, { usage: event.usage })
        break
      case 'message_stop':
        expect(state).toBe('delta')
        state = 'after'
        break
      default:
        expect(event.type).toBe('ping')
    }
  }
  expect(state).toBe('after')
  return { message, blocks }
}

describe('a streamed reply', () => {
  it('begins with an empty message that has a usage', () => {
    expect(parse(createEncoder(context).start())).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          container: null,
          diagnostics: null,
          usage: {
            input_tokens: 50,
            output_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            ...notCounted,
          },
        },
      },
    ])
  })

  it('is written event by event as the API writes it', () => {
    const encoder = createEncoder(context)
    const usage = { inputTokens: 60, outputTokens: 9, cachedTokens: 20 }
    const written = parse(
      encoder.encode([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Let me' },
        { type: 'notice', notice: { code: 'x', message: 'y' } },
        { type: 'text', text: ' look.' },
        ...callEvents(0, 'toolu_1', ['', '{"city":', '"Oslo"}']),
        { type: 'finish', reason: 'calls', usage },
      ]),
    )
    expect(written).toEqual([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: thinkingSignature } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' look.' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {}, caller: { type: 'direct' } },
      },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null, container: null },
        usage: {
          input_tokens: 40,
          output_tokens: 9,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 20,
          ...notCounted,
        },
      },
      { type: 'message_stop' },
    ])
  })

  it('leaves the JSON of a call that broke off open', () => {
    const { blocks, message } = collect(
      parse(stream([[...callEvents(0, 'a', ['{"city":"Os'], false), finish('length')]])),
    )
    expect(blocks).toMatchObject([{ type: 'tool_use', input: '{"city":"Os' }])
    expect(message.stop_reason).toBe('max_tokens')
  })

  it('closes a call before the next block, even where its end did not come', () => {
    const [start, ...rest] = callEvents(0, 'a', ['{}'])
    if (start === undefined) throw new Error('a call has a start')
    const events: ReplyEvent[] = [start, { type: 'text', text: 'x' }, ...rest, ...callEvents(1, 'b', ['{}']), finish()]
    const { blocks } = collect(parse(stream([events])))
    expect(blocks.map((block) => block.type)).toEqual(['tool_use', 'text', 'tool_use'])
  })

  it('without content has no block', () => {
    const { blocks, message } = collect(parse(stream([[{ type: 'text', text: '' }, finish()]])))
    expect(blocks).toEqual([])
    expect(message).toMatchObject({ stop_reason: 'end_turn', usage: { output_tokens: 0 } })
  })

  it('joins surrogate pairs that come in halves', () => {
    const encoder = createEncoder(context)
    const halves = encoder.encode([
      { type: 'text', text: 'a\ud83d' },
      { type: 'text', text: '\ude00b' },
    ])
    expect(parse(halves).map((data) => data.delta ?? null)).toEqual([
      null,
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: '😀b' },
    ])
  })

  it('keeps half a pair whose other half never comes', () => {
    const { blocks } = collect(
      parse(stream([[{ type: 'reasoning', text: '\ud83d' }, { type: 'text', text: 'x' }, finish()]])),
    )
    expect(blocks).toMatchObject([{ thinking: '\ud83d' }, { text: 'x' }])
  })

  it('pings at any time before its end', () => {
    const encoder = createEncoder(context)
    expect(encoder.ping()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
    encoder.encode([finish()])
    expect(encoder.ping()).toBe('')
  })

  it('ends with an error where it fails, and with nothing after it', () => {
    const encoder = createEncoder(context)
    encoder.encode([{ type: 'text', text: 'x' }])
    const failure = encoder.fail(new AnycallError('overloaded', 'The upstream is full.'))
    expect(parse(failure)).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'The upstream is full.' }, request_id: 'req_1' },
    ])
    expect(encoder.encode([{ type: 'text', text: 'y' }, finish()])).toBe('')
    expect(encoder.fail(new AnycallError('internal', 'again'))).toBe('')
  })

  it('does not fail once it is over', () => {
    const encoder = createEncoder(context)
    encoder.encode([finish()])
    expect(encoder.fail(new AnycallError('upstream', 'late'))).toBe('')
  })
})

describe('whole and streamed replies', () => {
  const pieces = (text: string, cuts: number[]): string[] => {
    const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
    return [0, ...at].map((start, index) => text.slice(start, at[index]))
  }
  const cuts = fc.array(fc.nat(), { maxLength: 6 })
  const prose = fc
    .tuple(fc.constantFrom('text' as const, 'reasoning' as const), fc.string({ unit: 'binary', maxLength: 30 }), cuts)
    .map(([type, text, at]) => pieces(text, at).map((piece): ReplyEvent => ({ type, text: piece })))
  const notice = fc.constant<ReplyEvent[]>([{ type: 'notice', notice: { code: 'x', message: 'y' } }])
  const args = fc
    .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }))
    .map((value) => JSON.stringify(value))
  const call = fc
    .record({
      json: args,
      complete: fc.boolean(),
      keep: fc.nat(),
      cuts,
      name: fc.string({ minLength: 1, maxLength: 8 }),
    })
    .map((made) => ({ ...made, json: made.complete ? made.json : made.json.slice(0, made.keep % made.json.length) }))
  const segment = fc.oneof(
    prose.map((events) => () => events),
    notice.map((events) => () => events),
    call.map(({ json, complete, cuts: at, name }) => (index: number): ReplyEvent[] => [
      { type: 'call-start', index, id: `toolu_${index}`, name },
      ...pieces(json, at).map((piece): ReplyEvent => ({ type: 'call-arguments', index, json: piece })),
      { type: 'call-end', index, complete },
    ]),
  )
  const count = fc.option(fc.nat(1000), { nil: undefined })
  const end = fc
    .record({
      reason: fc.constantFrom<FinishReason>('stop', 'calls', 'length', 'stop-sequence', 'content-filter'),
      inputTokens: count,
      outputTokens: count,
      cachedTokens: count,
    })
    .map(
      ({ reason, inputTokens, outputTokens, cachedTokens }): ReplyEvent => ({
        type: 'finish',
        reason,
        ...(reason === 'stop-sequence' && { stopSequence: 'END' }),
        usage: {
          ...(inputTokens !== undefined && { inputTokens }),
          ...(outputTokens !== undefined && { outputTokens }),
          ...(cachedTokens !== undefined && { cachedTokens }),
        },
      }),
    )
  const replyEvents = fc
    .tuple(fc.array(segment, { maxLength: 8 }), end)
    .map(([segments, last]) => [...segments.flatMap((events, index) => events(index)), last])
  const batched = fc.tuple(replyEvents, cuts).map(([events, at]) => {
    const starts = [...new Set([0, ...at.map((cut) => cut % events.length)])].sort((a, b) => a - b)
    return starts.map((start, index) => events.slice(start, starts[index + 1]))
  })

  it('hold the same blocks, the same end and the same usage', () => {
    fc.assert(
      fc.property(batched, (batches) => {
        const collector = new ReplyCollector()
        for (const batch of batches) collector.push(batch)
        const { reply } = collector
        const cut = new Map(
          reply.parts.flatMap((part) => (part.type === 'call' && !part.complete ? [[part.id, part.arguments]] : [])),
        )

        const { content, ...whole } = encodeReply(reply, context)
        const { message, blocks } = collect(parse(stream(batches)))

        expect({ ...message, content: undefined }).toEqual({ ...whole, content: undefined })
        const expected = blocks.map((block) => {
          const { id = '', input = '' } = block
          if (block.type !== 'tool_use') return block
          if (!cut.has(id)) return { ...block, input: JSON.parse(input === '' ? '{}' : input) }
          expect(input).toBe(cut.get(id))
          return { type: 'text', text: expect.stringContaining(`${input}]`), citations: [] }
        })
        expect(content).toEqual(expected)
      }),
      { numRuns: 20 * lawRuns },
    )
  })

  it('give well-formed text in every delta, wherever the reply was split', () => {
    fc.assert(
      fc.property(batched, (batches) => {
        for (const { delta } of parse(stream(batches))) {
          const values = Object.values(delta ?? {}).filter((value) => typeof value === 'string')
          // Encoding puts U+FFFD in the place of half a pair.
          for (const value of values)
            expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(value))).toBe(value)
        }
      }),
      { numRuns: 15 * lawRuns },
    )
  })
})

describe('the Anthropic SDK', () => {
  function client(sse: string): Anthropic {
    const headers = { 'content-type': 'text/event-stream' }
    return new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: async () => new Response(sse, { headers }) })
  }
  const request: Anthropic.MessageStreamParams = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
  }
  const events: ReplyEvent[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Two calls.' },
    ...callEvents(0, 'toolu_1', ['{"city":', '"Oslo"}']),
    ...callEvents(1, 'toolu_2', []),
    finish('calls'),
  ]

  it('reads a stream as the whole reply', async () => {
    const collector = new ReplyCollector()
    collector.push(events)
    const message = await client(stream([events]))
      .messages.stream(request)
      .finalMessage()
    expect(JSON.parse(JSON.stringify(message))).toMatchObject({ ...encodeReply(collector.reply, context) })
  })

  it.each<[where: string, pieces: string[]]>([
    ['after its name', []],
    ['after its brace', ['{']],
  ])('gets no call without arguments where one breaks off %s', async (_, pieces) => {
    const batches = [[...callEvents(0, 'toolu_1', pieces, false), finish('length')]]
    const message = await client(stream(batches)).messages.stream(request).finalMessage()
    expect(message.content).toEqual([
      {
        type: 'text',
        text: '[The call of the tool get_weather broke off before its arguments and was not made.]',
        citations: [],
      },
    ])
  })

  it('throws the error of a stream that fails', async () => {
    const encoder = createEncoder(context)
    const sse = encoder.start() + encoder.fail(new AnycallError('overloaded', 'The upstream is full.'))
    await expect(client(sse).messages.stream(request).finalMessage()).rejects.toThrow('The upstream is full.')
  })
})
