import { expect, test } from 'vitest'
import { WritePace } from './pace.ts'

/** Returns a pace with a share of a tenth, and its clock: `pass` lets the serving thread work for some of the time. */
function paceOfTest() {
  const time = { active: 0, idle: 0 }
  let now = 0
  const pace = new WritePace({ share: 0.1, serving: () => ({ ...time }), now: () => now })
  const pass = (active: number, idle: number): void => {
    time.active += active
    time.idle += idle
    now += active + idle
  }
  return { pace, pass }
}

test('a writer rests in proportion to its work while the gateway is busy', () => {
  const { pace, pass } = paceOfTest()
  pass(90, 10)
  expect(pace.rest()).toBe(0)
  pace.wrote(10)
  expect(pace.rest()).toBe(90)
  pass(60, 0)
  expect(pace.rest()).toBe(30)
  pass(30, 0)
  expect(pace.rest()).toBe(0)
})

test('a rest is asked for piece by piece, and is over as soon as the gateway has little to do', () => {
  const { pace, pass } = paceOfTest()
  pass(100, 0)
  pace.rest()
  pace.wrote(60)
  expect(pace.rest()).toBe(100)
  pass(0, 100)
  expect(pace.rest()).toBe(0)
})

test('the less the gateway has to do, the shorter is the rest', () => {
  const { pace, pass } = paceOfTest()
  const rests = [90, 45, 30, 10].map((active) => {
    pass(active, 100 - active)
    pace.rest()
    pace.wrote(2)
    return pace.rest()
  })
  expect(rests.map(Math.round)).toEqual([18, 6, 3, 1])
})

test('the gateway is busy if serving alone takes more time than serving and writing may', () => {
  const { pace, pass } = paceOfTest()
  expect(pace.isBusy).toBe(false)
  const busy = [90, 71, 69, 0].map((active) => {
    pass(active, 100 - active)
    return pace.isBusy
  })
  expect(busy).toEqual([true, true, false, false])
  const unbound = new WritePace({ share: 1, serving: () => ({ active: 100, idle: 0 }), now: () => 0 })
  expect(unbound.isBusy).toBe(false)
})

test('too short a time measures nothing, and without a measure there is no rest', () => {
  const { pace, pass } = paceOfTest()
  pass(10, 90)
  pace.rest()
  pass(20, 0)
  pace.wrote(2)
  expect(Math.round(pace.rest())).toBe(1)
  const blind = new WritePace({ share: 0.1, serving: () => undefined, now: () => 0 })
  blind.wrote(1000)
  expect(blind.rest()).toBe(0)
})

test('with the whole time as its share, a writer never rests', () => {
  const busy = new WritePace({ share: 1, serving: () => ({ active: 1000, idle: 0 }), now: () => 0 })
  busy.rest()
  busy.wrote(1000)
  expect(busy.rest()).toBe(0)
})
