import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../gateway/index.ts'
import { checkShared, shareOf, workerCount, workerNotes } from './share.ts'

test.each([
  [1, 1],
  [7, 7],
  ['auto', expect.any(Number)],
] as const)('listen.workers: %s', (workers, count) => {
  expect(workerCount(parseConfig({ listen: { workers } }))).toEqual(count)
})

describe('the share of a worker', () => {
  const limits = { concurrentRequests: 100, bodiesMegabytes: 90, repliesMegabytes: 30, responsesMegabytes: 60 }

  test('is an equal part of the limits on requests and memory, rounded up to a whole request', () => {
    const config = parseConfig({ limits, responses: { store: 'redis://h' } })
    expect(shareOf(config, 3).limits).toEqual({
      ...config.limits,
      concurrentRequests: 34,
      bodiesMegabytes: 30,
      repliesMegabytes: 10,
    })
    expect(shareOf(config, 1)).toBe(config)
  })

  test('is an equal part of the limits of a key, unless a store counts for all workers', () => {
    const key = { name: 'team-a', key: 'key-of-the-team', models: ['m'] }
    const keys = ['key-without-limits', { ...key, limits: { requestsPerMinute: 60, concurrentRequests: 5 } }]
    expect(shareOf(parseConfig({ keys }), 2).keys).toEqual([
      'key-without-limits',
      { ...key, limits: { requestsPerMinute: 30, concurrentRequests: 3 } },
    ])
    for (const stored of [{ limits: { store: 'redis://h' } }, { responses: { store: 'redis://h' } }]) {
      const config = parseConfig({ keys, ...stored })
      expect(shareOf(config, 2).keys).toEqual(config.keys)
    }
  })

  test('keeps no responses in its memory, which is said at the start', () => {
    const config = parseConfig({ limits })
    expect(shareOf(config, 2).limits.responsesMegabytes).toBe(0)
    expect(workerNotes(config, 2)).toEqual(['Workers: 2.', expect.stringContaining('responses.store')])
    expect(workerNotes(parseConfig({ responses: { store: 'redis://h' } }), 2)).toEqual(['Workers: 2.'])
    expect(workerNotes(config, 1)).toEqual([])
  })
})

test.each([
  [{ records: {} }, 'records: 2 workers cannot keep records in memory'],
  [
    { upstreams: { big: { type: 'gguf', file: 'm.gguf' } } },
    'upstreams.big: 2 workers would load the model file 2 times',
  ],
  [{ records: { file: 'r.db' } }, undefined],
] as const)('%j with two workers', (input, fault) => {
  const config = parseConfig(input)
  if (fault === undefined) expect(() => checkShared(config, 2)).not.toThrow()
  else expect(() => checkShared(config, 2)).toThrow(fault)
  expect(() => checkShared(config, 1)).not.toThrow()
})
