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

test('a long rest is asked for again and again, and ends when the gateway has little to do', () => {
  const { pace, pass } = paceOfTest()
  pass(100, 0)
  pace.rest()
  pace.wrote(1000)
  expect(pace.rest()).toBe(100)
  pass(40, 60)
  expect(pace.rest()).toBe(0)
})

test('work while the gateway has little to do is not held against a busy one', () => {
  const { pace, pass } = paceOfTest()
  for (let batch = 0; batch < 5; batch++) {
    pass(5, 95)
    expect(pace.rest()).toBe(0)
    pace.wrote(1)
  }
  pass(100, 0)
  expect(pace.rest()).toBe(0)
})

test('a moment of work makes no busy gateway, and without a measure it is never busy', () => {
  const { pace, pass } = paceOfTest()
  pass(5, 95)
  pace.rest()
  pass(20, 0)
  pace.wrote(10)
  expect(pace.rest()).toBe(0)
  const blind = new WritePace({ share: 0.1, serving: () => undefined, now: () => 0 })
  blind.wrote(1000)
  expect(blind.rest()).toBe(0)
})
