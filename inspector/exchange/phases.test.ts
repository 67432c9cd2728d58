import { expect, test } from 'vitest'
import { phasesOf } from './phases.ts'

const text = { text: '', pieces: [] }
const attempt = {
  upstream: 'u',
  model: 'm',
  plan: 'prompted',
  reading: { delivery: 'live' as const },
  requests: [],
  text,
  spans: [],
  reasoning: text,
  calls: [],
}

test('an attempt that wrote nothing is a wait until its end; the next one says why it is there', () => {
  const phases = phasesOf({
    timings: { received: 1, decoded: 2, planned: 3, firstByte: 30, end: 40 },
    attempts: [
      { ...attempt, startMs: 3, endMs: 10 },
      { ...attempt, cause: { event: 'fail-over', why: 'down' }, startMs: 10, firstMs: 25, endMs: 39 },
    ],
  } as unknown as Parameters<typeof phasesOf>[0])
  expect(phases.map(({ kind, start, end, why }) => [kind, start, end, why])).toEqual([
    ['gateway', 0, 1, undefined],
    ['gateway', 1, 2, undefined],
    ['gateway', 2, 3, undefined],
    ['wait', 3, 10, undefined],
    ['wait', 10, 25, 'fail-over: down'],
    ['write', 25, 39, undefined],
    ['gateway', 30, 40, undefined],
  ])
})
