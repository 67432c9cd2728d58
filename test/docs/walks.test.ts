import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const src = join(root, 'src')
const page = readFileSync(join(root, 'docs/internals/walks.md'), 'utf8')

interface Row {
  row: number
  file: string
  reached: string
  why: string
}

interface Walk {
  name: string
  rows: Row[]
  /** The number of returns that the text states. */
  stated: string | undefined
}

const walks: readonly Walk[] = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    name: section.split('\n', 1).join(),
    rows: [...section.matchAll(/^\| (\d+) \| `([^`]+)` \| ([^|]+) \| [^|]+ \|([^|\n]*)\|$/gm)].map(
      ([, row, file = '', reached = '', why = '']) => ({ row: Number(row), file, reached, why: why.trim() }),
    ),
    stated: /\b([A-Z][a-z]+) returns\b/.exec(section)?.[1],
  }))

/** Returns the files whose values a file imports; what an index passes on is included. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  const text = readFileSync(join(src, file), 'utf8')
  for (const [, from = ''] of text.matchAll(/^(?:im|ex)port (?!type\b)[^'"]*? from '(\.[^']+)'/gm)) {
    const target = join(dirname(file), from)
    if (seen.has(target)) continue
    seen.add(target)
    if (target.endsWith('index.ts')) importsOf(target, seen)
  }
  return seen
}

/** Returns what is wrong in how a row is reached; undefined if the code agrees. */
function fault({ file, reached }: Row, before: Row | undefined, rows: readonly Row[]): string | undefined {
  if (reached === 'start') return undefined
  const [, giver] = /^given by `([^`]+)`$/.exec(reached) ?? []
  const [, number] = /^call from (\d+)$/.exec(reached) ?? []
  const caller = giver ?? (number === undefined ? before : rows.find(({ row }) => row === Number(number)))?.file
  if (giver === undefined && number === undefined && reached !== 'call') return `${reached} is no way to reach ${file}`
  if (caller === undefined || !existsSync(join(src, caller))) return `${file}: there is no ${caller ?? reached}`
  return importsOf(caller).has(file) ? undefined : `${caller} does not import ${file}`
}

/** Returns the rows whose folder was left before and is entered again. */
function returnsIn(rows: readonly Row[]): number[] {
  const folders = rows.map(({ file }) => dirname(file))
  return rows
    .filter((_, at) => folders[at] !== folders[at - 1] && folders.slice(0, at).includes(folders[at] ?? ''))
    .map(({ row }) => row)
}

test('there are four walks', () => {
  expect(walks.map(({ rows }) => rows.length > 10)).toEqual([true, true, true, true])
})

describe.each(walks)('$name', ({ rows, stated }) => {
  test('each file exists, and is reached as the row says', () => {
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 1))
    expect(rows.map(({ file }) => file).filter((file) => !existsSync(join(src, file)))).toEqual([])
    expect(rows.flatMap((row, at) => fault(row, rows[at - 1], rows) ?? [])).toEqual([])
  })

  test('each return has its reason, and no other row has one', () => {
    const returns = returnsIn(rows)
    expect(rows.filter(({ why }) => why !== '').map(({ row }) => row)).toEqual(returns)
    expect(stated).toBe(
      ['None', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'][returns.length],
    )
  })
})

test('a file that does not import the next one is found', () => {
  const rows: Row[] = [
    { row: 1, file: 'gateway/http/request-log.ts', reached: 'start', why: '' },
    { row: 2, file: 'gateway/gateway.ts', reached: 'call', why: '' },
    { row: 3, file: 'gateway/http/answer.ts', reached: 'given by `gateway/nobody.ts`', why: '' },
  ]
  expect(rows.map((row, at) => fault(row, rows[at - 1], rows))).toEqual([
    undefined,
    'gateway/http/request-log.ts does not import gateway/gateway.ts',
    'gateway/http/answer.ts: there is no gateway/nobody.ts',
  ])
  expect(returnsIn(rows)).toEqual([3])
})
