import { describe, expect, test } from 'vitest'
import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { Reader } from '../../dialects/index.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { readReply } from './read-reply.ts'

/** A reader that treats everything as text, and holds back text that ends in `<`. */
function plainReader(): Reader {
  let held = ''
  const say = (text: string): ReplyEvent[] => (text === '' ? [] : [{ type: 'text', text }])
  return {
    push(text) {
      const all = held + text
      held = all.endsWith('<') ? '<' : ''
      return say(all.slice(0, all.length - held.length))
    },
    end(reason: FinishReason) {
      return [...say(held), { type: 'finish', reason }]
    },
    report: { sawToolCallSyntax: false, rejectedByPolicy: false, rejectedToolNames: [] },
  }
}

const text = (text: string): UpstreamEvent & ReplyEvent => ({ type: 'text', text })
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
const usage = (inputTokens: number, more = {}): UpstreamEvent => ({ type: 'usage', usage: { inputTokens, ...more } })

interface Generation {
  batches: AsyncGenerator<UpstreamEvent[]>
  read: () => number
  isLeft: () => boolean
}

function generation(batches: UpstreamEvent[][], failure?: Error): Generation {
  let read = 0
  let isLeft = false
  async function* generate(): AsyncGenerator<UpstreamEvent[]> {
    try {
      for (const batch of batches) {
        read++
        yield batch
      }
      if (failure) throw failure
    } finally {
      isLeft = true
    }
  }
  return { batches: generate(), read: () => read, isLeft: () => isLeft }
}

async function readAll(batches: UpstreamEvent[][], stops: string[] = [], failure?: Error): Promise<ReplyEvent[][]> {
  const seen: ReplyEvent[][] = []
  for await (const events of readReply(generation(batches, failure).batches, plainReader(), { stopSequences: stops }))
    seen.push(events)
  return seen
}

describe('a reply', () => {
  test('goes out batch by batch, with usage at its end', async () => {
    expect(await readAll([[text('a')], [text('b')], [usage(3, { outputTokens: 2 })], [stop]])).toEqual([
      [text('a')],
      [text('b')],
      [{ type: 'finish', reason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } }],
    ])
  })

  test('keeps its order where a batch has reasoning and text', async () => {
    const reasoning: UpstreamEvent & ReplyEvent = { type: 'reasoning', text: 'hm' }
    expect(await readAll([[text('a'), reasoning, text('b')], [stop]])).toEqual([
      [text('a'), reasoning, text('b')],
      [{ type: 'finish', reason: 'stop' }],
    ])
  })

  test('has its usage from wherever it came, the last word counting', async () => {
    const events = await readAll([
      [usage(1, { outputTokens: 1 })],
      [text('a'), usage(1, { outputTokens: 9 })],
      [stop],
      [usage(5)],
    ])
    expect(events.at(-1)).toEqual([{ type: 'finish', reason: 'stop', usage: { inputTokens: 5, outputTokens: 9 } }])
  })

  test('without usage has none', async () => {
    expect((await readAll([[text('a')], [stop]])).at(-1)).toEqual([{ type: 'finish', reason: 'stop' }])
  })

  test.each<FinishReason>(['length', 'content-filter'])('that ended by %s says so', async (reason) => {
    expect((await readAll([[text('a')], [{ type: 'finish', reason }]])).at(-1)).toEqual([{ type: 'finish', reason }])
  })

  test('that the upstream stopped at a sequence names it', async () => {
    const finish: UpstreamEvent = { type: 'finish', reason: 'stop-sequence', stopSequence: 'X' }
    expect((await readAll([[text('a')], [finish]])).at(-1)).toEqual([finish])
  })

  test('gives out no empty batches', async () => {
    expect(await readAll([[], [usage(1)], [text('<')], [text('b')], [stop]])).toEqual([
      [text('<b')],
      [{ type: 'finish', reason: 'stop', usage: { inputTokens: 1 } }],
    ])
  })
})

describe('a generation that breaks off', () => {
  test('without a finish is an error, after what came of it', async () => {
    const reply = readReply(generation([[text('a')]]).batches, plainReader(), { stopSequences: [] })
    expect(await reply.next()).toMatchObject({ value: [text('a')] })
    await expect(reply.next()).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('broke off'),
    })
  })

  test('with an error throws that', async () => {
    const failure = new Error('gone')
    await expect(readAll([[text('a')]], [], failure)).rejects.toBe(failure)
  })
})

describe('a stop sequence', () => {
  test('ends the reply and leaves the generation', async () => {
    const asked = generation([[text('a'), usage(3)], [text('b END c')], [text('d')], [stop]])
    const seen: ReplyEvent[][] = []
    for await (const events of readReply(asked.batches, plainReader(), { stopSequences: ['END'] })) seen.push(events)
    expect(seen).toEqual([
      [text('a')],
      [text('b '), { type: 'finish', reason: 'stop-sequence', stopSequence: 'END', usage: { inputTokens: 3 } }],
    ])
    expect(asked.read()).toBe(2)
    expect(asked.isLeft()).toBe(true)
  })

  test('that is whole only at the end still counts', async () => {
    expect(await readAll([[text('a <')], [usage(1), stop]], [' <'])).toEqual([
      [text('a')],
      [{ type: 'finish', reason: 'stop-sequence', stopSequence: ' <', usage: { inputTokens: 1 } }],
    ])
  })
})

test('a reply that nobody wants any more leaves its generation', async () => {
  const asked = generation([[text('a')], [text('b')], [stop]])
  const reply = readReply(asked.batches, plainReader(), { stopSequences: [] })
  await reply.next()
  await reply.return()
  expect(asked.read()).toBe(1)
  expect(asked.isLeft()).toBe(true)
})
