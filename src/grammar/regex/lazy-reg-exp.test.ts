import { expect, test } from 'vitest'
import { CompiledPool, LazyRegExp } from './lazy-reg-exp.ts'

/** Expressions of ten characters of source each. */
function several(count: number, pool: CompiledPool): LazyRegExp[] {
  return Array.from(
    { length: count },
    (_, index) => new LazyRegExp(`a(?:${String(index).padStart(5, '0')})`, 'y', pool),
  )
}

test('matches at a place or from it on, as its flags say, and again after that', () => {
  const sticky = new LazyRegExp('<call>', 'iy')
  expect([sticky.testAt('So: <CALL>', 4), sticky.testAt('So: <CALL>', 3)]).toEqual([true, false])
  expect(sticky.execAt('<call>', 0)?.[0]).toBe('<call>')
  expect(new LazyRegExp('b', 'g').execAt('abab', 2)?.index).toBe(3)
})

test('one that is used stays compiled, whatever else is', () => {
  const pool = new CompiledPool(100)
  const used = new LazyRegExp('used', 'y', pool)
  const { compiled } = used
  for (const one of several(200, pool)) {
    one.testAt('', 0)
    expect(used.compiled).toBe(compiled)
  }
})

test('however many are held, no more is compiled than the bound says, and what was let go works again', () => {
  const pool = new CompiledPool(100)
  const all = several(200, pool)
  const [first] = all
  const compiled = first?.compiled
  for (const [index, one] of all.entries()) {
    expect(one.testAt(`a${String(index).padStart(5, '0')}`, 0)).toBe(true)
    expect(pool.size).toBeLessThanOrEqual(100)
  }
  expect(first?.compiled).not.toBe(compiled)
  expect(first?.testAt('a00000', 0)).toBe(true)
})

test('equal expressions are compiled once, and go together', () => {
  const pool = new CompiledPool(100)
  const [one, other] = [new LazyRegExp('same', 'y', pool), new LazyRegExp('same', 'y', pool)]
  expect(one.compiled).toBe(other.compiled)
  expect(new LazyRegExp('same', 'iy', pool).compiled).not.toBe(one.compiled)
  expect(pool.size).toBe(8)
  const { compiled } = one
  for (const another of several(200, pool)) another.testAt('', 0)
  expect(other.compiled).not.toBe(compiled)
  expect(other.compiled).toBe(one.compiled)
})

test('one that is larger than the bound is compiled, and is the first to go', () => {
  const pool = new CompiledPool(100)
  const large = new LazyRegExp('x'.repeat(200), 'y', pool)
  expect(large.testAt('x'.repeat(200), 0)).toBe(true)
  expect(pool.size).toBe(200)
  for (const one of several(30, pool)) one.testAt('', 0)
  expect(pool.size).toBeLessThanOrEqual(100)
})

test('a long one is prepared once, and still begins where it is told', () => {
  const long = new LazyRegExp(`a|${'b'.repeat(3000)}`, 'iy')
  expect([long.isUnprepared, new LazyRegExp('a', 'iy').isUnprepared]).toEqual([true, false])
  long.prepare()
  expect([long.isUnprepared, long.testAt('ba', 1), long.testAt('ba', 0)]).toEqual([false, true, false])
})
