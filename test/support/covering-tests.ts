import { type TestAPI, test } from 'vitest'
import { coveringTurns, isThorough } from './draws.ts'

/** The part of `test` that defines a test or a table of them. */
export type DefineTest = Pick<TestAPI, 'each'> & ((name: string, run: () => unknown) => void)

/**
 * Returns a replacement of `test` for the suite of each row. It defines one of each `every` tests. The next row gets other tests. In a
 * thorough run it defines all of them. See `coveringTurns`.
 */
export function coveringTests<Row>(rows: readonly Row[], every?: number): (row: Row) => DefineTest {
  if (isThorough) return () => test
  const turnsOf = coveringTurns(rows, every)
  return (row) => {
    const isTurn = turnsOf(row)
    const define = (name: string, run: () => unknown): void => {
      if (isTurn()) test(name, run)
    }
    const each = ((cases: readonly unknown[]) => test.each(cases.filter(isTurn))) as TestAPI['each']
    return Object.assign(define, { each })
  }
}
