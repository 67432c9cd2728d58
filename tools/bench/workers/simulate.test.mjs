import { describe, expect, test } from 'vitest'
import { seeded, simulate } from './simulate.mjs'

const one = {
  workers: 1,
  connections: 64,
  requestsPerConnection: 20,
  serviceMs: 2,
  acceptMs: 0.05,
  thinkMs: 10,
  durationMs: 60_000,
}
const rate = (settings) => simulate({ ...one, ...settings, random: seeded(1) })

describe('the simulation', () => {
  // A worker that always has a request to serve: 1000 / serviceMs.
  test.each([
    [{}, 500],
    [{ workers: 4, connections: 256 }, 2000],
    [{ serviceMs: 4 }, 250],
    // One connection: a reply takes serviceMs, and the next request comes after thinkMs.
    [{ connections: 1, requestsPerConnection: 1000 }, 1000 / 12],
    // The primary is the limit: one connection for each request.
    [{ workers: 64, connections: 2048, requestsPerConnection: 1, acceptMs: 1, serviceMs: 1 }, 1000],
  ])('of %j comes to %f replies a second, within 5 %%', (settings, expected) => {
    expect(rate(settings)).toBeGreaterThan(expected * 0.95)
    expect(rate(settings)).toBeLessThan(expected * 1.05)
  })

  test('is the same for the same seed', () => {
    expect(rate({})).toBe(rate({}))
  })
})
