import { describe, expect, test } from 'vitest'
import { coveringPairs, coveringTurns, fewestPartners } from './draws.ts'
import { randomOf } from './grammar/random.ts'
import { testFilesWith } from './test-files.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe.each([
  [46, 17, fewestPartners],
  [3, 17, fewestPartners],
  [17, 3, fewestPartners],
  [5, 5, fewestPartners],
  [46, 3, 1],
  [6, 12, 1],
])('a covering set of %i rows and %i columns, %i at least', (rowCount, columnCount, fewest) => {
  const [rows, columns] = [numbers(rowCount), numbers(columnCount)]
  const pairsOf = (seed: number) => {
    const columnsOf = coveringPairs(rows, columns, { isFull: false, random: randomOf(seed), fewest })
    return rows.flatMap((row) => columnsOf(row).map((column) => [row, column] as const))
  }

  test('has so many columns for each row and rows for each column', () => {
    const pairs = pairsOf(1)
    expect(new Set(pairs.map(String)).size).toBe(pairs.length)
    for (const row of rows) {
      expect(pairs.filter((pair) => pair[0] === row).length).toBeGreaterThanOrEqual(Math.min(fewest, columnCount))
    }
    for (const column of columns) {
      expect(pairs.filter((pair) => pair[1] === column).length).toBeGreaterThanOrEqual(Math.min(fewest, rowCount))
    }
  })

  test('has each pair for some seed', () => {
    const found = new Set(numbers(100).flatMap((seed) => pairsOf(seed).map(String)))
    expect(found.size).toBe(rowCount * columnCount)
  })

  test('is the whole product in a thorough run', () => {
    expect(rows.map(coveringPairs(rows, columns, { isFull: true }))).toEqual(rows.map(() => columns))
  })
})

describe.each([
  [10, 26, 3],
  [46, 7, 4],
  [2, 5, 3],
])('of %i rows and %i tests, one of each %i', (rowCount, testCount, every) => {
  const [rows, tests] = [numbers(rowCount), numbers(testCount)]
  const pairsOf = (seed: number, isFull = false) => {
    const turnsOf = coveringTurns(rows, every, { isFull, random: randomOf(seed) })
    return rows.flatMap((row) => {
      const isTurn = turnsOf(row)
      return tests.filter(isTurn).map((one) => [row, one] as const)
    })
  }

  test('each row has some tests, and each test some rows', () => {
    const pairs = pairsOf(1)
    for (const row of rows) {
      expect(pairs.filter((pair) => pair[0] === row).length).toBeGreaterThanOrEqual(Math.floor(testCount / every))
    }
    for (const one of tests) {
      const count = pairs.filter((pair) => pair[1] === one).length
      expect(count).toBeGreaterThanOrEqual(Math.max(1, Math.floor(rowCount / every)))
    }
  })

  test('each pair is found for some seed, and all in a thorough run', () => {
    expect(new Set(numbers(100).flatMap((seed) => pairsOf(seed).map(String))).size).toBe(rowCount * testCount)
    expect(pairsOf(1, true)).toHaveLength(rowCount * testCount)
  })
})

test('no law has a fixed number of draws, which LAW_RUNS would not change', () => {
  expect(testFilesWith(/\bnumRuns: lawRuns\b/).length).toBeGreaterThan(5)
  expect(testFilesWith(/\bnumRuns: [\d_]+(?![\d_]| \*)|\bseed <=? \d|process\.env\.LAW_RUNS/)).toEqual([
    'test/support/draws.ts',
  ])
})
