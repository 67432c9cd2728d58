import { afterEach, expect, test, vi } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { warmUp } from '../../dialects/index.ts'
import { parseConfig } from '../../gateway/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { atOnce, type Served, startHere } from './running.ts'

vi.mock(import('../../dialects/index.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return { ...original, warmUp: vi.fn(original.warmUp) }
})

afterEach(() => {
  vi.clearAllMocks()
})

function served(plan: 'native' | 'prompted', more: Partial<Upstream> = {}): Served {
  const config = parseConfig({
    upstreams: { model: { type: 'scripted' } },
    models: [{ match: '*', upstream: 'model', plan }],
  })
  const upstream = createScriptedUpstream({ name: 'model', abilities: { requests: ['messages', 'tools'] } })
  return { config, upstreams: new Map([['model', { ...upstream, ...more }]]), log: vi.fn() }
}

function start(given: Served, { io, services } = fakeWorld()) {
  const listen = async () => ({ url: 'http://127.0.0.1:1', port: 1, close: async () => {} })
  return startHere(given, { io, services: { ...services, listen } })
}

test('a server that is closed stops preparing for its first reply, as the one that a primary process starts only for its address', async () => {
  const world = fakeWorld()
  // Both take turns, so the one that began first is prepared first.
  const other = warmUp('universal', new AbortController().signal).then(() => world.events.push('another is prepared'))
  const prepare = vi.fn(async () => {})
  const running = await start(served('native', { prepare }), world)
  await running.close(atOnce)
  await other
  expect(world.events).toEqual(['gateway closed', 'another is prepared'])
  expect(prepare).not.toHaveBeenCalled()
})

test('each dialect is prepared once a configuration can need it', async () => {
  const running = await start(served('prompted'))
  await running.reload(served('prompted'))
  const prepared = () => vi.mocked(warmUp).mock.calls.map(([name]) => name)
  await eventually(() => expect(prepared()).toEqual(['toolify']))
  await running.reload(served('native'))
  await eventually(() => expect(prepared()).toEqual(['toolify', 'universal']))
  await running.close(atOnce)
})

test('an upstream that fails to prepare is logged, and the rest is prepared', async () => {
  const given = served('prompted', { prepare: () => Promise.reject(new Error('no undici')) })
  const running = await start(given)
  await eventually(() => expect(warmUp).toHaveBeenCalled())
  expect(given.log).toHaveBeenCalledWith('warn', 'upstream-not-prepared', { upstream: 'model', error: 'no undici' })
  await running.close(atOnce)
})
