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
  expect(pace.rest()).toBe(500)
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

test('while the gateway is busy there is time for a few records at once, then for as many as the share allows', () => {
  const { pace, pass } = paceOfTest()
  /** Keeps records until there is no time for a further one, and returns their number. */
  const keep = (): number => {
    let count = 0
    for (; count < 1000 && !pace.isSpent; count++) pace.kept()
    return count
  }
  expect(keep()).toBe(1000)
  pass(0, 2000)
  expect(keep()).toBe(1000)
  pass(0, 2000)
  expect(pace.isSpent).toBe(false)
  pass(100, 0)
  expect(keep()).toBe(64)
  expect(keep()).toBe(0)
  // A tenth of the time, two milliseconds for each.
  pass(60, 0)
  expect(keep()).toBe(3)
  pass(30, 70)
  expect(keep()).toBe(1000)
})

test('however busy the gateway is, there is time for each step of an agent', () => {
  const { pace, pass } = paceOfTest()
  for (let step = 0; step < 60; step++) {
    pass(100 / 60, 0)
    expect(pace.isSpent).toBe(false)
    pace.kept()
  }
})

test('records that are kept in any case leave no time for others, but not for long', () => {
  const { pace, pass } = paceOfTest()
  pass(100, 0)
  for (let count = 0; count < 1000; count++) pace.kept()
  expect(pace.isSpent).toBe(true)
  pass(19, 0)
  expect(pace.isSpent).toBe(true)
  pass(1, 0)
  expect(pace.isSpent).toBe(false)
})

test('work that has just begun counts before a rest does', () => {
  const { pace, pass } = paceOfTest()
  for (let count = 0; count < 100; count++) pace.kept()
  pass(0, 100)
  for (let count = 0; count < 100; count++) pace.kept()
  expect(pace.isSpent).toBe(false)
  pass(2, 0)
  expect(pace.isSpent).toBe(true)
  pass(30, 0)
  for (let count = 0; count < 10; count++) pace.kept()
  expect(pace.isSpent).toBe(true)
  pass(0, 10)
  expect(pace.isSpent).toBe(true)
  pass(0, 20)
  expect(pace.isSpent).toBe(false)
})

test('with the whole time as their share, or without a measure, there is always time for a record', () => {
  const serving = () => ({ active: 1000, idle: 0 })
  for (const pace of [
    new WritePace({ share: 1, serving, now: () => 0 }),
    new WritePace({ share: 0.1, serving: () => undefined, now: () => 0 }),
  ]) {
    for (let count = 0; count < 100; count++) pace.kept()
    expect(pace.isSpent).toBe(false)
  }
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
