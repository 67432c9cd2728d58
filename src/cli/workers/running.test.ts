import { expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { warmUp } from '../../dialects/index.ts'
import { parseConfig } from '../../gateway/index.ts'
import { pause } from '../../json/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { atOnce, type Served, startHere } from './running.ts'

function served(more: Partial<Upstream> = {}): Served {
  const config = parseConfig({
    upstreams: { model: { type: 'scripted' } },
    models: [{ match: '*', upstream: 'model' }],
  })
  const upstream = createScriptedUpstream({ name: 'model', abilities: { requests: ['messages', 'tools'] } })
  return { config, upstreams: new Map([['model', { ...upstream, ...more }]]), log: () => {} }
}

function start(given: Served, { io, services, events } = fakeWorld()) {
  const listen = async () => {
    events.push('listens')
    return { url: 'http://127.0.0.1:1', port: 1, close: async () => {} }
  }
  return startHere(given, { io, services: { ...services, listen } })
}

test('a server that is closed stops preparing for its first reply', async () => {
  const world = fakeWorld()
  const { signal } = new AbortController()
  const running = await start(served(), world)
  // Both take turns, so the one that began first is prepared first.
  const other = warmUp('universal', { signal, rest: pause }).then(() => world.events.push('another is prepared'))
  await running.close(atOnce)
  await other
  expect(world.events).toEqual(['listens', 'gateway closed', 'another is prepared'])
})

test('upstreams are prepared before the server listens, and those of another configuration after it', async () => {
  const world = fakeWorld()
  const prepares = (name: string) => ({ prepare: async () => void world.events.push(`${name} is prepared`) })
  const running = await start(served(prepares('first')), world)
  expect(world.events).toEqual(['first is prepared', 'listens'])
  await running.reload(served(prepares('second')))
  await eventually(() => expect(world.events.at(-1)).toBe('second is prepared'))
  await running.close(atOnce)
})
