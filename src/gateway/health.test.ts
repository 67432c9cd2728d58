import { expect, test } from 'vitest'
import { Health } from './health.ts'

function start() {
  const clock = { now: 0 }
  return { clock, health: new Health(() => clock.now) }
}

test('an upstream is asked until it has failed three times in a row', () => {
  const { health } = start()
  expect(health.isReady('a')).toBe(true)
  health.failed('a')
  health.failed('a')
  expect(health.isReady('a')).toBe(true)
  health.succeeded('a')
  health.failed('a')
  health.failed('a')
  expect(health.isReady('a')).toBe(true)
  health.failed('a')
  expect(health.isReady('a')).toBe(false)
  expect(health.isReady('b')).toBe(true)
})

test('behind the pause one request goes first', () => {
  const { health, clock } = start()
  for (let n = 0; n < 3; n++) health.failed('a')
  clock.now = 4_999
  expect(health.isReady('a')).toBe(false)
  clock.now = 5_000
  expect(health.isReady('a')).toBe(true)
  health.asked('a')
  expect(health.isReady('a')).toBe(false)
  health.succeeded('a')
  expect(health.isReady('a')).toBe(true)
  health.asked('a')
  expect(health.isReady('a')).toBe(true)
})

test('the pause doubles with each failure, up to five minutes', () => {
  const { health, clock } = start()
  for (let n = 0; n < 3; n++) health.failed('a')
  const pauses: number[] = []
  for (let n = 0; n < 8; n++) {
    const from = clock.now
    while (!health.isReady('a')) clock.now += 1_000
    pauses.push((clock.now - from) / 1000)
    health.asked('a')
    health.failed('a')
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
})

test('a probe whose client leaves says nothing', () => {
  const { health, clock } = start()
  for (let n = 0; n < 3; n++) health.failed('a')
  clock.now = 5_000
  health.asked('a')
  health.released('a')
  expect(health.isReady('a')).toBe(true)
})

test('the time that an upstream asks for counts from the first failure on', () => {
  const { health, clock } = start()
  health.failed('a', 7)
  clock.now = 6_999
  expect(health.isReady('a')).toBe(false)
  clock.now = 7_000
  expect(health.isReady('a')).toBe(true)
})
