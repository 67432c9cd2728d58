import { randomOf } from './grammar/random.ts'

/** True with ANYCALL_TESTS=all, as `.ci/run` has it: laws make twenty times as many draws, and products are tested as a whole. */
export const isThorough: boolean = process.env.ANYCALL_TESTS === 'all'

/** The number of draws that a law makes for each thing that it holds of. A law whose draws cost little makes a multiple of it. */
export const lawRuns: number = Number(process.env.LAW_RUNS ?? (isThorough ? 60 : 3))

/** The fewest partners that a row or a column has in a covering set. */
export const fewestPartners = 3

/**
 * Returns the columns that a row is tested with. In a thorough run those are all. Otherwise each row has at least `fewest` columns
 * (default: 3), and each column as many rows; the run's seed decides which, so that over several runs each pair is tested.
 */
export function coveringPairs<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
  {
    isFull = isThorough,
    random = randomOf(0),
    fewest = fewestPartners,
  }: { isFull?: boolean; random?: () => number; fewest?: number } = {},
): (row: Row) => readonly Column[] {
  if (isFull) return () => columns
  const keyed = columns.map((column) => ({ column, key: random() })).sort((one, other) => one.key - other.key)
  const shuffled = keyed.map(({ column }) => column)
  const wanted = Math.max(fewest, Math.ceil((fewest * columns.length) / rows.length))
  const width = Math.min(columns.length, wanted)
  return (row) => {
    const first = (rows.indexOf(row) * width) % columns.length
    return [...shuffled, ...shuffled].slice(first, first + width)
  }
}

/**
 * Returns all items in a thorough run, and otherwise one of each `every`, beginning with one of the first that the run's seed
 * chooses.
 */
export function someOf<Item>(items: readonly Item[], every = 4): readonly Item[] {
  if (isThorough) return items
  const first = Math.floor(randomOf(1)() * every)
  return items.filter((_, index) => index % every === first)
}

/**
 * Returns which tests a row is tested with: a function that says it of one after another. In a thorough run those are all. Otherwise
 * each row has one of each `every` tests, and each test one of each `every` rows, at least one; the run's seed decides which. Where rows
 * alternate (at once, streamed), `every` is odd, so that each test has both.
 */
export function coveringTurns<Row>(
  rows: readonly Row[],
  every = 5,
  { isFull = isThorough, random = randomOf(2) }: { isFull?: boolean; random?: () => number } = {},
): (row: Row) => () => boolean {
  if (isFull) return () => () => true
  const share = Math.min(every, rows.length)
  const first = Math.floor(random() * share)
  return (row) => {
    const index = rows.indexOf(row)
    if (index < 0) throw new Error('The row is none of the rows.')
    let turn = first + index
    return () => turn++ % share === 0
  }
}
