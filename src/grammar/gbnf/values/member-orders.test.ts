import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { memberOrders, mostOrdered, type OrderState } from './member-orders.ts'

/** The state after members in an order; undefined if they are not admitted. */
function after(states: readonly OrderState[], members: readonly number[]): OrderState | undefined {
  return members.reduce((state: OrderState | undefined, member) => {
    const next = state?.nexts.find(([one]) => one === member)
    return next && states[next[1]]
  }, states[0])
}

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: mostOrdered })
const most = fc.integer({ min: 0, max: 600 })

test('the order of the schema is admitted, with all that may be left out or without', () => {
  fc.assert(
    fc.property(flags, most, fc.nat(), (required, limit, seed) => {
      const states = memberOrders(required, limit)
      expect(states.length).toBeLessThanOrEqual(Math.max(limit, required.length + 1))
      const members = required.flatMap((isRequired, at) => (isRequired || (seed >> at) & 1 ? [at] : []))
      expect(after(states, members)?.isWhole).toBe(true)
    }),
    { numRuns: 2 * lawRuns },
  )
})

test('no member comes twice, and what is begun can be ended', () => {
  fc.assert(
    fc.property(flags, most, fc.infiniteStream(fc.nat()), (required, limit, picks) => {
      const states = memberOrders(required, limit)
      const seen: number[] = []
      for (let state = states[0]; state && state.nexts.length > 0; ) {
        const { value: pick = 0 } = picks.next()
        const [member, to] = state.nexts[pick % state.nexts.length] ?? [-1, 0]
        seen.push(member)
        state = states[to]
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(required.every((isRequired, at) => !isRequired || seen.includes(at))).toBe(true)
      expect(after(states, seen)?.isWhole).toBe(true)
    }),
    { numRuns: 2 * lawRuns },
  )
})

test('few members come in any order, more with some of them displaced', () => {
  const reversed = (count: number) => Array.from({ length: count }, (_, at) => count - 1 - at)
  const any = (count: number) =>
    memberOrders(
      Array.from({ length: count }, () => true),
      512,
    )
  expect(after(any(9), reversed(9))?.isWhole).toBe(true)
  expect(after(any(12), reversed(12))).toBeUndefined()
  expect(after(any(12), [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])?.isWhole).toBe(true)
  expect(after(any(12), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0])?.isWhole).toBe(true)
})
