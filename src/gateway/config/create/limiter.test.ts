import { describe, expect, test } from 'vitest'
import { createValkeyCounter } from '../../limits/valkey-counter.ts'
import { parseConfig } from '../config.ts'
import { createKeyLimiter, sharedCounterOf } from './limiter.ts'

const limited = { name: 'a', key: 'k', limits: { requestsPerMinute: 2 } }
// Nothing listens there.
const store = 'valkey://127.0.0.1:1'
const parse = (config: object) => parseConfig(config as unknown, { env: {} })

describe('the server in which limits are counted', () => {
  test.each<[config: object, url: string | undefined]>([
    [{ keys: [limited] }, undefined],
    [{ keys: [limited], limits: { store } }, store],
    [{ keys: [limited], responses: { store } }, store],
    [{ keys: [limited], limits: { store }, responses: { store: 'valkey://other' } }, store],
    [{ keys: ['k', { name: 'b', key: 'l' }], limits: { store } }, undefined],
    [{ keys: 'pass-through', limits: { store } }, undefined],
  ])('of %j', (config, url) => {
    expect(sharedCounterOf(parse(config))).toBe(url)
  })

  test('cannot be used without the modules of Node', () => {
    expect(() => createKeyLimiter(parse({ keys: [limited], limits: { store } }), undefined, () => {})).toThrow(
      'limits.store: a server of Valkey or Redis needs Node',
    )
  })

  test('is not needed: while it does not answer, limits hold by the counts of this gateway, and one line says so', async () => {
    const lines: [event: string, error: unknown][] = []
    const limiter = createKeyLimiter(
      parse({ keys: [limited], limits: { store } }),
      createValkeyCounter,
      (_, event, fields = {}) => void lines.push([event, fields.error]),
    )
    for (const request of ['r1', 'r2']) (await limiter.admit(limited, request))(10)
    await expect(limiter.admit(limited, 'r3')).rejects.toMatchObject({ code: 'rate-limit' })
    expect(lines).toEqual([
      [
        'limits-store.failed',
        expect.stringContaining('The store of limits at 127.0.0.1:1 (limits.store, or responses.store)'),
      ],
    ])
    await limiter.close()
  })
})
