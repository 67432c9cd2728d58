import { afterEach, expect, test, vi } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { warmUp } from '../../dialects/index.ts'
import { parseConfig } from '../../gateway/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { atOnce, type Served, startHere } from './running.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function served(plan: 'native' | 'prompted'): Served {
  const config = parseConfig({
    upstreams: { model: { type: 'scripted' } },
    models: [{ match: '*', upstream: 'model', plan }],
  })
  return {
    config,
    upstreams: new Map([
      ['model', createScriptedUpstream({ name: 'model', abilities: { requests: ['messages', 'tools'] } })],
    ]),
    log: () => {},
  }
}

function start(given: Served, { io, services } = fakeWorld()) {
  const listen = async () => ({ url: 'http://127.0.0.1:1', port: 1, close: async () => {} })
  return startHere(given, { io, services: { ...services, listen } })
}

test('a server that is closed stops preparing for its first reply, as the one that a primary process starts only for its address', async () => {
  const world = fakeWorld()
  // Both take turns, so the one that began first is prepared first.
  const other = warmUp(new AbortController().signal).then(() => world.events.push('another is prepared'))
  const running = await start(served('native'), world)
  await running.close(atOnce)
  await other
  expect(world.events).toEqual(['gateway closed', 'another is prepared'])
})

test('the universal reader is prepared once a configuration can need it', async () => {
  // Each piece of the preparation ends with a pause.
  const pauses = vi.spyOn(globalThis, 'setImmediate')
  const running = await start(served('prompted'))
  await running.reload(served('prompted'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(pauses).not.toHaveBeenCalled()
  await running.reload(served('native'))
  await eventually(() => expect(pauses.mock.calls.length).toBeGreaterThan(5))
  await running.close(atOnce)
})
