import { describe, expect, test } from 'vitest'
import { coveringPairs, fewestPartners } from './draws.ts'
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

test('no law has a fixed number of draws, which LAW_RUNS would not change', () => {
  expect(testFilesWith(/\bnumRuns: lawRuns\b/).length).toBeGreaterThan(5)
  expect(testFilesWith(/\bnumRuns: [\d_]+(?![\d_]| \*)|\bseed <=? \d|process\.env\.LAW_RUNS/)).toEqual([
    'test/support/draws.ts',
  ])
})
