import { expect, it } from 'vitest'
import type { ReplyEvent } from '../../conversation/index.ts'
import { batchesOf, withoutReasoning } from './reply-streams.ts'

const thought = (text: string): ReplyEvent => ({ type: 'reasoning', text })
const text = (text: string): ReplyEvent => ({ type: 'text', text })
const finish: ReplyEvent = { type: 'finish', reason: 'stop' }
const call: ReplyEvent[] = [
  { type: 'call-start', index: 0, id: 'a', name: 'f' },
  { type: 'call-arguments', index: 0, json: '{}' },
  { type: 'call-end', index: 0, complete: true },
]

async function given(batches: ReplyEvent[][]): Promise<unknown[]> {
  async function* reply() {
    yield* batches
  }
  const events: ReplyEvent[] = []
  for await (const batch of withoutReasoning(reply())) {
    expect(batch).not.toEqual([])
    events.push(...batch)
  }
  return events.map((event) => (event.type === 'notice' ? event.notice.code : event))
}

it.each<[what: string, batches: ReplyEvent[][], events: unknown[]]>([
  ['nothing', [[text('Hi')], [finish]], [text('Hi'), finish]],
  ['a thought', [[thought('hm')], [thought('so'), text('Hi')], [finish]], [text('Hi'), 'reasoning-withheld', finish]],
  [
    'a thought between',
    [[text('a')], [thought('hm')], [text('b'), finish]],
    [text('a'), text('b'), 'reasoning-withheld', finish],
  ],
  ['a thought before a call', [[thought('hm')], call, [finish]], [...call, 'reasoning-withheld', finish]],
  ['what is all there is, as text', [[thought('H')], [thought('i')], [finish]], [text('Hi'), finish]],
])('leaves out %s', async (_, batches, events) => {
  expect(await given(batches)).toEqual(events)
})

it('gives what came before a failure', async () => {
  async function* failing() {
    yield [thought('hm'), text('Hi')]
    throw new Error('cut')
  }
  const events: ReplyEvent[] = []
  const read = async (): Promise<void> => {
    for await (const batch of withoutReasoning(failing())) events.push(...batch)
  }
  await expect(read()).rejects.toThrow('cut')
  expect(events).toEqual([text('Hi')])
})

it('cuts only a large reply that was held back into batches, in order', () => {
  const small: ReplyEvent[] = [{ type: 'text', text: 'a' }]
  expect(batchesOf(small)).toEqual([small])
  const large = Array.from(
    { length: 5 },
    (_, index): ReplyEvent => ({
      type: 'call-arguments',
      index,
      json: 'x'.repeat(80_000),
    }),
  )
  const batches = batchesOf(large)
  expect(batches.map(({ length }) => length)).toEqual([2, 2, 1])
  expect(batches.flat()).toEqual(large)
})
