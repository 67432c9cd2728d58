import { expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { warmUp } from '../../dialects/index.ts'
import { parseConfig } from '../../gateway/index.ts'
import { atOnce, startHere } from './running.ts'

test('a server that is closed stops preparing for its first reply, as the one that a primary process starts only for its address', async () => {
  const { io, services, events } = fakeWorld()
  // Both take turns, so the one that began first is prepared first.
  const other = warmUp(new AbortController().signal).then(() => events.push('another is prepared'))
  const listen = async () => ({ url: 'http://127.0.0.1:1', port: 1, close: async () => {} })
  const served = { config: parseConfig({}), upstreams: new Map(), log: () => {} }
  const running = await startHere(served, { io, services: { ...services, listen } })
  await running.close(atOnce)
  await other
  expect(events).toEqual(['gateway closed', 'another is prepared'])
})
