import { expect, test } from 'vitest'
import { memoize } from './found-once.ts'

test('each object is looked at once, what is not found as well', () => {
  const seen: object[] = []
  const nameOf = memoize((of: { name?: string }) => {
    seen.push(of)
    return of.name
  })
  const [named, unnamed] = [{ name: 'one' }, {}]
  expect([nameOf(named), nameOf(unnamed), nameOf(named), nameOf(unnamed), nameOf({})]).toEqual([
    ...['one', undefined, 'one', undefined, undefined],
  ])
  expect(seen).toEqual([named, unnamed, {}])
})
