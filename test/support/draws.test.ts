import { describe, expect, test } from 'vitest'
import { coveringPairs, fewestPartners } from './draws.ts'
import { randomOf } from './grammar/random.ts'
import { testFilesWith } from './test-files.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe.each([
  [46, 17],
  [3, 17],
  [17, 3],
  [5, 5],
])('a covering set of %i rows and %i columns', (rowCount, columnCount) => {
  const [rows, columns] = [numbers(rowCount), numbers(columnCount)]
  const pairsOf = (seed: number) => {
    const columnsOf = coveringPairs(rows, columns, { isFull: false, random: randomOf(seed) })
    return rows.flatMap((row) => columnsOf(row).map((column) => [row, column] as const))
  }

  test('has at least four columns for each row and four rows for each column', () => {
    const pairs = pairsOf(1)
    expect(new Set(pairs.map(String)).size).toBe(pairs.length)
    for (const row of rows) {
      expect(pairs.filter((pair) => pair[0] === row).length).toBeGreaterThanOrEqual(
        Math.min(fewestPartners, columnCount),
      )
    }
    for (const column of columns) {
      expect(pairs.filter((pair) => pair[1] === column).length).toBeGreaterThanOrEqual(
        Math.min(fewestPartners, rowCount),
      )
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
