import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { noValkey, startValkey, type ValkeyServer } from '../../../test/support/valkey-server.ts'
import { MemoryStore } from './memory-store.ts'
import type { KeptBounds, ResponseStore } from './response-store.ts'
import { createValkeyClient } from './valkey-client.ts'
import { createValkeyStore } from './valkey-store.ts'

const response = (id: string, text = 'a') => ({
  id,
  output: [{ id: `msg_${id}`, type: 'message', content: [{ type: 'output_text', text }] }],
})
const question = [{ role: 'user', content: 'q' }]
const large = { bytes: 1_000_000, ms: 60_000 }
const msBetween = 5

/** A kind of store: its own tests come after those that both pass. */
interface Kind {
  create(bounds: KeptBounds): ResponseStore
  bytes(store: ResponseStore): Promise<number>
}

function laws(kind: Kind): void {
  test('a response, its items and its history are found again', async () => {
    const own = kind.create(large).of('a')
    await own?.keep(response('1'), question)
    expect(await own?.response('1')).toEqual(response('1'))
    expect(await own?.inputOf('1')).toEqual(question)
    expect(await own?.itemsOf('1')).toEqual([...question, ...response('1').output])
    expect(await own?.items(['msg_1', 'msg_2'])).toEqual(new Map([['msg_1', response('1').output[0]]]))
    expect(await own?.itemsOf('2')).toBeUndefined()
    expect(await own?.inputOf('2')).toBeUndefined()
  })

  test('another client finds and deletes nothing', async () => {
    const kept = kind.create(large)
    await kept.of('a')?.keep(response('1'), question)
    for (const other of [kept.of('b'), kept.of('')]) {
      expect(await other?.response('1')).toBeUndefined()
      expect(await other?.itemsOf('1')).toBeUndefined()
      expect(await other?.inputOf('1')).toBeUndefined()
      expect(await other?.items(['msg_1'])).toEqual(new Map())
      expect(await other?.delete('1')).toBe(false)
    }
    expect(await kept.of('a')?.delete('1')).toBe(true)
    expect(await kept.of('a')?.delete('1')).toBe(false)
    expect(await kept.of('a')?.response('1')).toBeUndefined()
    expect(await kept.of('a')?.items(['msg_1'])).toEqual(new Map())
    expect(await kind.bytes(kept)).toBe(0)
  })

  test('the oldest are forgotten when there are too many bytes, and one that is too large is not kept', async () => {
    const kept = kind.create({ ...large, bytes: 20_000 })
    const own = kept.of('a')
    for (let n = 0; n < 50; n++) {
      // The server tells the age of responses by the millisecond.
      if (n < 2) await new Promise((resolve) => setTimeout(resolve, msBetween))
      await own?.keep(response(String(n), 'x'.repeat(1000)), question)
    }
    const bytes = await kind.bytes(kept)
    expect(bytes).toBeGreaterThan(2000)
    expect(bytes).toBeLessThanOrEqual(20_000)
    expect(await own?.response('0')).toBeUndefined()
    expect(await own?.response('49')).toBeDefined()
    await own?.keep(response('big', 'x'.repeat(40_000)), question)
    expect(await own?.response('big')).toBeUndefined()
    expect(await own?.items(['msg_big', 'msg_0'])).toEqual(new Map())
  })

  test('nothing is kept without room', () => {
    expect(kind.create({ ...large, bytes: 0 }).of('a')).toBeUndefined()
  })
}

describe('in memory', () => {
  laws({
    create: (bounds) => new MemoryStore(bounds),
    bytes: async (store) => (store instanceof MemoryStore ? store.bytes : Number.NaN),
  })

  test('all are forgotten after their time', async () => {
    let now = 0
    const kept = new MemoryStore({ bytes: 1_000_000, ms: 1000 }, () => now)
    const own = kept.of('a')
    await own?.keep(response('1'), question)
    now = 1000
    expect(await own?.response('1')).toBeUndefined()
    await own?.keep(response('2'), question)
    now = 2500
    await own?.keep(response('3'), question)
    expect([...((await own?.items(['msg_2', 'msg_3'])) ?? []).keys()]).toEqual(['msg_3'])
  })
})

describe.skipIf(noValkey !== undefined)(
  `in a server of Valkey${noValkey === undefined ? '' : ` (${noValkey})`}`,
  () => {
    let server: ValkeyServer
    beforeAll(async () => {
      server = await startValkey()
    })
    afterAll(() => server?.close())

    const create = (bounds: KeptBounds): ResponseStore => {
      const failures: unknown[] = []
      const store = createValkeyStore({
        ...bounds,
        url: server.url,
        timeoutMs: 10_000,
        changed: (one) => failures.push(one),
      })
      onTestFinished(async () => {
        await store.close?.()
        await ask((client) => client.eval("redis.call('FLUSHDB')", 0))
        expect(failures).toEqual([])
      })
      return store
    }

    /** Asks the server past the store. */
    async function ask<Answer>(question: (client: Awaited<ReturnType<typeof createValkeyClient>>) => Promise<Answer>) {
      const client = await createValkeyClient('A test', server.url.replace('valkey', 'redis'), {
        lazyConnect: true,
        connectTimeout: 10_000,
        commandTimeout: 10_000,
        enableOfflineQueue: false,
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => 10,
      })
      await client.connect()
      try {
        return await question(client)
      } finally {
        client.disconnect()
      }
    }

    laws({ create, bytes: () => ask(async (client) => Number((await client.mget('{anycall}:responses:bytes'))[0])) })

    test('all are forgotten after their time, and no key stays', async () => {
      const own = create({ bytes: 1_000_000, ms: 1 }).of('a')
      await own?.keep(response('1'), question)
      await eventually(async () => expect(await own?.response('1')).toBeUndefined())
      await eventually(async () => expect(await own?.items(['msg_1'])).toEqual(new Map()))
      await create({ bytes: 1_000_000, ms: 60_000 }).of('a')?.keep(response('2'), [])
      const keys = await ask((client) => client.eval("return redis.call('KEYS', '*')", 0))
      expect(keys).toHaveLength(5)
      expect(
        await ask((client) => client.eval("return redis.call('ZRANGE', '{anycall}:responses', 0, -1)", 0)),
      ).toEqual(['a:2'])
    })

    test('a response that is kept again is counted once', async () => {
      const kept = create(large)
      for (let n = 0; n < 3; n++) await kept.of('a')?.keep(response('1'), question)
      const once = await ask((client) => client.mget('{anycall}:responses:bytes'))
      await kept.of('a')?.delete('1')
      await kept.of('a')?.keep(response('1'), question)
      expect(await ask((client) => client.mget('{anycall}:responses:bytes'))).toEqual(once)
    })
  },
)
