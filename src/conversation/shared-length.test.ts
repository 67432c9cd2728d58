import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedLength } from './shared-length.ts'

test('counts what two texts begin with, however long it is', () => {
  const long = fc.nat(5000).map((length) => 'ab'.repeat(length).slice(0, length))
  fc.assert(
    fc.property(long, fc.string(), fc.string(), (beginning, one, other) => {
      const shared = sharedLength(`${beginning}x${one}`, `${beginning}y${other}`)
      expect(shared).toBe(beginning.length)
      expect(sharedLength(beginning, `${beginning}${one}`)).toBe(beginning.length)
    }),
  )
})
