import { expect, onTestFinished, test, vi } from 'vitest'
import { Health } from './health.ts'

function start() {
  const clock = { now: 0 }
  const health = new Health(() => clock.now)
  const fail = (times = 1, retryAfter?: number): void => {
    for (let n = 0; n < times; n++) health.asked('a').failed(retryAfter)
  }
  return { clock, health, fail }
}

test('an upstream is asked until it has failed three times in a row', () => {
  const { health, fail } = start()
  expect(health.isReady('a')).toBe(true)
  fail(2)
  expect(health.isReady('a')).toBe(true)
  health.asked('a').succeeded()
  fail(2)
  expect(health.isReady('a')).toBe(true)
  fail()
  expect(health.isReady('a')).toBe(false)
  expect(health.isReady('b')).toBe(true)
})

test('after the pause one request goes first', () => {
  const { health, clock, fail } = start()
  fail(3)
  clock.now = 4_999
  expect(health.isReady('a')).toBe(false)
  clock.now = 5_000
  expect(health.isReady('a')).toBe(true)
  const probe = health.asked('a')
  expect(health.isReady('a')).toBe(false)
  probe.succeeded()
  expect(health.isReady('a')).toBe(true)
  health.asked('a')
  expect(health.isReady('a')).toBe(true)
})

test('the pause doubles with each failure, up to five minutes', () => {
  const { health, clock, fail } = start()
  fail(3)
  const pauses: number[] = []
  for (let n = 0; n < 8; n++) {
    const from = clock.now
    while (!health.isReady('a')) clock.now += 1_000
    pauses.push((clock.now - from) / 1000)
    fail()
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
})

test('a probe whose client leaves says nothing', () => {
  const { health, clock, fail } = start()
  fail(3)
  clock.now = 5_000
  const probe = health.asked('a')
  probe.released()
  expect(health.isReady('a')).toBe(true)
  // Nor does its later result.
  probe.succeeded()
  fail()
  expect(health.isReady('a')).toBe(false)
})

test('another request that says nothing does not stand in for the probe', () => {
  const { health, clock, fail } = start()
  fail(3)
  clock.now = 5_000
  health.asked('a')
  health.asked('a').released()
  expect(health.isReady('a')).toBe(false)
})

test.each([
  [7, 7],
  [3_600, 3_600],
  [60_000, 3_600],
])('%d s that an upstream asks for count as %d, from the first failure on', (asked, seconds) => {
  const { health, clock, fail } = start()
  fail(1, asked)
  clock.now = seconds * 1000 - 1
  expect(health.isReady('a')).toBe(false)
  clock.now++
  expect(health.isReady('a')).toBe(true)
})

test('replies that were on their way before a pause do not lengthen it: a server that is started anew cuts all at once', () => {
  const { health, clock } = start()
  const visits = Array.from({ length: 20 }, () => health.asked('a'))
  for (const visit of visits) visit.failed()
  expect(health.isReady('a')).toBe(false)
  clock.now = 5_000
  expect(health.isReady('a')).toBe(true)
})

test('nor do they lift it; what is asked in it does', () => {
  const { health, fail } = start()
  const before = health.asked('a')
  fail(1, 20)
  before.succeeded()
  expect(health.isReady('a')).toBe(false)
  health.asked('a').succeeded()
  expect(health.isReady('a')).toBe(true)
})

test('failures without a pause are forgotten by any success', () => {
  const { health, fail } = start()
  const before = health.asked('a')
  fail(2)
  before.succeeded()
  fail(2)
  expect(health.isReady('a')).toBe(true)
})

test('a clock that is set back prolongs no pause', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const health = new Health()
  for (let n = 0; n < 3; n++) health.asked('a').failed()
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(4_999)
  expect(health.isReady('a')).toBe(false)
  vi.advanceTimersByTime(1)
  expect(health.isReady('a')).toBe(true)
})
