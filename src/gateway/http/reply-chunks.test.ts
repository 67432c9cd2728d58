import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { GatewayRequest } from './http.ts'
import { Abandonment, ReplyChunks } from './reply-chunks.ts'

test('chunks that are returned before the first was read are abandoned all the same', async () => {
  let made = 0
  async function* make(): AsyncGenerator<string, void, undefined> {
    yield String(made++)
  }
  const abandon = vi.fn()
  const chunks = new ReplyChunks(make(), new Abandonment(abandon))
  await chunks.return()
  expect([made, abandon.mock.calls.length]).toEqual([0, 1])
  expect(await chunks.next()).toEqual({ done: true, value: undefined })
})

/** A gateway with an upstream that sends one word and then nothing, until it is aborted. */
function silent(): { gateway: Gateway; left: ReturnType<typeof vi.fn>; log: ReturnType<typeof vi.fn> } {
  const left = vi.fn()
  const log = vi.fn()
  const upstream: Upstream = {
    name: 'u',
    type: 'scripted',
    abilities: { requests: ['messages'] },
    models: async () => [],
    async generate(_, { signal }) {
      signal.addEventListener('abort', () => left(), { once: true })
      return (async function* () {
        yield [{ type: 'text' as const, text: 'Well' }]
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      })()
    },
  }
  const config = parseConfig(
    { upstreams: { u: { type: 'scripted' } }, models: [{ match: '*', upstream: 'u' }] },
    { file: 'test', env: {} },
  )
  return { gateway: createGateway({ config, upstreams: new Map([['u', upstream]]), log }), left, log }
}

test('a reply that is over is held no longer: what was registered for it leads nowhere', async () => {
  const register = vi.spyOn(FinalizationRegistry.prototype, 'register')
  const unregister = vi.spyOn(FinalizationRegistry.prototype, 'unregister')
  try {
    const config = parseConfig(
      { upstreams: { u: { type: 'scripted' } }, models: [{ match: '*', upstream: 'u' }] },
      { file: 'test', env: {} },
    )
    const upstream = createScriptedUpstream({ name: 'u', play: () => ({ pieces: ['Well.'] }) })
    const log = vi.fn()
    const response = await createGateway({ config, upstreams: new Map([['u', upstream]]), log }).handle(request())
    if (typeof response.body === 'string') throw new Error('the reply is not streamed')
    const [target, held, token] = register.mock.calls.find(([, one]) => one instanceof Abandonment) ?? []
    if (!(held instanceof Abandonment)) throw new Error('nothing is registered')
    expect(typeof target === 'object' && Reflect.ownKeys(target)).toEqual([])
    for await (const _ of response.body.chunks) expect(unregister.mock.calls.map(([one]) => one)).not.toContain(token)
    expect(unregister.mock.calls.map(([one]) => one)).toContain(token)
    // The garbage collector's own calls come late: they must find nothing to end.
    const ended = log.mock.calls.length
    held.run()
    expect(log.mock.calls.length).toBe(ended)
    expect(log).toHaveBeenCalledWith('info', 'request', expect.not.objectContaining({ error: expect.anything() }))
  } finally {
    register.mockRestore()
    unregister.mockRestore()
  }
})

test('what is over is abandoned no more', () => {
  const abandon = vi.fn()
  const abandonment = new Abandonment(abandon)
  abandonment.over()
  abandonment.run()
  expect(abandon).not.toHaveBeenCalled()
})

const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] })

function request(): GatewayRequest {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    header: () => undefined,
    body: (async function* () {
      yield new TextEncoder().encode(body)
    })(),
    onGone: () => () => {},
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test.each<[string, (gateway: Gateway) => Promise<void>]>([
  [
    'an answer to a web request that nobody reads',
    async (gateway) => {
      await gateway.fetch(new Request('http://a/v1/chat/completions', { method: 'POST', body }))
    },
  ],
  [
    'chunks that nobody asks for',
    async (gateway) => {
      await gateway.handle(request())
    },
  ],
  [
    'chunks that are read no further',
    async (gateway) => {
      const response = await gateway.handle(request())
      if (typeof response.body === 'string') throw new Error('no stream')
      await response.body.chunks[Symbol.asyncIterator]().next()
    },
  ],
])('dropped is left as garbage: %s', async (_, ask) => {
  const { gateway, left, log } = silent()
  await ask(gateway)
  expect(left).not.toHaveBeenCalled()
  await eventually(async () => {
    collectGarbage()
    // Finalizers run in a later task. Wait for it: one more collection takes long if the heap is large.
    await sleep(20)
    expect(left).toHaveBeenCalledOnce()
  })
  const error = expect.objectContaining({ kind: 'cancelled' })
  expect(log).toHaveBeenCalledWith('info', 'request', expect.objectContaining({ error }))
})
