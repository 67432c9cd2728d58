import type { Io } from './io/io.ts'
import type { DialectFacts } from './io/reading.ts'
import { wrapWords } from './io/wrap-words.ts'
import { dialectOf } from './read/dialect-flag.ts'

export interface DialectsFlags {
  json?: boolean
}

/** Lists the dialects, or shows the one of that name with its example. Throws a FlagError for a name that is none. */
export function showDialects(
  name: string | undefined,
  flags: DialectsFlags,
  io: Pick<Io, 'stdout'>,
  dialects: readonly DialectFacts[],
): number {
  const found = name === undefined ? undefined : dialectOf(name, dialects)
  if (flags.json) io.stdout(`${JSON.stringify(found ? facts(found) : dialects.map(facts), null, 2)}\n`)
  else io.stdout(found ? details(found) : table(dialects))
  return 0
}

/** A dialect's own members only: what else it has is code. */
function facts({ name, families, source, usesTrigger, example }: DialectFacts): DialectFacts {
  return { name, families, source, usesTrigger, example }
}

/** Columns are no wider than this: what is longer goes on below. */
const widest = 44

function table(dialects: readonly DialectFacts[]): string {
  const head = ['NAME', 'TRIGGER', 'FAMILIES', 'SOURCE']
  const rows = [head, ...dialects.map((one) => [one.name, one.usesTrigger ? 'yes' : 'no', one.families, one.source])]
  const wrapped = rows.map((row) => row.map((cell) => wrapWords(cell, widest)))
  const widths = head.map((_, column) =>
    Math.max(...wrapped.flatMap((row) => row[column] ?? []).map((line) => line.length)),
  )
  const lines = wrapped.flatMap((row) =>
    Array.from({ length: Math.max(...row.map((cell) => cell.length)) }, (_, index) =>
      row
        .map((cell, column) => (cell[index] ?? '').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
  return `${lines.join('\n')}\n\nanycall dialects NAME shows one with an example.\n`
}

function details(dialect: DialectFacts): string {
  const { name, families, source, usesTrigger, example } = dialect
  const rows: [string, string][] = [
    ['name', name],
    ['families', families],
    ['source', source],
    ['trigger', usesTrigger ? 'yes: calls count only behind a line that each conversation has its own of' : 'no'],
  ]
  const head = rows.map(([title, text]) => `${title.padEnd(10)}${text}\n`).join('')
  const body = example.replace(/^(?=.)/gm, '  ')
  return `${head}\nA call:\n\n${body}\n\nTo read it: anycall read FILE --dialect ${name}${usesTrigger ? ' --trigger TRIGGER' : ''} --tools TOOLS\n`
}
