import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import { NativeReader } from '../../gateway/reply/native-reader.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { slicesOf } from './slices.ts'

const tool = { name: 'f', description: '', schema: { type: 'object', properties: { a: { type: 'string' } } } }

/** The reply that a native reader makes of events. */
function replyOf(events: readonly UpstreamEvent[]) {
  let calls = 0
  const reader = new NativeReader({
    tools: [tool],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => `new_${calls++}`,
    takenIds: [],
  })
  const collector = new ReplyCollector()
  const read = (event: UpstreamEvent): ReplyEvent[] => {
    if (event.type === 'text') return reader.push(event.text)
    if (event.type === 'reasoning') return reader.pushReasoning(event)
    return event.type === 'call' ? reader.pushCall(event) : []
  }
  for (const event of events) collector.push(read(event))
  collector.push(reader.end('stop'))
  return collector.reply.parts
}

const said = fc.string({ unit: fc.constantFrom('a', '"', '\\', ' ', '\n', '😀', '{', '}'), maxLength: 30 })
const text = fc.record({ type: fc.constant('text' as const), text: said })
const reasoning = fc.record({ type: fc.constant('reasoning' as const), text: said })
/** The pieces of a call; some servers send all of the arguments so far each time, and some end within them. */
const call = fc
  .tuple(fc.nat(1), said, fc.integer({ min: 1, max: 30 }), fc.boolean(), fc.boolean())
  .map(([index, value, size, isCumulative, isCut]) => {
    const whole = JSON.stringify({ a: value }).slice(0, isCut ? -2 : undefined)
    const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => ({
      type: 'call' as const,
      index,
      id: `call_${index}`,
      ...(at === 0 && { name: 'f' }),
      arguments: whole.slice(isCumulative ? 0 : at * size, (at + 1) * size),
    }))
    return parts
  })
const events: fc.Arbitrary<UpstreamEvent[]> = fc
  .array(
    fc.oneof(
      text.map((one) => [one]),
      reasoning.map((one) => [one]),
      call,
    ),
    { maxLength: 6 },
  )
  .map((groups) => groups.flat())

describe('a batch in slices', () => {
  test('is the reply that it is as a whole', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 40 }), (batch, size) => {
        expect(replyOf(slicesOf(batch, size).flat())).toEqual(replyOf(batch))
      }),
      { numRuns: 20 * lawRuns },
    )
  })

  test('has no slice with more than its size and half a character', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 40 }), (batch, size) => {
        for (const slice of slicesOf(batch, size)) {
          const lengths = slice.map((event) => ('text' in event ? event.text.length : 1))
          expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(size + 1)
          expect(slice.length).toBeLessThanOrEqual(size + 1)
        }
      }),
      { numRuns: lawRuns },
    )
  })

  test('is itself if it is small', () => {
    const batch: UpstreamEvent[] = [{ type: 'text', text: 'Hi' }]
    expect(slicesOf(batch)).toEqual([batch])
    expect(slicesOf([])).toEqual([])
  })
})
