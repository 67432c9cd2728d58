import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { Draft } from './draft.ts'
import type { ExchangeEvent, ExchangeStart } from './hooks.ts'

const start: ExchangeStart = {
  id: 'req_1',
  at: 0,
  method: 'POST',
  path: '/v1/messages',
  isReplay: false,
  header: (name) => (name === 'user-agent' ? 'test' : undefined),
}

const notice = { code: 'repaired', message: 'm' } as const

/** The events of an exchange with so many attempts, pieces and ends, some of them odd. */
const events: fc.Arbitrary<ExchangeEvent[]> = fc
  .record({
    attempts: fc.integer({ min: 0, max: 2 }),
    pieces: fc.array(fc.constantFrom('a', 'bc', '\n'), { maxLength: 90 }),
    noticeAt: fc.option(fc.nat(90)),
    hasNotice: fc.boolean(),
    logged: fc.boolean(),
    status: fc.constantFrom(200, 200, 200, 502),
  })
  .map(({ attempts, pieces, noticeAt, hasNotice, logged, status }) => [
    { type: 'received', text: '{}' },
    ...(hasNotice ? [{ type: 'notice' as const, notice }] : []),
    ...Array.from({ length: attempts }, (_, attempt): ExchangeEvent[] => [
      ...(logged
        ? [{ type: 'log' as const, level: 'warn' as const, event: 'upstream.retry', fields: { error: 'e' } }]
        : []),
      { type: 'attempt', attempt, upstream: 'u', model: 'm', plan: 'prompted', reading: { delivery: 'live' } },
      ...pieces.flatMap((text, index): ExchangeEvent[] => [
        { type: 'pieces', attempt, events: [{ type: 'text', text }] },
        { type: 'reply', events: [index === noticeAt ? { type: 'notice', notice } : { type: 'text', text }] },
      ]),
      { type: 'attempt-end', attempt },
    ]).flat(),
    { type: 'reply', events: [{ type: 'finish', reason: 'stop', usage: { outputTokens: 3 } }] },
    { type: 'sent', text: 'x' },
    { type: 'end', status },
  ])

test('a brief draft has all that another has but spans, reply events and the body of the answer', () => {
  fc.assert(
    fc.property(events, (all) => {
      let now = 0
      const clock = () => now
      const [brief, whole] = [new Draft(start, 1e6, clock, true), new Draft(start, 1e6, clock)]
      for (const event of all) {
        now++
        brief.add(event)
        whole.add(event)
        expect(brief.isOdd).toBe(whole.isOdd)
      }
      expect(brief.isOver).toBe(true)
      const { isBrief, ...kept } = brief.record()
      expect(isBrief).toBe(true)
      const { answer, ...others } = whole.record()
      expect(kept).toEqual({ ...others, reply: [], answer: { ...answer, body: kept.answer.body } })
      expect(kept.answer.body.text).toBe('')
    }),
    { numRuns: 4 * lawRuns },
  )
})
