import { describe, expect, test, vi } from 'vitest'
import { AnycallError, type Conversation } from '../../conversation/index.ts'
import type { MessagesRequest, PromptSource, UpstreamEvent } from '../upstream.ts'
import { messagesOf } from '../upstream.ts'
import { createScriptedUpstream, type Play, type Playback, playText } from './scripted.ts'

const ask = (text: string, more: Partial<MessagesRequest> = {}): MessagesRequest => ({
  type: 'messages',
  model: 'anycall-scripted',
  messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
  sampling: {},
  ...more,
})
const context = (signal: AbortSignal = new AbortController().signal) => ({ signal, requestId: 'r1', log: () => {} })
const upstream = (play?: Playback) => createScriptedUpstream(play === undefined ? { name: 's' } : { name: 's', play })

async function collect(stream: AsyncIterable<UpstreamEvent[]>): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const batch of stream) events.push(...batch)
  return events
}
const textOf = (events: readonly UpstreamEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

test('has one model', async () => {
  const model = upstream()
  expect({ name: model.name, type: model.type }).toEqual({ name: 's', type: 'scripted' })
  expect(await model.models()).toEqual([{ id: 'anycall-scripted' }])
})

describe('by itself it', () => {
  test('answers in small pieces, one a batch, then usage and finish', async () => {
    const batches: UpstreamEvent[][] = []
    for await (const batch of await upstream().generate(ask('Hello there'), context())) batches.push(batch)
    const pieces = batches.slice(0, -1)
    expect(pieces.length).toBeGreaterThan(5)
    for (const piece of pieces) {
      expect(piece).toHaveLength(1)
      expect(textOf(piece)).toMatch(/^.{1,4}$/)
    }
    const written = textOf(pieces.flat())
    expect(written).toContain('scripted model')
    expect(batches.at(-1)).toEqual([
      {
        type: 'usage',
        usage: { inputTokens: 3, outputTokens: Math.min(Math.ceil(written.length / 4), pieces.length) },
      },
      { type: 'finish', reason: 'stop' },
    ])
  })

  test('the same request twice gives the same pieces', async () => {
    const model = upstream()
    const first = await collect(await model.generate(ask('Tell me a story'), context()))
    expect(await collect(await model.generate(ask('Tell me a story'), context()))).toEqual(first)
  })

  test('stops at the token limit and says so', async () => {
    const events = await collect(await upstream().generate(ask('Hello', { maxTokens: 3 }), context()))
    expect(events.filter((event) => event.type === 'text')).toHaveLength(3)
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' })
    const enough = await collect(await upstream().generate(ask('Hello', { maxTokens: 10_000 }), context()))
    expect(enough.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })
})

test('plays replies with calls as the prompt has them, then replies by itself', async () => {
  const paris = { name: 'get_weather', arguments: { city: 'Paris' } }
  const model = createScriptedUpstream({
    name: 's',
    replies: [{ text: 'I look.', calls: [paris] }, {}, { text: 'Done.' }],
  })
  const conversation: Conversation = {
    ...{ model: 'm', system: '', turns: [], tools: [], toolChoice: { type: 'auto' }, parallelCalls: true },
    ...{ stopSequences: [], sampling: {} },
  }
  const writeReply: PromptSource['writeReply'] = (parts) => JSON.stringify(parts)
  const said: unknown[] = []
  for (let n = 0; n < 4; n++) {
    const source: PromptSource = { conversation, writeReply }
    said.push(JSON.parse(textOf(await collect(await model.generate(ask('x'), { ...context(), source })))))
  }
  const itself = [{ type: 'text', text: expect.stringContaining('scripted model') }]
  expect(said).toEqual([
    [
      { type: 'text', text: 'I look.' },
      { type: 'call', id: '0', name: 'get_weather', arguments: '{"city":"Paris"}' },
    ],
    itself,
    [{ type: 'text', text: 'Done.' }],
    itself,
  ])
})

describe('playback', () => {
  test('plays pieces, reasoning, finish and usage as given', async () => {
    const play: Play = {
      pieces: [{ reasoning: 'hm' }, 'one', ' two'],
      finish: 'length',
      usage: { inputTokens: 7, outputTokens: 2 },
    }
    expect(await collect(await upstream([play]).generate(ask('x'), context()))).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'one' },
      { type: 'text', text: ' two' },
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 2 } },
      { type: 'finish', reason: 'length' },
    ])
  })

  test('plays the n-th for the n-th request, and replies by itself after the last', async () => {
    const model = upstream([{ pieces: ['first'] }, { pieces: ['second'] }])
    const texts: string[] = []
    for (let n = 0; n < 3; n++) texts.push(textOf(await collect(await model.generate(ask('x'), context()))))
    expect(texts.slice(0, 2)).toEqual(['first', 'second'])
    expect(texts[2]).toContain('scripted model')
  })

  test('asks a function with the number and the request', async () => {
    const model = upstream((index, request) => ({ pieces: [`${index} ${messagesOf(request).length}`] }))
    expect(textOf(await collect(await model.generate(ask('x'), context())))).toBe('0 1')
    expect(textOf(await collect(await model.generate(ask('x'), context())))).toBe('1 1')
  })

  test('cuts a text into pieces of whole characters', () => {
    expect(playText('ab𝒳de', 2, { finish: 'stop' })).toEqual({ pieces: ['ab', '𝒳d', 'e'], finish: 'stop' })
    expect(() => playText('ab', 0)).toThrow(/size is 0/)
  })

  test('a status fault refuses before the stream', async () => {
    const error = new AnycallError('rate-limit', 'Too many requests.', { retryAfter: 1 })
    const generation = upstream([{ pieces: ['x'], fault: { type: 'status', error } }]).generate(ask('x'), context())
    await expect(generation).rejects.toBe(error)
  })

  test.each([
    [0, []],
    [2, ['a', 'b']],
    [9, ['a', 'b', 'c']],
  ])('a cut after %i pieces leaves no finish', async (afterPieces, pieces) => {
    const play: Play = { pieces: ['a', 'b', 'c'], fault: { type: 'cut', afterPieces } }
    const events = await collect(await upstream([play]).generate(ask('x'), context()))
    expect(events).toEqual(pieces.map((text) => ({ type: 'text', text })))
  })

  test('a hang gives its pieces and then nothing until it is stopped', async () => {
    const leave = new AbortController()
    const play: Play = { pieces: ['a'], fault: { type: 'hang' } }
    const stream = (await upstream([play]).generate(ask('x'), context(leave.signal)))[Symbol.asyncIterator]()
    expect((await stream.next()).value).toEqual([{ type: 'text', text: 'a' }])
    const next = stream.next()
    leave.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('a hang before the first piece keeps generate itself waiting', async () => {
    const leave = new AbortController()
    const generation = upstream([{ pieces: [], fault: { type: 'hang' } }]).generate(ask('x'), context(leave.signal))
    leave.abort(new AnycallError('timeout', 'No first byte.'))
    await expect(generation).rejects.toMatchObject({ code: 'timeout' })
  })

  test('waits before each piece, and stops in the middle of a wait', async () => {
    vi.useFakeTimers()
    try {
      const leave = new AbortController()
      const play: Play = { pieces: ['a', 'b'], delayMs: 1000 }
      const generation = upstream([play]).generate(ask('x'), context(leave.signal))
      await vi.advanceTimersByTimeAsync(1000)
      const stream = (await generation)[Symbol.asyncIterator]()
      expect((await stream.next()).value).toEqual([{ type: 'text', text: 'a' }])
      const next = stream.next()
      await vi.advanceTimersByTimeAsync(999)
      leave.abort()
      await expect(next).rejects.toMatchObject({ code: 'cancelled' })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a request that was stopped before is not begun, one stopped in the middle goes no further', async () => {
  await expect(upstream().generate(ask('x'), context(AbortSignal.abort()))).rejects.toMatchObject({ code: 'cancelled' })
  const leave = new AbortController()
  const seen: UpstreamEvent[] = []
  const reading = (async () => {
    for await (const batch of await upstream().generate(ask('x'), context(leave.signal))) {
      seen.push(...batch)
      if (seen.length === 2) leave.abort()
    }
  })()
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
  expect(seen).toHaveLength(2)
})
