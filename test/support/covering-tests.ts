import { type TestAPI, test } from 'vitest'
import { coveringTurns, isThorough } from './draws.ts'

/** The part of `test` that defines a test or a table of them. */
export type DefineTest = Pick<TestAPI, 'each'> & ((name: string, run: () => unknown) => void)

/**
 * Returns what stands for `test` in the suite of each row: it defines one of each `every` tests, other ones in the next row, and all in
 * a thorough run (see `coveringTurns`).
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
