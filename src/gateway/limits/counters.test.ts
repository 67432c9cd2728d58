import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { noValkey, startValkey, type ValkeyServer } from '../../../test/support/valkey-server.ts'
import type { Counter, KeyLimits } from './counter.ts'
import { KeyLimiter } from './key-limiter.ts'
import { MemoryCounter } from './memory-counter.ts'
import { createValkeyCounter } from './valkey-counter.ts'

let holders = 0
/** A holder that no other test has. */
const holder = (limits: KeyLimits) => ({ name: `team-${holders++}`, limits })

/** The laws of every counter, without a look at the clock. */
function laws(create: () => Counter): void {
  test('requests are taken up to their limit', async () => {
    const counter = create()
    const one = holder({ requestsPerMinute: 3 })
    for (let n = 0; n < 3; n++) expect(await counter.take(one, `r${n}`)).toBeUndefined()
    const refusal = await counter.take(one, 'r3')
    expect(refusal?.limit).toBe('requestsPerMinute')
    expect(refusal?.retryAfterMs).toBeGreaterThan(0)
    expect(refusal?.retryAfterMs).toBeLessThanOrEqual(20_000)
    expect(await counter.take(holder({ requestsPerMinute: 3 }), 'r3')).toBeUndefined()
  })

  test('a request that is refused uses nothing up', async () => {
    const counter = create()
    const one = holder({ requestsPerMinute: 2, concurrentRequests: 1 })
    expect(await counter.take(one, 'a')).toBeUndefined()
    for (let n = 0; n < 5; n++) expect((await counter.take(one, `b${n}`))?.limit).toBe('concurrentRequests')
    await counter.end(one, 'a', 0)
    expect(await counter.take(one, 'c')).toBeUndefined()
  })

  test('tokens are counted when a request ends, and a debt is repaid first', async () => {
    const counter = create()
    const one = holder({ tokensPerMinute: 1000 })
    expect(await counter.take(one, 'a')).toBeUndefined()
    await counter.end(one, 'a', 500)
    expect(await counter.take(one, 'b')).toBeUndefined()
    await counter.end(one, 'b', 1500)
    const refusal = await counter.take(one, 'c')
    expect(refusal?.limit).toBe('tokensPerMinute')
    // 1000 are owed, which a minute repays.
    expect(refusal?.retryAfterMs).toBeGreaterThan(30_000)
    expect(refusal?.retryAfterMs).toBeLessThanOrEqual(60_060)
  })

  test('a debt is bounded', async () => {
    const counter = create()
    const one = holder({ tokensPerMinute: 1000 })
    await counter.end(one, 'a', 1e12)
    expect((await counter.take(one, 'c'))?.retryAfterMs).toBeLessThanOrEqual(10 * 60_000 + 60)
  })

  test('requests at once are limited, and one that ends makes room', async () => {
    const counter = create()
    const one = holder({ concurrentRequests: 2 })
    expect(await counter.take(one, 'a')).toBeUndefined()
    expect(await counter.take(one, 'b')).toBeUndefined()
    expect((await counter.take(one, 'c'))?.limit).toBe('concurrentRequests')
    await counter.end(one, 'a', 0)
    expect(await counter.take(one, 'c')).toBeUndefined()
  })

  test('a limit that was lowered counts at once', async () => {
    const counter = create()
    const one = holder({ requestsPerMinute: 1000 })
    await counter.take(one, 'a')
    const lower = { ...one, limits: { requestsPerMinute: 1 } }
    expect(await counter.take(lower, 'b')).toBeUndefined()
    expect((await counter.take(lower, 'c'))?.limit).toBe('requestsPerMinute')
  })
}

describe('a counter in memory', () => {
  laws(() => new MemoryCounter())

  test('fills with time, and not when the clock is set back', async () => {
    let now = 1_000_000
    const counter = new MemoryCounter(() => now)
    const one = holder({ requestsPerMinute: 60 })
    const take = async () => (await counter.take(one, 'r'))?.retryAfterMs ?? 0
    for (let n = 0; n < 60; n++) expect(await take()).toBe(0)
    expect(await take()).toBe(1000)
    now += 250
    expect(await take()).toBe(750)
    now += 750
    expect(await take()).toBe(0)
    now -= 900_000
    expect(await take()).toBe(1000)
    now += 1000
    expect(await take()).toBe(0)
    now += 3_600_000
    for (let n = 0; n < 60; n++) expect(await take()).toBe(0)
    expect(await take()).toBe(1000)
  })
})

describe.skipIf(noValkey !== undefined)('a counter in a server', () => {
  let server: ValkeyServer
  beforeAll(async () => {
    server = await startValkey()
  })
  afterAll(() => server.close())

  const changes: (string | undefined)[] = []
  function connect(requestMs = 60_000): Counter {
    const changed = (failure: Error | undefined) => void changes.push(failure?.message)
    const counter = createValkeyCounter({ url: server.url, timeoutMs: 2000, requestMs, changed })
    onTestFinished(() => counter.close?.())
    return counter
  }
  laws(connect)

  test('is one for all gateways', async () => {
    const counters = [connect(), connect(), connect()]
    const one = holder({ requestsPerMinute: 5 })
    const taken = await Promise.all(Array.from({ length: 30 }, (_, n) => counters[n % 3]?.take(one, `r${n}`)))
    expect(taken.filter((refusal) => refusal === undefined)).toHaveLength(5)
  })

  test('the requests of a gateway that died end after their time', async () => {
    const counter = connect(50)
    const one = holder({ concurrentRequests: 1 })
    expect(await counter.take(one, 'a')).toBeUndefined()
    await eventually(async () => expect(await counter.take(one, 'b')).toBeUndefined())
  })

  test('is missed while the server is gone: each gateway counts by itself, and both changes are told', async () => {
    const limiter = new KeyLimiter(new MemoryCounter(), connect())
    const one = holder({ requestsPerMinute: 2, concurrentRequests: 2 })
    const end = await limiter.admit(one, 'a')
    await server.stop()
    changes.length = 0
    // The connection may break while a question is on its way.
    await limiter.admit(one, 'b')
    await limiter.admit(one, 'c')
    await expect(limiter.admit(one, 'd')).rejects.toMatchObject({ code: 'rate-limit' })
    expect(changes).toEqual([expect.stringMatching(/^The store of limits at 127\.0\.0\.1:\d+ .* does not answer/)])
    end(5)
    await server.start()
    await eventually(async () => {
      expect(changes.at(-1)).toBeUndefined()
      expect(changes).toHaveLength(2)
    })
    // What the server counted before it went is there again: one of two is left.
    await limiter.admit(one, 'e')
    await expect(limiter.admit(one, 'f')).rejects.toMatchObject({ code: 'rate-limit' })
  })
})
