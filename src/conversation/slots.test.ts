import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

test('holds what was added and not removed, however members come and go', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(7), { maxLength: 60 }), (steps) => {
      const slots = new Slots<{ step: number }>()
      const held = new Map<number, { step: number }>()
      steps.forEach((choice, step) => {
        const places = [...held.keys()]
        const place = places[choice]
        const value = place === undefined ? undefined : held.get(place)
        if (place === undefined || value === undefined) {
          const added = { step }
          held.set(slots.add(added), added)
        } else {
          slots.remove(place, value)
          held.delete(place)
        }
        expect(slots.size).toBe(held.size)
        expect(new Set(slots)).toEqual(new Set(held.values()))
      })
    }),
  )
})

test('a place that is free is used again, and freed once', () => {
  const slots = new Slots<{ name: string }>()
  const value = { name: 'first' }
  const first = slots.add(value)
  slots.remove(first, value)
  slots.remove(first, value)
  expect(slots.size).toBe(0)
  const places = [slots.add({ name: 'second' }), slots.add({ name: 'third' })]
  expect(places[0]).toBe(first)
  expect(places[1]).not.toBe(first)
  // It is no longer the first one's.
  slots.remove(first, value)
  expect([...slots].map(({ name }) => name).sort()).toEqual(['second', 'third'])
})

test('members may be removed while they are visited', () => {
  const slots = new Slots<{ place: number }>()
  for (let count = 0; count < 5; count++) {
    const value = { place: 0 }
    value.place = slots.add(value)
  }
  for (const value of slots) slots.remove(value.place, value)
  expect(slots.size).toBe(0)
})
